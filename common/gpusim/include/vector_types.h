// char1 … double4 and dim3, with the alignment that nvcc gives them: it decides which loads become one
// access.
#pragma once

#include "gpusim/detail/host_defines.h"

// nvcc copies 16 bytes with one instruction. clang would copy them in two halves, from and to local memory if need
// be; but it joins members that are copied one by one.
#if defined(__CUDA__)
#define GPUSIM_COPIES_MEMBERS_2(type)                                    \
  __host__ __device__ constexpr type& operator=(const type& other) {     \
    x = other.x, y = other.y;                                            \
    return *this;                                                        \
  }
#define GPUSIM_COPIES_MEMBERS_4(type)                                    \
  __host__ __device__ constexpr type& operator=(const type& other) {     \
    x = other.x, y = other.y, z = other.z, w = other.w;                  \
    return *this;                                                        \
  }
#else
#define GPUSIM_COPIES_MEMBERS_2(type)
#define GPUSIM_COPIES_MEMBERS_4(type)
#endif
#define GPUSIM_COPIES_WHOLE(type)

#define GPUSIM_VECTOR_TYPES(name, T, align2, copies2, align4, copies4)      \
  struct name##1 { T x; };                                                  \
  struct __align__(align2) name##2 { T x, y; copies2(name##2) };            \
  struct name##3 { T x, y, z; };                                            \
  struct __align__(align4) name##4 { T x, y, z, w; copies4(name##4) };

GPUSIM_VECTOR_TYPES(char, signed char, 2, GPUSIM_COPIES_WHOLE, 4, GPUSIM_COPIES_WHOLE)
GPUSIM_VECTOR_TYPES(uchar, unsigned char, 2, GPUSIM_COPIES_WHOLE, 4, GPUSIM_COPIES_WHOLE)
GPUSIM_VECTOR_TYPES(short, short, 4, GPUSIM_COPIES_WHOLE, 8, GPUSIM_COPIES_WHOLE)
GPUSIM_VECTOR_TYPES(ushort, unsigned short, 4, GPUSIM_COPIES_WHOLE, 8, GPUSIM_COPIES_WHOLE)
GPUSIM_VECTOR_TYPES(int, int, 8, GPUSIM_COPIES_WHOLE, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(uint, unsigned int, 8, GPUSIM_COPIES_WHOLE, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(long, long int, 16, GPUSIM_COPIES_MEMBERS_2, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(ulong, unsigned long int, 16, GPUSIM_COPIES_MEMBERS_2, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(longlong, long long int, 16, GPUSIM_COPIES_MEMBERS_2, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(ulonglong, unsigned long long int, 16, GPUSIM_COPIES_MEMBERS_2, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(float, float, 8, GPUSIM_COPIES_WHOLE, 16, GPUSIM_COPIES_MEMBERS_4)
GPUSIM_VECTOR_TYPES(double, double, 16, GPUSIM_COPIES_MEMBERS_2, 16, GPUSIM_COPIES_MEMBERS_4)
#undef GPUSIM_VECTOR_TYPES
#undef GPUSIM_COPIES_WHOLE
#undef GPUSIM_COPIES_MEMBERS_2
#undef GPUSIM_COPIES_MEMBERS_4

struct dim3 {
  unsigned int x, y, z;
  __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
