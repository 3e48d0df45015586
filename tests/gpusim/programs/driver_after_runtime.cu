// expect: before: not initialised
// expect: after: 0 0 0
// expect: value 42
//
// The runtime API makes the primary context and makes it current, so calls of the driver API may follow without cuInit().
#include <cuda.h>

#include <cstdio>

int main() {
  CUdeviceptr pointer = 0;
  const int host = 42;
  int result = 0;
  std::printf("before: %s\n", cuMemAlloc(&pointer, 4) == CUDA_ERROR_NOT_INITIALIZED ? "not initialised" : "initialised");
  cudaFree(nullptr);
  CUcontext context = nullptr;
  const CUresult current = cuCtxGetCurrent(&context), allocated = cuMemAlloc(&pointer, sizeof host),
                 copied = cuMemcpyHtoD(pointer, &host, sizeof host);
  std::printf("after: %d %d %d\n", current, allocated, copied);
  cudaMemcpy(&result, reinterpret_cast<void*>(pointer), sizeof result, cudaMemcpyDeviceToHost);
  std::printf("value %d\n", result);
  cuMemFree(pointer);
  return context == nullptr;
}
// SPDX-License-Identifier: MIT
