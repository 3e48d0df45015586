// __nv_bfloat16 and __nv_bfloat162: the upper 16 bits of a float. On the device each operation is an instruction that
// rounds once (sums and products are fma, as compute capability 8.0 has no others); on the host it is computed in float
// and rounded. Functions (hexp, …) are those of float, rounded.
#pragma once
#define __CUDA_BF16_H__

#include "cuda_runtime.h"
#include "gpusim/detail/half_host.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif

struct __nv_bfloat16;
static __inline__ __host__ __device__ __nv_bfloat16 __float2bfloat16(float a);
static __inline__ __host__ __device__ __nv_bfloat16 __double2bfloat16(double a);
static __inline__ __host__ __device__ float __bfloat162float(__nv_bfloat16 a);

struct __align__(2) __nv_bfloat16_raw {
  unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw {
  unsigned short x, y;
};

struct __align__(2) __nv_bfloat16 {
  __nv_bfloat16() = default;
  __host__ __device__ constexpr __nv_bfloat16(const __nv_bfloat16_raw& raw) : __x(raw.x) {}
  __host__ __device__ __nv_bfloat16(float a) { *this = __float2bfloat16(a); }
  __host__ __device__ __nv_bfloat16(double a) { *this = __double2bfloat16(a); }
#define GPUSIM_HALF_INTEGER(T)                                                     \
  __host__ __device__ __nv_bfloat16(T a) { *this = __double2bfloat16(double(a)); } \
  __host__ __device__ operator T() const { return (T)__bfloat162float(*this); }
  GPUSIM_HALF_INTEGER(short)
  GPUSIM_HALF_INTEGER(unsigned short)
  GPUSIM_HALF_INTEGER(int)
  GPUSIM_HALF_INTEGER(unsigned)
  GPUSIM_HALF_INTEGER(long)
  GPUSIM_HALF_INTEGER(unsigned long)
  GPUSIM_HALF_INTEGER(long long)
  GPUSIM_HALF_INTEGER(unsigned long long)
#undef GPUSIM_HALF_INTEGER
  __host__ __device__ operator float() const { return __bfloat162float(*this); }
  __host__ __device__ operator signed char() const { return (signed char)(__bfloat162float(*this)); }
  __host__ __device__ operator unsigned char() const { return (unsigned char)(__bfloat162float(*this)); }
  __host__ __device__ operator char() const { return char(__bfloat162float(*this)); }
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
  __host__ __device__ operator __nv_bfloat16_raw() const { return {__x}; }
  template <class T>
  __host__ __device__ __nv_bfloat16& operator=(T a) {
    return *this = __nv_bfloat16(a);
  }

 protected:
  unsigned short __x;
};

struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(const __nv_bfloat16& a, const __nv_bfloat16& b) : x(a), y(b) {}
  __host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw& raw)
      : x(__nv_bfloat16_raw{raw.x}), y(__nv_bfloat16_raw{raw.y}) {}
  __host__ __device__ operator __nv_bfloat162_raw() const {
    return {__nv_bfloat16_raw(x).x, __nv_bfloat16_raw(y).x};
  }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

// ---- Conversions.
static __inline__ __host__ __device__ float __bfloat162float(__nv_bfloat16 a) {
  return __builtin_bit_cast(float, unsigned(__builtin_bit_cast(unsigned short, a)) << 16);
}
#if defined(__CUDA_ARCH__)
#define GPUSIM_TO_BFLOAT(name, rounding, towards)                     \
  static __inline__ __host__ __device__ __nv_bfloat16 name(float a) { \
    unsigned short d;                                                 \
    asm("cvt." rounding ".bf16.f32 %0, %1;" : "=h"(d) : "f"(a));      \
    return __builtin_bit_cast(__nv_bfloat16, d);                      \
  }
#else
#define GPUSIM_TO_BFLOAT(name, rounding, towards)                                                         \
  static __inline__ __host__ __device__ __nv_bfloat16 name(float a) {                                     \
    return __builtin_bit_cast(__nv_bfloat16,                                                              \
                              gpusim::detail::narrow(a, 7, -126, 127, gpusim::detail::Towards::towards)); \
  }
