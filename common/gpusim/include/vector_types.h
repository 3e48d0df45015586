// char1 … double4 and dim3, with the alignment that nvcc gives them: it decides which loads become one
// access.
#pragma once

#include "gpusim/detail/host_defines.h"

#define GPUSIM_VECTOR_TYPES(name, T, align2, align4) \
  struct name##1 { T x; };                           \
  struct __align__(align2) name##2 { T x, y; };      \
  struct name##3 { T x, y, z; };                     \
  struct __align__(align4) name##4 { T x, y, z, w; };

GPUSIM_VECTOR_TYPES(char, signed char, 2, 4)
GPUSIM_VECTOR_TYPES(uchar, unsigned char, 2, 4)
GPUSIM_VECTOR_TYPES(short, short, 4, 8)
GPUSIM_VECTOR_TYPES(ushort, unsigned short, 4, 8)
GPUSIM_VECTOR_TYPES(int, int, 8, 16)
GPUSIM_VECTOR_TYPES(uint, unsigned int, 8, 16)
GPUSIM_VECTOR_TYPES(long, long int, 16, 16)
GPUSIM_VECTOR_TYPES(ulong, unsigned long int, 16, 16)
GPUSIM_VECTOR_TYPES(longlong, long long int, 16, 16)
GPUSIM_VECTOR_TYPES(ulonglong, unsigned long long int, 16, 16)
GPUSIM_VECTOR_TYPES(float, float, 8, 16)
GPUSIM_VECTOR_TYPES(double, double, 16, 16)
#undef GPUSIM_VECTOR_TYPES

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
