// expect-finding: race 15 22
// expect-finding: never written 22 maybe
// expect-text: nothing orders them: put __syncthreads() between writing and reading
// advice: put __syncthreads() between writing and reading
// advice: store there first, with __syncthreads() between storing and reading
// Two warps fill an array together; the first reads all of it, and waits for its own lanes only. It reads before the other has come
// so far, but what a barrier belongs between is writing and reading: each thread does this in that order.
#include <cuda_runtime.h>

__global__ void sum_rows(const int* in, int* out) {
  __shared__ int rows[128];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int k = t / 32 * 64 + t % 32; k < t / 32 * 64 + 64; k += 32)
    rows[k] = in[k];
#ifdef FIXED
  __syncthreads();
#else
  __syncwarp();
#endif
  if (t >= 32) return;
  out[t] = rows[4 * t] + rows[4 * t + 1] + rows[4 * t + 2] + rows[4 * t + 3];
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 128 * sizeof(int));
  cudaMalloc(&d_out, 32 * sizeof(int));
  cudaMemset(d_in, 0, 128 * sizeof(int));
  sum_rows<<<1, 64>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
