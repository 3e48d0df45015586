// expect: 42, as k<< <1, 1>> >(p) asks
// expect: shown: 3 lines 2
// expect: aligned: 0 0 0 0 0
// options: -std=c++17
//
// nvcc takes the brackets of a launch in two parts, and alignas behind CUDA's words; what only looks so stays as it is.
// clang-format off
#include <cstdio>
#include <vector>

#include "spaced_launches_kernels.cuh"

struct Shown { int value = 0; };
template <class T> Shown& operator<< (Shown& shown, T value) { shown.value += value; return shown; }

__global__ void add(int* p, int v) { *p += v; }
__device__ alignas(16) char in_memory[16];
__constant__ alignas(float4) char constants[16] = {};
extern __shared__ __align__(16) char dynamic[];

__global__ void addresses(int* p) {
  __shared__ alignas(8) char odd;
  __shared__ alignas(16) char before[3];
  alignas(16) __shared__ char after[3];
  odd = before[0] = after[0] = dynamic[0] = 0;
  const unsigned shared = unsigned(__cvta_generic_to_shared(before)) | unsigned(__cvta_generic_to_shared(after));
  p[0] = shared % 16;
  p[1] = __cvta_generic_to_shared(dynamic) % 16 + odd + before[0] + after[0] + dynamic[0];
  p[2] = int((unsigned long long)in_memory % 16);
  p[3] = int((unsigned long long)constants % 16);
  p[4] = __cvta_shared_to_generic(__cvta_generic_to_shared(before)) != (void*)before;
}

int main() {
  int *d, h[5] = {};
  cudaMalloc(&d, sizeof h);
  cudaMemset(d, 0, sizeof h);
  add<< <1, 1>> >(d, 20);
  add<<<1, dim3(1)>> >(d, 1);
  launch_twice(d);
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
  std::printf("%d, as k<< <1, 1>> >(p) asks\n", h[0]);  // and this is k<< <1, 1>> >(p), too

  Shown shown;
  operator<< <int>(shown, 3);
  std::vector<std::vector<std::vector<int>> > lines(2);
  std::printf("shown: %d lines %d\n", shown.value, int(lines.size()));

  addresses<<<1, 1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  std::printf("aligned: %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
  cudaFree(d);
}
// SPDX-License-Identifier: MIT
