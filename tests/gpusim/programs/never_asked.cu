// expect: value 7
// expect-error: fill is launched with 2048 threads per block; a GPU takes at most 1024: invalid configuration argument; the program never asks for the error: call cudaGetLastError() after the launch
//
// A launch that is refused returns nothing: who never asks whether it was done is told so when the program ends, of the first one.
#include <cstdio>

__global__ void fill(int* p) { p[threadIdx.x] = 1; }

int main() {
  int *d, value = 7;
  cudaMalloc(&d, sizeof value);
  fill<<<dim3(1, 70000), 32>>>(d);  // refused, too; but the program asks, and ends well
  cudaGetLastError();
  cudaMemcpy(d, &value, sizeof value, cudaMemcpyHostToDevice);
  fill<<<1, 2048>>>(d);
  cudaMemcpy(d, &value, sizeof value, cudaMemcpyDeviceToHost);
  cudaMemcpy(&value, d, sizeof value, cudaMemcpyDeviceToHost);
  std::printf("value %d\n", value);
  cudaFree(d);
}
// SPDX-License-Identifier: MIT
