// expect-finding: race 18
// advice: (ADVISED) put __syncwarp() between writing and reading
// The loop of a reduction with its barrier dropped "inside the last warp", as if a warp always ran in lockstep.
#include <cuda_runtime.h>

constexpr int kBlock = 256;

__global__ void sum_tile(const float* in, float* out) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  for (int distance = kBlock / 2; distance >= 1; distance /= 2) {
#ifdef FIXED
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
#else
    if (t < distance) tile[t] += tile[t + distance];
    if (distance > 16) __syncthreads();
#ifdef ADVISED
    else __syncwarp();
#endif
#endif
  }
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
