// expect-finding: race 17
// expect-text: through the read-only cache (__ldg, const __restrict__) after block 0, thread
// advice: load it without __ldg and without const __restrict__
// The barrier orders the two accesses, but the cache for data that no thread writes may still hold what was there before.
#include <cuda_runtime.h>

__global__ void flip(const int* in, int* tmp, int* out) {
  const int t = threadIdx.x;
  const int before = tmp[127 - t];  // brings the line into the cache
  __syncthreads();
  tmp[t] = 4 * in[t] + before;
  __syncthreads();
#ifdef FIXED
  out[t] = tmp[127 - t];
#else
  // While the kernel runs, no thread may write what __ldg reads.
  out[t] = __ldg(&tmp[127 - t]);
#endif
}

int main() {
  int* data;
  cudaMalloc(&data, 3 * 128 * sizeof(int));
  cudaMemset(data, 0, 3 * 128 * sizeof(int));
  flip<<<1, 128>>>(data, data + 128, data + 256);
  cudaFree(data);
  return cudaDeviceSynchronize();
}
// SPDX-License-Identifier: MIT
