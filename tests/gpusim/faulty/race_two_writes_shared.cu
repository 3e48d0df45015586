// expect-finding: race 11 20
// advice: give each thread its own element
// advice: (ADVISED) put __syncthreads() between the two writes
// Two warps store into the same half of a tile.
#include <cuda_runtime.h>

__global__ void fill(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 32) {
    tile[t] = t;
  }
#ifdef ADVISED
  __syncthreads();
#endif
  if (t >= 32) {
#ifdef FIXED
    tile[t] = t;
#else
    tile[t - 32] = t;
#endif
  }
  __syncthreads();
  if (t < 32) out[t] = tile[t];
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof *out);
  fill<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