#endif
GPUSIM_TO_BFLOAT(__float2bfloat16_rn, "rn", nearest)
GPUSIM_TO_BFLOAT(__float2bfloat16_rz, "rz", zero)
#undef GPUSIM_TO_BFLOAT
// If something was cut off, moves a truncated number to the next one away from zero, on the given side only.
static __inline__ __host__ __device__ __nv_bfloat16 __gpusim_away_from_zero(float a, bool away) {
  const unsigned short d = __builtin_bit_cast(unsigned short, __float2bfloat16_rz(a));
  const bool is_exact = (__builtin_bit_cast(unsigned, a) & 0xffff) == 0 || a != a;
  return __builtin_bit_cast(__nv_bfloat16, (unsigned short)(d + (away && !is_exact)));
}
static __inline__ __host__ __device__ __nv_bfloat16 __float2bfloat16_rd(float a) {
  return __gpusim_away_from_zero(a, a < 0);
}
static __inline__ __host__ __device__ __nv_bfloat16 __float2bfloat16_ru(float a) {
  return __gpusim_away_from_zero(a, a > 0);
}
static __inline__ __host__ __device__ __nv_bfloat16 __float2bfloat16(float a) {
  return __float2bfloat16_rn(a);
}
// By way of a float whose last bit says that something was lost, so that it is not rounded twice.
static __inline__ __host__ __device__ __nv_bfloat16 __double2bfloat16(double a) {
#if defined(__CUDA_ARCH__)
  const float truncated = __double2float_rz(a);
  if (double(truncated) == a || a != a) return __float2bfloat16_rn(truncated);
  return __float2bfloat16_rn(__builtin_bit_cast(float, __builtin_bit_cast(unsigned, truncated) | 1u));
#else
  return __builtin_bit_cast(__nv_bfloat16,
                            gpusim::detail::narrow(a, 7, -126, 127, gpusim::detail::Towards::nearest));
#endif
}
#define GPUSIM_BFLOAT_WHOLE(T, name, suffix, whole)                                       \
  static __inline__ __host__ __device__ T __bfloat162##name##_##suffix(__nv_bfloat16 h) { \
    const float a = whole(__bfloat162float(h));                                           \
    return gpusim::detail::to_integer<T>(a);                                              \
  }
#define GPUSIM_BFLOAT_INTEGER(T, name)                                              \
  GPUSIM_BFLOAT_WHOLE(T, name, rn, rintf)                                           \
  GPUSIM_BFLOAT_WHOLE(T, name, rz, truncf)                                          \
  GPUSIM_BFLOAT_WHOLE(T, name, rd, floorf)                                          \
  GPUSIM_BFLOAT_WHOLE(T, name, ru, ceilf)                                           \
  static __inline__ __host__ __device__ __nv_bfloat16 __##name##2bfloat16_rn(T a) { \
    return __double2bfloat16(double(a));                                            \
  }
GPUSIM_BFLOAT_INTEGER(short, short)
GPUSIM_BFLOAT_INTEGER(unsigned short, ushort)
GPUSIM_BFLOAT_INTEGER(int, int)
GPUSIM_BFLOAT_INTEGER(unsigned, uint)
#undef GPUSIM_BFLOAT_INTEGER
#undef GPUSIM_BFLOAT_WHOLE

