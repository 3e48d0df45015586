// expect-finding: refused call 36
// expect-text: 1024 threads per block, each with at least
// environment: GPUSIM_MACHINE=h100
// advice: let the compiler keep values in memory with __launch_bounds__(1024)
// advice: (ADVISED_FEWER) launch fewer
// advice: (ADVISED) call cudaGetLastError() after the launch
// 64 sums live from round to round of the loop, so that a thread has more than 64 registers, and a block of 1024 threads more than
// the 65,536 of a multiprocessor. With launch bounds the compiler keeps some of them in memory.
#include <cuda_runtime.h>

#ifdef FIXED
__global__ void __launch_bounds__(1024)
#else
__global__ void
#endif
    add_products(float* sums, const float* a, const float* b, int count) {
  float sum[8][8] = {};
  for (int i = 0; i < count; ++i) {
#pragma unroll
    for (int r = 0; r < 8; ++r)
#pragma unroll
      for (int c = 0; c < 8; ++c) sum[r][c] += a[8 * i + r] * b[8 * i + c];
  }
#pragma unroll
  for (int k = 0; k < 64; ++k) sums[k * 1024 + blockIdx.x * blockDim.x + threadIdx.x] = sum[k / 8][k % 8];
}

int main() {
  float *values, *sums;
  cudaMalloc(&values, 80 * sizeof(float));
  cudaMalloc(&sums, 64 * 1024 * sizeof(float));
  cudaMemset(values, 0, 80 * sizeof(float));
#ifdef ADVISED_FEWER
  add_products<<<2, 512>>>(sums, values, values, 10);
#else
  add_products<<<1, 1024>>>(sums, values, values, 10);
#endif
#ifdef ADVISED
  if (cudaGetLastError() != cudaSuccess) add_products<<<2, 512>>>(sums, values, values, 10);
#endif
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  cudaFree(values);
  cudaFree(sums);
  return fails;
}
// SPDX-License-Identifier: MIT
