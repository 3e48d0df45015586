// expect-finding: race 24
// expect-text: does not order this one yet: put __threadfence_block() between the two
// advice: put __threadfence_block() between the two
// A warp waits for the flag of another one. A volatile flag tells of what was written before the fence in front of it, to a
// thread that executes one behind it.
#include <cuda_runtime.h>

__global__ void pass(int* out) {
  __shared__ int part;
  __shared__ volatile unsigned ready;
  const int t = threadIdx.x;
  if (t == 0) ready = 0;
  __syncthreads();
  if (t == 32) {
    part = 7;
    __threadfence_block();
    ready = 1;
  }
  if (t == 0) {
    while (ready == 0) {}
#ifdef FIXED
    __threadfence_block();
#endif
    *out = part;
  }
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof *out);
  pass<<<1, 64>>>(out);
  int passed = 0;
  cudaMemcpy(&passed, out, sizeof passed, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return passed != 7;
}
// SPDX-License-Identifier: MIT
