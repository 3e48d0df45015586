// expect-finding: race 33 34 35 36 37
// advice: (ADVISED) put __syncwarp() between reading and writing
// The last warp unrolled without volatile and without __syncwarp: five sums, nothing between them.
#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* out) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (int distance = kBlock / 2; distance >= 32; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
#ifdef FIXED
  for (int distance = 16; distance >= 1; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
#elif defined ADVISED
  if (t < 32) {
    for (int distance = 16; distance >= 1; distance /= 2) {
      const float other = tile[t + distance];
      __syncwarp();
      tile[t] += other;
      __syncwarp();
    }
  }
#else
  if (t < 16) {
    tile[t] += tile[t + 16];
    tile[t] += tile[t + 8];
    tile[t] += tile[t + 4];
    tile[t] += tile[t + 2];
    tile[t] += tile[t + 1];
  }
#endif
  if (t == 0) *out = tile[0];
}

int main() {
  float *d_in, *d_out;
  cudaMalloc(&d_in, kBlock * sizeof(float));
  cudaMalloc(&d_out, sizeof(float));
  cudaMemset(d_in, 0, kBlock * sizeof(float));
  sum_tile<<<1, kBlock>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
