// Complex numbers, as CUDA's C libraries have them: a float2 or a double2, and functions by name. Division and the
// absolute value scale first, so that nothing between overflows which the result does not.
#pragma once
#define CU_COMPLEX_H_

#include <math.h>

#include "vector_functions.h"

// clang-format off
#define GPUSIM_COMPLEX(Complex, T, suffix, sqrt, fabs, make_vector)                                                 \
  static __inline__ __host__ __device__ T cuCreal##suffix(Complex z) { return z.x; }                                \
  static __inline__ __host__ __device__ T cuCimag##suffix(Complex z) { return z.y; }                                \
  static __inline__ __host__ __device__ Complex make_##Complex(T real, T imaginary) {                               \
    return make_vector(real, imaginary);                                                                            \
  }                                                                                                                 \
  static __inline__ __host__ __device__ Complex cuConj##suffix(Complex z) { return make_vector(z.x, -z.y); }        \
  static __inline__ __host__ __device__ Complex cuCadd##suffix(Complex a, Complex b) {                              \
    return make_vector(a.x + b.x, a.y + b.y);                                                                       \
  }                                                                                                                 \
  static __inline__ __host__ __device__ Complex cuCsub##suffix(Complex a, Complex b) {                              \
    return make_vector(a.x - b.x, a.y - b.y);                                                                       \
  }                                                                                                                 \
  static __inline__ __host__ __device__ Complex cuCmul##suffix(Complex a, Complex b) {                              \
    return make_vector((a.x * b.x) - (a.y * b.y), (a.x * b.y) + (a.y * b.x));                                       \
  }                                                                                                                 \
  static __inline__ __host__ __device__ Complex cuCdiv##suffix(Complex a, Complex b) {                              \
    const T scale = (T)1 / (fabs(b.x) + fabs(b.y));                                                                 \
    const T ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;                                 \
    const T inverse = (T)1 / ((bx * bx) + (by * by));                                                               \
    return make_vector(((ax * bx) + (ay * by)) * inverse, ((ay * bx) - (ax * by)) * inverse);                       \
  }                                                                                                                 \
  static __inline__ __host__ __device__ T cuCabs##suffix(Complex z) {                                               \
    const T x = fabs(z.x), y = fabs(z.y), large = x > y ? x : y, small = x > y ? y : x;                             \
    if (large == 0 || large - large != 0) return x + y; /* 0, infinite or no number */                              \
    const T ratio = small / large;                                                                                  \
    return large * sqrt((T)1 + ratio * ratio);                                                                      \
  }                                                                                                                 \
  static __inline__ __host__ __device__ Complex cuCfma##suffix(Complex a, Complex b, Complex c) {                   \
    T real = (a.x * b.x) + c.x, imaginary = (a.x * b.y) + c.y;                                                      \
    real = -(a.y * b.y) + real;                                                                                     \
    imaginary = (a.y * b.x) + imaginary;                                                                            \
    return make_vector(real, imaginary);                                                                            \
  }
// clang-format on

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
GPUSIM_COMPLEX(cuFloatComplex, float, f, sqrtf, fabsf, make_float2)
GPUSIM_COMPLEX(cuDoubleComplex, double, , sqrt, fabs, make_double2)
#undef GPUSIM_COMPLEX

static __inline__ __host__ __device__ cuComplex make_cuComplex(float real, float imaginary) {
  return make_float2(real, imaginary);
}
static __inline__ __host__ __device__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return make_float2((float)z.x, (float)z.y);
}
static __inline__ __host__ __device__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) {
  return make_double2(z.x, z.y);
}
// SPDX-License-Identifier: MIT
