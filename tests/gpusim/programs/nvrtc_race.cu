// options: -std=c++17 -lnvrtc -lcuda
// expect: the kernel ends: CUDA_SUCCESS
// expect-error: default_program:4:11: race: block 0, thread 32
// expect-error: put __syncthreads() between writing and reading
// expect-error: (the other access: default_program:5:15) [reverse]
// expect-error: GPUSIM_CHECK=all
// A race in a kernel that is compiled at run time is found, with the lines of its text.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <vector>

const char* const kReverse =
    "extern \"C\" __global__ void reverse(int* values) {\n"
    "  __shared__ int tile[64];\n"
    "  const int i = threadIdx.x;\n"
    "  tile[i] = values[i];\n"
    "  values[i] = tile[63 - i];\n"
    "}\n";

int main() {
  cudaFree(nullptr);
  nvrtcProgram program;
  nvrtcCreateProgram(&program, kReverse, nullptr, 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 0, nullptr) != NVRTC_SUCCESS) return 3;
  size_t size = 0;
  nvrtcGetPTXSize(program, &size);
  std::vector<char> ptx(size);
  nvrtcGetPTX(program, ptx.data());
  nvrtcDestroyProgram(&program);
  CUmodule module;
  CUfunction reverse;
  CUdeviceptr values;
  cuModuleLoadData(&module, ptx.data());
  cuModuleGetFunction(&reverse, module, "reverse");
  cuMemAlloc(&values, 64 * sizeof(int));
  cuMemsetD32(values, 7, 64);
  void* arguments[] = {&values};
  cuLaunchKernel(reverse, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  const char* name = nullptr;
  cuGetErrorName(cuCtxSynchronize(), &name);
  std::printf("the kernel ends: %s\n", name);
}
// SPDX-License-Identifier: MIT
