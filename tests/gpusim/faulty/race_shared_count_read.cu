// expect-finding: race 13 20
// advice: put __syncthreads() between
// advice: (ADVISED) make both atomic
// Every thread of a block counts in shared memory, and one stores the count without waiting for the others.
#include <cuda_runtime.h>

__global__ void count(const int* in, int* out) {
  __shared__ int positive;
  const int t = threadIdx.x;
  if (t == 0) positive = 0;
  __syncthreads();

  if (in[t] > 0) atomicAdd(&positive, 1);
#ifdef FIXED
  __syncthreads();
#endif
#ifdef ADVISED
  if (t == 0) *out = atomicAdd(&positive, 0);
#else
  if (t == 0) *out = positive;
#endif
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof *in);
  cudaMalloc(&out, sizeof *out);
  cudaMemset(in, 1, 64 * sizeof *in);
  count<<<1, 64>>>(in, out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
