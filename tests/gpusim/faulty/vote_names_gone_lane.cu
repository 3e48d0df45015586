// expect-finding: shuffle 19
// expect-text: warp 0 calls a vote with the mask 0xffffffff, which names lanes 20 to 31
// advice: let every lane stay
// advice: (ADVISED) leave it out of the mask
// Lanes beyond the end of the input return before a vote of the whole warp.
#include <cuda_runtime.h>

__global__ void count_positive(const int* in, int n, int* count) {
  const int t = threadIdx.x;
#ifdef FIXED
  const bool is_positive = t < n && in[t] > 0;
#else
  if (t >= n) return;
  const bool is_positive = in[t] > 0;
#endif
#ifdef ADVISED
  const unsigned positive = __ballot_sync((1u << n) - 1, is_positive);
#else
  const unsigned positive = __ballot_sync(0xffffffffu, is_positive);
#endif
  if (t == 0) *count = __popc(positive);
}

int main() {
  int *d_in, *d_count;
  cudaMalloc(&d_in, 20 * sizeof(int));
  cudaMalloc(&d_count, sizeof(int));
  cudaMemset(d_in, 0, 20 * sizeof(int));
  count_positive<<<1, 32>>>(d_in, 20, d_count);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_count);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