// ---- Arithmetic: a + b is a * 1 + b, a - b is b * -1 + a, a * b is a * b + -0.
#if defined(__CUDA_ARCH__)
#define GPUSIM_BFLOAT_BINARY(name, name2, one, two, three, op)                                     \
  static __inline__ __host__ __device__ __nv_bfloat16 name(__nv_bfloat16 x, __nv_bfloat16 y) {     \
    const unsigned short a = __builtin_bit_cast(unsigned short, x),                                \
                         b = __builtin_bit_cast(unsigned short, y);                                \
    const unsigned short plus_one = 0x3f80, minus_one = 0xbf80, minus_zero = 0x8000;               \
    (void)plus_one, (void)minus_one, (void)minus_zero;                                             \
    unsigned short d;                                                                              \
    asm("fma.rn.bf16 %0, %1, %2, %3;" : "=h"(d) : "h"(one), "h"(two), "h"(three));                 \
    return __builtin_bit_cast(__nv_bfloat16, d);                                                   \
  }                                                                                                \
  static __inline__ __host__ __device__ __nv_bfloat162 name2(__nv_bfloat162 x, __nv_bfloat162 y) { \
    const unsigned a = __builtin_bit_cast(unsigned, x), b = __builtin_bit_cast(unsigned, y);       \
    const unsigned plus_one = 0x3f803f80, minus_one = 0xbf80bf80, minus_zero = 0x80008000;         \
    (void)plus_one, (void)minus_one, (void)minus_zero;                                             \
    unsigned d;                                                                                    \
    asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(d) : "r"(one), "r"(two), "r"(three));               \
    return __builtin_bit_cast(__nv_bfloat162, d);                                                  \
  }
#else
#define GPUSIM_BFLOAT_BINARY(name, name2, one, two, three, op)                                     \
  static __inline__ __host__ __device__ __nv_bfloat16 name(__nv_bfloat16 a, __nv_bfloat16 b) {     \
    return __double2bfloat16(double(__bfloat162float(a)) op double(__bfloat162float(b)));          \
  }                                                                                                \
  static __inline__ __host__ __device__ __nv_bfloat162 name2(__nv_bfloat162 a, __nv_bfloat162 b) { \
    return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                         \
  }
#endif
GPUSIM_BFLOAT_BINARY(__hadd, __hadd2, a, plus_one, b, +)
GPUSIM_BFLOAT_BINARY(__hsub, __hsub2, b, minus_one, a, -)
GPUSIM_BFLOAT_BINARY(__hmul, __hmul2, a, b, minus_zero, *)
#undef GPUSIM_BFLOAT_BINARY

#if defined(__CUDA_NO_BFLOAT16_OPERATORS__)
#define GPUSIM_NO_HALF_OPERATORS
#endif
#define GPUSIM_H __nv_bfloat16
#define GPUSIM_H2 __nv_bfloat162
#define GPUSIM_H_NAME bfloat16
#define GPUSIM_H2_NAME bfloat162
#define GPUSIM_H2_PLAIN bfloat162
#define GPUSIM_FROM_ONE 2bfloat162
#define GPUSIM_PTX "bf16"
#define GPUSIM_FROM_FLOAT __float2bfloat16
#define GPUSIM_TO_FLOAT __bfloat162float
#include "gpusim/detail/half_common.h"
#include "gpusim/detail/half_end.h"

#if defined(__CUDACC__)
// Compute capability 8.0 has no atomic addition of bfloat16, so this swaps the value in until no other thread interferes.
static __inline__ __device__ __nv_bfloat162 atomicAdd(__nv_bfloat162* p, __nv_bfloat162 v) {
  unsigned* const word = (unsigned*)p;
  unsigned old = *(volatile unsigned*)word, expected;
  do {
    expected = old;
    const __nv_bfloat162 sum = __hadd2(__builtin_bit_cast(__nv_bfloat162, expected), v);
    old = atomicCAS(word, expected, __builtin_bit_cast(unsigned, sum));
  } while (old != expected);
  return __builtin_bit_cast(__nv_bfloat162, old);
}
static __inline__ __device__ __nv_bfloat16 atomicAdd(__nv_bfloat16* p, __nv_bfloat16 v) {
  unsigned short old = *(volatile unsigned short*)p, expected;
  do {
    expected = old;
    const __nv_bfloat16 sum = __hadd(__builtin_bit_cast(__nv_bfloat16, expected), v);
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;"
                 : "=h"(old)
                 : "l"(p), "h"(expected), "h"(__builtin_bit_cast(unsigned short, sum))
                 : "memory");
  } while (old != expected);
  return __builtin_bit_cast(__nv_bfloat16, old);
}
#endif

#if defined(__clang__)
#pragma clang attribute pop
#endif

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
// SPDX-License-Identifier: MIT
