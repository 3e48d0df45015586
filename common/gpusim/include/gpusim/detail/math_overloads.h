// What CUDA adds to the mathematical functions of clang's headers: min and max of every pair of arithmetic
// types, float overloads, and CUDA's own functions for the host.
#pragma once

#include <type_traits>

#define GPUSIM_MIN_MAX(where, T, A, B)                                                    \
  static __inline__ where constexpr T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
  static __inline__ where constexpr T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
GPUSIM_MIN_MAX(__host__, int, int, int)  // clang's headers have them for the device
GPUSIM_MIN_MAX(__host__ __device__, unsigned, unsigned, unsigned)
GPUSIM_MIN_MAX(__host__ __device__, unsigned, int, unsigned)
GPUSIM_MIN_MAX(__host__ __device__, unsigned, unsigned, int)
GPUSIM_MIN_MAX(__host__ __device__, long, long, long)
GPUSIM_MIN_MAX(__host__ __device__, unsigned long, unsigned long, unsigned long)
GPUSIM_MIN_MAX(__host__ __device__, unsigned long, long, unsigned long)
GPUSIM_MIN_MAX(__host__ __device__, unsigned long, unsigned long, long)
GPUSIM_MIN_MAX(__host__ __device__, long long, long long, long long)
GPUSIM_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, unsigned long long)
GPUSIM_MIN_MAX(__host__ __device__, unsigned long long, long long, unsigned long long)
GPUSIM_MIN_MAX(__host__ __device__, unsigned long long, unsigned long long, long long)
#undef GPUSIM_MIN_MAX

