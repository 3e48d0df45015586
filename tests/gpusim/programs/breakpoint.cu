// expect: no thread reaches it: no error
// expect: a thread does: unspecified launch failure
// expect-error: breakpoint.cu:12:
// expect-error: a breakpoint (brkpt, __brkpt()) was reached, and no debugger is there
// expect-error: block 1, thread 3
//
// A breakpoint, where no debugger is there.
#include <cstdio>

__global__ void stops_at(int thread, int* reached) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == thread) __brkpt();
  reached[i] = 1;
}

void tell(const char* what) { std::printf("%s: %s\n", what, cudaGetErrorString(cudaDeviceSynchronize())); }

int main() {
  int* reached;
  cudaMalloc(&reached, 64 * sizeof(int));
  stops_at<<<2, 32>>>(64, reached);
  tell("no thread reaches it");
  stops_at<<<2, 32>>>(35, reached);
  tell("a thread does");
  cudaDeviceReset();
}
// SPDX-License-Identifier: MIT
