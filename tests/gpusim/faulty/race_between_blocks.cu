// expect-finding: race 23
// expect-text: *total while block
// advice: make the update atomic (atomicAdd)
// advice: (ADVISED) let only one thread update this element
// Every block adds to one number, and not atomically.
#include <cuda_runtime.h>

#ifdef ADVISED
__device__ int counts[4];
__global__ void add_counts(int* total) {
  for (int count : counts) *total += count;
}
#endif

__global__ void count_positive(const int* in, int* total) {
  const int count = __syncthreads_count(in[blockIdx.x * blockDim.x + threadIdx.x] > 0);
  if (threadIdx.x != 0) return;
#ifdef FIXED
  atomicAdd(total, count);
#elif defined ADVISED
  counts[blockIdx.x] = count;
#else
  *total += count;
#endif
}

int main() {
  int *d_in, *d_total;
  cudaMalloc(&d_in, 128 * sizeof(int));
  cudaMalloc(&d_total, sizeof(int));
  cudaMemset(d_in, 1, 128 * sizeof(int));
  cudaMemset(d_total, 0, sizeof(int));
  count_positive<<<4, 32>>>(d_in, d_total);
#ifdef ADVISED
  add_counts<<<1, 1>>>(d_total);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_total);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
