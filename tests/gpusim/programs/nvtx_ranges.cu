// options: -std=c++17
// expect: ranges 0 -2 -2 0, size 48
//
// NVTX without a profiler: it does nothing, and says so.
#include <nvToolsExtCuda.h>
#include <nvToolsExtCudaRt.h>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include <cstdio>

int main() {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "a stretch";
  const nvtxRangeId_t range = nvtxRangeStartEx(&attributes);
  const int pushed = nvtxRangePush("inner"), popped = nvtxRangePop();
  nvtxMark("here");
  nvtxRangeEnd(range);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStream(stream, "copies");
  nvtxNameCuStreamA(stream, "copies");
  nvtxNameCudaDevice(0, "the only one");
  cudaStreamDestroy(stream);
  std::printf("ranges %d %d %d %d, size %d\n", int(range), pushed, popped, NVTX_SUCCESS, int(attributes.size));
}
// SPDX-License-Identifier: MIT
