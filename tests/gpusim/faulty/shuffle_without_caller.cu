// expect-finding: shuffle 14
// advice: every calling lane must be in the mask, and every lane in the mask must call
// The whole warp calls the shuffle, but the mask names its lower half only.
#include <cuda_runtime.h>

__global__ void sum(const int* in, int* out) {
  int v = in[threadIdx.x];
#ifdef FIXED
  const unsigned mask = 0xffffffffu;
#else
  const unsigned mask = 0x0000ffffu;
#endif
  for (int distance = 8; distance > 0; distance /= 2)
    v += __shfl_down_sync(mask, v, distance, 16);
  if (threadIdx.x % 16 == 0) out[threadIdx.x / 16] = v;
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, 2 * sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
  sum<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
