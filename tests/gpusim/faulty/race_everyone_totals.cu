// expect-finding: race 15 24
// advice: (ADVISED) put __syncthreads() between reading and writing
// After the tree only thread 0 reads the sum, so it may overwrite its element in the next round without a barrier. Here
// everyone reads it. The twin stays right only if the compiler leaves the load to thread 0.
#include <cuda_runtime.h>

constexpr int kBlock = 64, kRounds = 3;

__global__ void total_of_sums(const int* in, int* out) {
  __shared__ int tile[kBlock];
  const int t = threadIdx.x;

  int total = 0;
  for (int round = 0; round < kRounds; ++round) {
    tile[t] = in[round * kBlock + t];
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
      __syncthreads();
      if (t < stride) tile[t] += tile[t + stride];
    }
    __syncthreads();
#ifdef FIXED
    if (t == 0) total += tile[0];
#else
    total += tile[0];
#ifdef ADVISED
    __syncthreads();
#endif
#endif
  }
  if (t == 0) *out = total;
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, kRounds * kBlock * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, kRounds * kBlock * sizeof(int));
  total_of_sums<<<1, kBlock>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
