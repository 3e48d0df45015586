// expect-finding: race 14 29
// advice: put __syncwarp() between the write and that fence
// advice: (ADVISED) put __syncthreads() between writing and reading
// Every lane of a warp stores, and lane 0 tells another warp that all is there. But it has not waited for its lanes.
#include <cuda_runtime.h>

__global__ void pass(int* out) {
  __shared__ int part[32];
  __shared__ unsigned ready;
  const int t = threadIdx.x;
  if (t == 0) ready = 0;
  __syncthreads();
  if (t < 32) {
    part[t] = 7;
#ifdef FIXED
    __syncwarp();
#endif
    if (t == 0) {
      __threadfence_block();
      atomicExch(&ready, 1u);
    }
  }
#ifdef ADVISED
  __syncthreads();
#endif
  if (t >= 32) {
    while (atomicAdd(&ready, 0u) == 0) {}
    __threadfence_block();
    out[t - 32] = part[63 - t];
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof *out);
  pass<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
