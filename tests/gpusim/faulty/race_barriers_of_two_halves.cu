// expect-finding: race 16 30
// expect-text: put __syncthreads() between writing and reading
// advice: (ADVISED) put __syncthreads() between writing and reading
// Each half of the block waits at a barrier of its own, and one thread reads what both have stored.
#include <cuda_runtime.h>

__device__ void wait_for_half(int half) {
  asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
}

__global__ void sum_maxima(const int* in, int* out) {
  __shared__ int largest[4];
  const int warp = threadIdx.x / 32;
  int value = in[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) value = max(value, __shfl_down_sync(0xffffffff, value, d));
  if (threadIdx.x % 32 == 0) largest[warp] = value;
#ifdef FIXED
  wait_for_half(warp / 2);
  if (threadIdx.x % 64 == 0) largest[warp] += largest[warp + 1];
  __syncthreads();
  if (threadIdx.x == 0) *out = largest[0] + largest[2];
#else
  wait_for_half(warp / 2);
#ifdef ADVISED
  __syncthreads();
#endif
  if (threadIdx.x == 0)
    *out = largest[0] +
           largest[1] +
           largest[2] +
           largest[3];
#endif
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 128 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, 128 * sizeof(int));
  sum_maxima<<<1, 128>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
