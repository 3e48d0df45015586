// expect-finding: shuffle 15
// expect-text: lane 8 of warp 0 reads from lane 16, which is not in the mask
// advice: read only from lanes that take part
// Half of the warp adds up, and reaches into the other half.
#include <cuda_runtime.h>

__global__ void sum_lower_half(const int* in, int* out) {
  const int t = threadIdx.x;
  int v = in[t];
  if (t < 16) {
#ifdef FIXED
    for (int distance = 8; distance > 0; distance /= 2) v += __shfl_down_sync(0x0000ffffu, v, distance, 16);
#else
    for (int distance = 8; distance > 0; distance /= 2)
      v += __shfl_down_sync(0x0000ffffu, v, distance);
#endif
  }
  if (t == 0) *out = v;
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 32 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, 32 * sizeof(int));
  sum_lower_half<<<1, 32>>>(d_in, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
