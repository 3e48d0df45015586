// expect-finding: race 18
// advice: use an atomic
// advice: (ADVISED) let one lane write it
// Lanes store different values to one place in one instruction: which one stays?
#include <cuda_runtime.h>

__global__ void find_negative(const int* in, int* out) {
  __shared__ int where;
  const int t = threadIdx.x;
  if (t == 0) where = 32;
  __syncthreads();
#ifdef FIXED
  if (in[t] < 0) atomicMin(&where, t);
#elif defined ADVISED
  const unsigned negative = __ballot_sync(0xffffffffu, in[t] < 0);
  if (t == __ffs(negative) - 1) where = t;
#else
  if (in[t] < 0) where = t;
#endif
  __syncthreads();
  if (t == 0) *out = where;
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0xff, 32 * sizeof(int));
  find_negative<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
