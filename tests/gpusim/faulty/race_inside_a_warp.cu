// expect-finding: race 17
// expect-finding: never written 17 maybe
// advice: (ADVISED) put __syncthreads() between writing and reading
// advice: (ADVISED) store there first, with __syncthreads() between storing and reading
// Lanes of one warp hand values on without __syncwarp().
#include <cuda_runtime.h>

__global__ void shift(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
#ifdef FIXED
  __syncwarp();
#elif defined ADVISED
  __syncthreads();
#endif
  out[t] = tile[(t + 1) % 32];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, 32 * sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
  shift<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
