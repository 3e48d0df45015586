// expect-finding: shuffle 15
// advice: let every lane stay
// Lanes beyond the end of the input return, and the others shuffle as if they were there.
#include <cuda_runtime.h>

__global__ void sum(const int* in, int n, int* out) {
  const int t = threadIdx.x;
#ifdef FIXED
  int v = t < n ? in[t] : 0;
#else
  if (t >= n) return;
  int v = in[t];
#endif
  for (int distance = 16; distance > 0; distance /= 2)
    v += __shfl_down_sync(0xffffffffu, v, distance);
  if (t == 0) *out = v;
}

int main() {
  int *d_in, *d_out;
  cudaMalloc(&d_in, 20 * sizeof(int));
  cudaMalloc(&d_out, sizeof(int));
  cudaMemset(d_in, 0, 20 * sizeof(int));
  sum<<<1, 32>>>(d_in, 20, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_in);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
