// expect-finding: race 24
// advice: put __syncwarp() between writing and reading
// advice: put __syncwarp() between reading and writing
// The end of a reduction as it was written when a warp always ran in lockstep: volatile instead of a barrier.
#include <cuda_runtime.h>

__global__ void sum_64(const float* in, float* out) {
#ifdef FIXED
  __shared__ float tile[64];
#else
  __shared__ volatile float tile[64];
#endif
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  if (t < 32) {
    for (int distance = 32; distance > 0; distance /= 2) {
#ifdef FIXED
      const float other = tile[t + distance];
      __syncwarp();
      tile[t] += other;
      __syncwarp();
#else
      tile[t] += tile[t + distance];
#endif
    }
  }
  if (t == 0) *out = tile[0];
}

int main() {
  float *d_in, *d_out;
  cudaMalloc(&d_in, 64 * sizeof(float));
  cudaMalloc(&d_out, sizeof(float));
  cudaMemset(d_in, 0, 64 * sizeof(float));
  sum_64<<<1, 64>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
