// expect-finding: misaligned 6
// A float4 must lie at a multiple of 16 bytes.
#include <cuda_runtime.h>

__global__ void sum_fours(const float* in, float* out) {
  const float4 v = reinterpret_cast<const float4*>(in)[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *d_in, *d_out;
  cudaMalloc(&d_in, 132 * sizeof(float));
  cudaMalloc(&d_out, 32 * sizeof(float));
  cudaMemset(d_in, 0, 132 * sizeof(float));
#ifdef FIXED
  const int first = 4;
#else
  const int first = 1;
#endif
  sum_fours<<<1, 32>>>(d_in + first, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
