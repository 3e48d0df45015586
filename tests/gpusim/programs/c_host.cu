// with: c_host_main.c
// with: c_host_states.cpp
// options: -std=c++17 -lcublas -lcurand
// expect: C: 0 1 4 9, float4 16 bytes, dim3 4 1 1, |3 + 4i| = 5
// expect: enumerators 7 23 115 17 20, runtime of cuBLAS 1
// expect: allocation 1 256
// expect: C++: 8 states, different 1
// Host code of a program in C and in C++, which are compiled without kernels, and kernels next to them.
#include <curand_kernel.h>

extern "C" void square(float* values, int n);
void first_numbers(curandState* states, unsigned* out, int n);

static __global__ void squares(float* values, int n) {
  if (threadIdx.x < n) values[threadIdx.x] = float(threadIdx.x * threadIdx.x);
}
void square(float* values, int n) { squares<<<1, 32>>>(values, n); }

static __global__ void draw(curandState* states, unsigned* out, int n) {
  if (threadIdx.x >= n) return;
  curand_init(42, threadIdx.x, 0, &states[threadIdx.x]);
  out[threadIdx.x] = curand(&states[threadIdx.x]);
}
void first_numbers(curandState* states, unsigned* out, int n) { draw<<<1, 32>>>(states, out, n); }
// SPDX-License-Identifier: MIT
