// expect: 7
// options: -std=c++17 -w
//
// A macro that checks calls and returns nothing, in main: of that nvcc warns.
#include <cstdio>

#define CHECK(call) \
  if ((call) != cudaSuccess) return

__global__ void fill(int* p) { *p = 7; }

int main() {
  int *d, h = 0;
  CHECK(cudaMalloc(&d, sizeof h));
  fill<<<1, 1>>>(d);
  CHECK(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
  std::printf("%d\n", h);
  CHECK(cudaFree(d));
  return 0;
}
// SPDX-License-Identifier: MIT
