// expect-finding: never written 9 warning
// expect-text: does the grid cover all elements? If the host does not use the rest, copy less
// advice: (ADVISED) copy less
// The grid covers one half of an array, and the host copies all of it.
#include <cuda_runtime.h>

// The store is what the warning shows.
__global__ void fill(int* data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = 7;
}

int main() {
  int host[64], *data;
  cudaMalloc(&data, sizeof host);
#ifdef FIXED
  fill<<<2, 32>>>(data);
#else
  fill<<<1, 32>>>(data);
#endif
#ifdef ADVISED
  cudaMemcpy(host, data, sizeof host / 2, cudaMemcpyDeviceToHost);
#else
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
#endif
  cudaFree(data);
  return host[0] != 7;
}
// SPDX-License-Identifier: MIT
