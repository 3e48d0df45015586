// expect: 0.5 3
// options: -std=c++17 -w
//
// A double becomes a float between braces: of that nvcc warns, in host code.
#include <cstdio>

struct Pair {
  float a;
  int b;
};
__global__ void fill(Pair* p, float a, int b) { *p = Pair{a, b}; }

int main(int argc, char**) {
  const double half = argc / 2.0;
  Pair *d, h = {half, 0};
  cudaMalloc(&d, sizeof h);
  fill<<<1, 1>>>(d, h.a, 3);
  cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("%g %d\n", h.a, h.b);
  cudaFree(d);
}
// SPDX-License-Identifier: MIT
