// make_char1 … make_double4.
#pragma once
#define __VECTOR_FUNCTIONS_H__  // programs ask whether it is there

#include "vector_types.h"

#define GPUSIM_MAKE_VECTOR(name, T)                                                                   \
  static __inline__ __host__ __device__ constexpr name##1 make_##name##1(T x) { return {x}; }         \
  static __inline__ __host__ __device__ constexpr name##2 make_##name##2(T x, T y) { return {x, y}; } \
  static __inline__ __host__ __device__ constexpr name##3 make_##name##3(T x, T y, T z) {             \
    return {x, y, z};                                                                                 \
  }                                                                                                   \
  static __inline__ __host__ __device__ constexpr name##4 make_##name##4(T x, T y, T z, T w) {        \
    return {x, y, z, w};                                                                              \
  }

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
// SPDX-License-Identifier: MIT