// A NaN gives way to a number: fmin, not <.
#define GPUSIM_FLOAT_MIN_MAX(T, A, B, f)                                                \
  static __inline__ __host__ __device__ T min(A a, B b) { return fmin##f(T(a), T(b)); } \
  static __inline__ __host__ __device__ T max(A a, B b) { return fmax##f(T(a), T(b)); }
GPUSIM_FLOAT_MIN_MAX(float, float, float, f)
GPUSIM_FLOAT_MIN_MAX(double, double, double, )
GPUSIM_FLOAT_MIN_MAX(double, float, double, )
GPUSIM_FLOAT_MIN_MAX(double, double, float, )
#undef GPUSIM_FLOAT_MIN_MAX

// CUDA's own functions for the host. The C library keeps adding functions of these names (glibc 2.41 has sinpi and cospi,
// 2.43 rsqrt). A template never clashes with such a declaration: where both fit, C++ prefers the library's function.
#define GPUSIM_HOST_FUNCTION(result, name, formula)                                                    \
  template <typename T>                                                                                \
  static __inline__ __host__ typename std::enable_if<std::is_arithmetic<T>::value, result>::type name( \
      T number) {                                                                                      \
    const double a = double(number);                                                                   \
    return result(formula);                                                                            \
  }
#define GPUSIM_AS_PRECISE typename std::conditional<std::is_same<T, float>::value, float, double>::type
GPUSIM_HOST_FUNCTION(GPUSIM_AS_PRECISE, rsqrt, 1.0 / sqrt(a))
GPUSIM_HOST_FUNCTION(GPUSIM_AS_PRECISE, sinpi, sin(remainder(a, 2.0) * M_PI))
GPUSIM_HOST_FUNCTION(GPUSIM_AS_PRECISE, cospi, cos(remainder(a, 2.0) * M_PI))
GPUSIM_HOST_FUNCTION(float, rsqrtf, 1.0f / sqrtf(float(a)))
GPUSIM_HOST_FUNCTION(float, sinpif, sin(remainder(a, 2.0) * M_PI))
GPUSIM_HOST_FUNCTION(float, cospif, cos(remainder(a, 2.0) * M_PI))
#undef GPUSIM_AS_PRECISE
#undef GPUSIM_HOST_FUNCTION

// name(float) that clang's headers declare and leave to NVIDIA's to define, or that only NVIDIA's have.
#define GPUSIM_FLOAT_OVERLOAD(T, name) \
  static __inline__ __device__ T name(float a) { return name##f(a); }
#define GPUSIM_FLOAT_OVERLOAD_2(name, B) \
  static __inline__ __device__ float name(float a, B b) { return name##f(a, b); }
GPUSIM_FLOAT_OVERLOAD(float, acosh)
GPUSIM_FLOAT_OVERLOAD(float, asinh)
GPUSIM_FLOAT_OVERLOAD(float, atanh)
GPUSIM_FLOAT_OVERLOAD(float, cbrt)
GPUSIM_FLOAT_OVERLOAD(float, cospi)
GPUSIM_FLOAT_OVERLOAD(float, erf)
GPUSIM_FLOAT_OVERLOAD(float, erfc)
GPUSIM_FLOAT_OVERLOAD(float, erfcx)
GPUSIM_FLOAT_OVERLOAD(float, exp10)
GPUSIM_FLOAT_OVERLOAD(float, exp2)
GPUSIM_FLOAT_OVERLOAD(float, expm1)
GPUSIM_FLOAT_OVERLOAD(float, lgamma)
GPUSIM_FLOAT_OVERLOAD(float, log1p)
GPUSIM_FLOAT_OVERLOAD(float, log2)
GPUSIM_FLOAT_OVERLOAD(float, logb)
GPUSIM_FLOAT_OVERLOAD(float, nearbyint)
GPUSIM_FLOAT_OVERLOAD(float, normcdf)
GPUSIM_FLOAT_OVERLOAD(float, rcbrt)
GPUSIM_FLOAT_OVERLOAD(float, rint)
GPUSIM_FLOAT_OVERLOAD(float, round)
GPUSIM_FLOAT_OVERLOAD(float, rsqrt)
GPUSIM_FLOAT_OVERLOAD(float, sinpi)
GPUSIM_FLOAT_OVERLOAD(float, tgamma)
GPUSIM_FLOAT_OVERLOAD(float, trunc)
GPUSIM_FLOAT_OVERLOAD(int, ilogb)
GPUSIM_FLOAT_OVERLOAD(long, lrint)
GPUSIM_FLOAT_OVERLOAD(long, lround)
GPUSIM_FLOAT_OVERLOAD(long long, llrint)
GPUSIM_FLOAT_OVERLOAD(long long, llround)
GPUSIM_FLOAT_OVERLOAD_2(copysign, float)
GPUSIM_FLOAT_OVERLOAD_2(fdim, float)
GPUSIM_FLOAT_OVERLOAD_2(fmax, float)
GPUSIM_FLOAT_OVERLOAD_2(fmin, float)
GPUSIM_FLOAT_OVERLOAD_2(hypot, float)
GPUSIM_FLOAT_OVERLOAD_2(nextafter, float)
GPUSIM_FLOAT_OVERLOAD_2(remainder, float)
GPUSIM_FLOAT_OVERLOAD_2(scalbln, long)
GPUSIM_FLOAT_OVERLOAD_2(scalbn, int)
#undef GPUSIM_FLOAT_OVERLOAD
#undef GPUSIM_FLOAT_OVERLOAD_2
static __inline__ __device__ float fma(float a, float b, float c) { return fmaf(a, b, c); }

// The quiet NaN that a text chooses, as libdevice reads it: digits are its low bits (0x…: of base 16, 0…: of base 8), and
// anything else chooses the first one.
static __inline__ __device__ double nan(const char* tag) {
  unsigned long long bits = 0;
  unsigned base = 10;
  if (*tag == '0') {
    base = (tag[1] | 32) == 'x' ? 16 : 8;
    tag += base == 16 ? 2 : 1;
  }
  for (; *tag; ++tag) {
    const unsigned letter = unsigned(*tag | 32) - 'a',
                   digit = letter < 6 ? letter + 10 : unsigned(*tag) - '0';
    if (digit >= base) return __longlong_as_double(0x7ff8000000000000ll);
    bits = bits * base + digit;
  }
  return __longlong_as_double((long long)(0x7ff8000000000000ull | (bits & 0x7ffffffffffffull)));
}
static __inline__ __device__ float nanf(const char*) { return __int_as_float(0x7fffffff); }
static __inline__ __device__ void sincos(float a, float* s, float* c) { sincosf(a, s, c); }
// SPDX-License-Identifier: MIT
