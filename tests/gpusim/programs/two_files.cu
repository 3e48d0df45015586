// with: two_files_kernels.cu
// expect: 2 translation units: 0 1 4 9 16
#include <cstdio>

void squares(int* d_out, int n);  // launches a kernel of the other file

static __global__ void negate(int* values, int n) {
  if (threadIdx.x < n) values[threadIdx.x] = -values[threadIdx.x];
}

int main() {
  int *d_out, out[5];
  cudaMalloc(&d_out, sizeof out);
  squares(d_out, 5);
  negate<<<1, 32>>>(d_out, 5);
  cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
  std::printf("2 translation units: %d %d %d %d %d\n", out[0], out[1], out[2], out[3], out[4]);
  cudaFree(d_out);
}
// SPDX-License-Identifier: MIT
