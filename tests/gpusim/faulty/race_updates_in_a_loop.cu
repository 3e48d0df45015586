// expect-finding: race 12
// expect-text: nothing orders their updates
// advice: use an atomic
// Threads of one block add to one element in a loop, in one statement.
#include <cuda_runtime.h>

__global__ void add(const int* in, int n, int* sum) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
#ifdef FIXED
    atomicAdd(sum, in[i]);
#else
    *sum += in[i];
#endif
}

int main() {
  constexpr int n = 256;
  int *in, *sum;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<1, 64>>>(in, n, sum);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(sum);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
