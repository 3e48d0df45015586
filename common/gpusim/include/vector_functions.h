// make_char1 … make_double4.
#pragma once
#define __VECTOR_FUNCTIONS_H__  // programs ask whether it is there

#include "vector_types.h"

#if defined(__cplusplus)
#define GPUSIM_MAKES static __inline__ __host__ __device__ constexpr
#define GPUSIM_MADE(type, ...) {__VA_ARGS__}
#else
#define GPUSIM_MAKES static __inline__
#define GPUSIM_MADE(type, ...) \
  (type) { __VA_ARGS__ }
#endif
#define GPUSIM_MAKE_VECTOR(name, T)                                                            \
  GPUSIM_MAKES name##1 make_##name##1(T x) { return GPUSIM_MADE(name##1, x); }                 \
  GPUSIM_MAKES name##2 make_##name##2(T x, T y) { return GPUSIM_MADE(name##2, x, y); }         \
  GPUSIM_MAKES name##3 make_##name##3(T x, T y, T z) { return GPUSIM_MADE(name##3, x, y, z); } \
  GPUSIM_MAKES name##4 make_##name##4(T x, T y, T z, T w) { return GPUSIM_MADE(name##4, x, y, z, w); }

GPUSIM_MAKE_VECTOR(char, signed char)
GPUSIM_MAKE_VECTOR(uchar, unsigned char)
GPUSIM_MAKE_VECTOR(short, short)
GPUSIM_MAKE_VECTOR(ushort, unsigned short)
GPUSIM_MAKE_VECTOR(int, int)
GPUSIM_MAKE_VECTOR(uint, unsigned int)
GPUSIM_MAKE_VECTOR(long, long int)
GPUSIM_MAKE_VECTOR(ulong, unsigned long int)
GPUSIM_MAKE_VECTOR(longlong, long long int)
GPUSIM_MAKE_VECTOR(ulonglong, unsigned long long int)
GPUSIM_MAKE_VECTOR(float, float)
GPUSIM_MAKE_VECTOR(double, double)
#undef GPUSIM_MAKE_VECTOR
#undef GPUSIM_MADE
#undef GPUSIM_MAKES
// SPDX-License-Identifier: MIT
