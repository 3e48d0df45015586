// options: -std=c++17
// expect: as arguments 1 2 8 1
// expect: as values 3 4
// expect: for templates 2 16
// expect: in text reduce(fmaxf)
// expect: host 2 8
// expect: variables of such names 1
// Functions of <math.h> as arguments, initial values and template arguments: each is one function for nvcc, and two for clang.
#include <cmath>
#include <cstdio>

#define TEXT(function) "reduce(" #function ")"
#define KERNEL_OF(function) \
  __global__ void function##_kernel(float* out) { *out = function(*out); }
KERNEL_OF(sqrtf)

template <class F> __host__ __device__ float apply(float a, float b, F f) { return f(a, b); }
template <class F> __host__ __device__ float apply(F f, float a) { return f(a); }
template <float (*f)(float, float)> __device__ float folded(float a, float b) { return f(a, b); }

__global__ void calls(float* out) {
  out[0] = apply(1, 2, fminf);
  out[1] = apply(1, 2, &fmaxf);
  out[2] = apply(2, 3,  // a comment (with powf)
                 powf);
  out[3] = apply(expf, 0);
  auto larger = fmaxf;
  float (*root)(float) = sqrtf;
  out[4] = larger(out[0], 3);
  out[5] = root(16);
  out[6] = folded<fmaxf>(1, 2);
}

// Variables of such names hide the functions.
__global__ void variables(float* out) {
  float sinf, cosf;
  sincosf(0, &sinf, &cosf);
  *out = folded<fmaxf>(sinf, cosf);
}

int main() {
  float* out;
  cudaMallocManaged(&out, 9 * sizeof(float));
  calls<<<1, 1>>>(out);
  out[7] = 256;
  sqrtf_kernel<<<1, 1>>>(out + 7);
  variables<<<1, 1>>>(out + 8);
  cudaDeviceSynchronize();
  std::printf("as arguments %g %g %g %g\n", out[0], out[1], out[2], out[3]);
  std::printf("as values %g %g\nfor templates %g %g\n", out[4], out[5], out[6], out[7]);
  std::printf("in text %s\n", TEXT(fmaxf));
  std::printf("host %g %g\n", apply(1, 2, fmaxf), apply(2, 3, powf));
  std::printf("variables of such names %g\n", out[8]);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
