// char1 … double4 and dim3, with the alignment that nvcc gives them: it decides which loads become one
// access.
#pragma once
#define __VECTOR_TYPES_H__  // programs ask whether it is there

#include "gpusim/detail/host_defines.h"

// nvcc copies 8 and 16 bytes with one instruction. clang copies member by member and joins the accesses at the end, but only if
// none of them has moved: if both sides of an `if` read v.x, clang reads it after them, separately from v.y. So assignments
// are declared as assignments of one vector. (A copy that initialises a variable cannot be given a body here, because an
// aggregate has no constructors. simcc/vectors.py makes it whole.)
#if defined(__CUDA_ARCH__)
#define GPUSIM_COPIES_VECTOR(type, T, count, align, ...)                                 \
  __host__ __device__ constexpr type& operator=(const type& other) {                     \
    typedef T Vector __attribute__((ext_vector_type(count), aligned(align), may_alias)); \
    if (__builtin_is_constant_evaluated()) __VA_ARGS__;                                  \
    else *(Vector*)this = *(const Vector*)&other;                                        \
    return *this;                                                                        \
  }
#else
#define GPUSIM_COPIES_VECTOR(type, T, count, align, ...)
#endif
#define GPUSIM_COPIES_MEMBERS(type, T, count, align, ...)

// In C, a struct's name stands alone only if a typedef says so.
#if defined(__cplusplus)
#define GPUSIM_NAMED_IN_C(name)
#else
#define GPUSIM_NAMED_IN_C(name)   \
  typedef struct name##1 name##1; \
  typedef struct name##2 name##2; \
  typedef struct name##3 name##3; \
  typedef struct name##4 name##4;
#endif

#define GPUSIM_VECTOR_TYPES(name, T, align2, COPIES_2, align4, COPIES_4)                \
  struct name##1 { T x; };                                                              \
  struct __align__(align2) name##2 {                                                    \
    T x, y;                                                                             \
    COPIES_2(name##2, T, 2, align2, x = other.x, y = other.y)                           \
  };                                                                                    \
  struct name##3 { T x, y, z; };                                                        \
  struct __align__(align4) name##4 {                                                    \
    T x, y, z, w;                                                                       \
    COPIES_4(name##4, T, 4, align4, x = other.x, y = other.y, z = other.z, w = other.w) \
  };                                                                                    \
  GPUSIM_NAMED_IN_C(name)

GPUSIM_VECTOR_TYPES(char, signed char, 2, GPUSIM_COPIES_MEMBERS, 4, GPUSIM_COPIES_MEMBERS)
GPUSIM_VECTOR_TYPES(uchar, unsigned char, 2, GPUSIM_COPIES_MEMBERS, 4, GPUSIM_COPIES_MEMBERS)
GPUSIM_VECTOR_TYPES(short, short, 4, GPUSIM_COPIES_MEMBERS, 8, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(ushort, unsigned short, 4, GPUSIM_COPIES_MEMBERS, 8, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(int, int, 8, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(uint, unsigned int, 8, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(long, long int, 16, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(ulong, unsigned long int, 16, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(longlong, long long int, 16, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(ulonglong, unsigned long long int, 16, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(float, float, 8, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
GPUSIM_VECTOR_TYPES(double, double, 16, GPUSIM_COPIES_VECTOR, 16, GPUSIM_COPIES_VECTOR)
#undef GPUSIM_VECTOR_TYPES
#undef GPUSIM_COPIES_MEMBERS
#undef GPUSIM_COPIES_VECTOR
#undef GPUSIM_NAMED_IN_C

struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
#if !defined(__cplusplus)
typedef struct dim3 dim3;
#endif
// SPDX-License-Identifier: MIT
