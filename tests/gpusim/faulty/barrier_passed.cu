// expect-finding: barrier 18
// expect-text: threads 64 to 127 never reach this barrier, where others wait: the branch at line 16 leads them past it
// advice: (ADVISED) every thread of the block must reach the same __syncthreads()
// The barrier stands in a branch that whole warps pass by, and go on behind it. They leave the kernel some time, and a
// GPU lets the others go then; but until they do they are threads of the block that never reach the barrier.
#include <cuda_runtime.h>

__global__ void neighbours(const int* in, int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
#ifdef ADVISED
  if (t < 64) tile[t] = in[t];
  __syncthreads();
  if (t < 64) out[t + 128] = tile[63 - t];
#else
  if (t < 64) {
    tile[t] = in[t];
    __syncthreads();
    out[t + 128] = tile[63 - t];
  }
#endif
  out[t] = in[t];
}

// The condition is the same for the whole block.
__global__ void if_all(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    if (round < n) {
      tile[t] = in[t];
      __syncthreads();
      out[t] = tile[127 - t];
      __syncthreads();
    }
    if (round == 1 && t >= 96) return;
  }
  out[t] += 1;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 192 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
#ifndef FIXED
  neighbours<<<1, 128>>>(in, out);
#endif
  if_all<<<1, 128>>>(in, out, 2);
  if_all<<<1, 128>>>(in, out, 1);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
