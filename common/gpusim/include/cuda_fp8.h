// Floats of 8 bits: __nv_fp8_e4m3 (4 bits of exponent, 3 of fraction; up to 448, no infinities) and __nv_fp8_e5m2 (up to 57344).
// They are only stored and converted. A conversion to 8 bits rounds once, to the nearest, ties to even. What is too large then
// becomes the largest number (__NV_SATFINITE, as in all constructors), or infinity, or NaN where there is no infinity
// (__NV_NOSAT). NVIDIA's "CUDA Math API" manual describes the functions.
#pragma once
#define __CUDA_FP8_H__
#define __CUDA_FP8_TYPES_EXIST__

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;  // the first number in the low byte
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

#define GPUSIM_FP8 static __inline__ __host__ __device__

// ---- To 8 bits.
GPUSIM_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(double a, __nv_saturation_t saturation,
                                                     __nv_fp8_interpretation_t kind) {
  typedef unsigned long long Bits;
  const bool e4m3 = kind == __NV_E4M3;
  const int fraction = e4m3 ? 3 : 2, lowest = e4m3 ? -6 : -14;  // bits; the least exponent of a normal number
  const unsigned largest = e4m3 ? 0x7e : 0x7b;
  const Bits bits = __builtin_bit_cast(Bits, a), size = bits & 0x7fffffffffffffffull;
  const unsigned sign = unsigned(bits >> 63) << 7;
  if (size > 0x7ff0000000000000ull) return __nv_fp8_storage_t(sign | (e4m3 ? 0x7f : 0x7e));
  const int exponent = int(size >> 52) - 1023;
  unsigned rounded = largest + 1;
  if (exponent < lowest - fraction - 1) {
    rounded = 0;  // less than half of the least number
  } else if (exponent < 16) {
    // The last place is worth 2^(scale - fraction); what lies under it decides the rounding.
    const int scale = exponent < lowest ? lowest : exponent, dropped = 52 - fraction + scale - exponent;
    const Bits whole = (size & 0xfffffffffffffull) | 0x10000000000000ull, half = Bits(1) << (dropped - 1);
    const Bits kept = whole >> dropped, rest = whole & (2 * half - 1);
    // A carry out of the fraction goes on into the exponent, whose leading 1 counts as one more.
    rounded = unsigned(kept) + (unsigned(scale - lowest) << fraction) +
              (rest > half || (rest == half && (kept & 1)));
  }
  if (rounded > largest) rounded = saturation == __NV_SATFINITE ? largest : e4m3 ? 0x7f : 0x7c;
  return __nv_fp8_storage_t(sign | rounded);
}
// Every NaN is the same from here on: it has no sign.
GPUSIM_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(float a, __nv_saturation_t saturation,
                                                    __nv_fp8_interpretation_t kind) {
  if (a != a) return kind == __NV_E4M3 ? 0x7f : 0x7e;
  return __nv_cvt_double_to_fp8(double(a), saturation, kind);
}
GPUSIM_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw a, __nv_saturation_t saturation,
                                                      __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half2float(__half(a)), saturation, kind);
}
GPUSIM_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw a, __nv_saturation_t saturation,
                                                          __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(a)), saturation, kind);
}

// Two at a time.
#define GPUSIM_FP8_PAIR(name, Pair, one, Element)                                                         \
  GPUSIM_FP8 __nv_fp8x2_storage_t name(Pair a, __nv_saturation_t saturation,                              \
                                       __nv_fp8_interpretation_t kind) {                                  \
    return __nv_fp8x2_storage_t(one(Element{a.x}, saturation, kind) | one(Element{a.y}, saturation, kind) \
                                                                          << 8);                          \
  }
GPUSIM_FP8_PAIR(__nv_cvt_double2_to_fp8x2, double2, __nv_cvt_double_to_fp8, double)
GPUSIM_FP8_PAIR(__nv_cvt_float2_to_fp8x2, float2, __nv_cvt_float_to_fp8, float)
GPUSIM_FP8_PAIR(__nv_cvt_halfraw2_to_fp8x2, __half2_raw, __nv_cvt_halfraw_to_fp8, __half_raw)
GPUSIM_FP8_PAIR(__nv_cvt_bfloat16raw2_to_fp8x2, __nv_bfloat162_raw, __nv_cvt_bfloat16raw_to_fp8,
                __nv_bfloat16_raw)
#undef GPUSIM_FP8_PAIR

// ---- From 8 bits: exact, as half has all of these numbers.
GPUSIM_FP8 __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t a, __nv_fp8_interpretation_t kind) {
  const unsigned sign = (a & 0x80u) << 8, size = a & 0x7fu;
  if (size > (kind == __NV_E4M3 ? 0x7eu : 0x7cu)) return {0x7fff};
  if (kind == __NV_E5M2) return {(unsigned short)(sign | size << 8)};           // the upper half of a half
  if (size >= 8) return {(unsigned short)(sign | ((size << 7) + (8u << 10)))};  // exponents are 15 - 7 less
  // Less than 2^-6, in units of 2^-9. A half's denormal numbers are less still, so it has a leading 1.
  if (size == 0) return {(unsigned short)sign};
  const unsigned leading = size >= 4 ? 2 : size >= 2 ? 1 : 0;
  return {(unsigned short)(sign | (leading + 6) << 10 | ((size << (10 - leading)) & 0x3ffu))};
}
GPUSIM_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t a, __nv_fp8_interpretation_t kind) {
  return {__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(a), kind).x,
          __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(a >> 8), kind).x};
}

namespace gpusim::detail {
__host__ __device__ inline float fp8_to_float(__nv_fp8_storage_t a, __nv_fp8_interpretation_t kind) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(a, kind)));
}
// NaN is 0, and what T does not have is its nearest number.
template <class T>
__host__ __device__ inline T fp8_to_integer(float a) {
  const bool is_signed = T(-1) < T(0);
  const int bits = 8 * int(sizeof(T)) - (is_signed ? 1 : 0);
  const T high = T(~0ull >> (64 - bits)), low = is_signed ? T(-high - 1) : T(0);
  const float limit = 2.0f * float(1ull << (bits - 1));
  if (a != a) return T(0);
  return a >= limit ? high : a <= float(low) ? low : T(a);
}
}  // namespace gpusim::detail

// ---- The types. Constructors saturate.
#define GPUSIM_FP8_FROM_INTEGER(Type, kind, T) \
  explicit __host__ __device__ Type(T a) : __x(__nv_cvt_double_to_fp8(double(a), __NV_SATFINITE, kind)) {}
#define GPUSIM_FP8_TO_INTEGER(kind, T)                                                 \
  explicit __host__ __device__ operator T() const {                                    \
    return gpusim::detail::fp8_to_integer<T>(gpusim::detail::fp8_to_float(__x, kind)); \
  }
#define GPUSIM_FP8_TYPES(suffix, kind)                                                                       \
  struct __nv_fp8_##suffix {                                                                                 \
    __nv_fp8_storage_t __x;                                                                                  \
    __nv_fp8_##suffix() = default;                                                                           \
    explicit __host__ __device__ __nv_fp8_##suffix(float a)                                                  \
        : __x(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, kind)) {}                                             \
    explicit __host__ __device__ __nv_fp8_##suffix(double a)                                                 \
        : __x(__nv_cvt_double_to_fp8(a, __NV_SATFINITE, kind)) {}                                            \
    explicit __host__ __device__ __nv_fp8_##suffix(__half a)                                                 \
        : __x(__nv_cvt_halfraw_to_fp8(a, __NV_SATFINITE, kind)) {}                                           \
    explicit __host__ __device__ __nv_fp8_##suffix(__nv_bfloat16 a)                                          \
        : __x(__nv_cvt_bfloat16raw_to_fp8(a, __NV_SATFINITE, kind)) {}                                       \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, short)                                                  \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned short)                                         \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, int)                                                    \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned)                                               \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, long)                                                   \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned long)                                          \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, long long)                                              \
    GPUSIM_FP8_FROM_INTEGER(__nv_fp8_##suffix, kind, unsigned long long)                                     \
    explicit __host__ __device__ operator __half() const {                                                   \
      return __half(__nv_cvt_fp8_to_halfraw(__x, kind));                                                     \
    }                                                                                                        \
    explicit __host__ __device__ operator float() const { return gpusim::detail::fp8_to_float(__x, kind); }  \
    explicit __host__ __device__ operator double() const { return gpusim::detail::fp8_to_float(__x, kind); } \
    explicit __host__ __device__ operator __nv_bfloat16() const {                                            \
      return __float2bfloat16(gpusim::detail::fp8_to_float(__x, kind));                                      \
    }                                                                                                        \
    explicit __host__ __device__ operator bool() const { return (__x & 0x7f) != 0; }                         \
    GPUSIM_FP8_TO_INTEGER(kind, char)                                                                        \
    GPUSIM_FP8_TO_INTEGER(kind, signed char)                                                                 \
    GPUSIM_FP8_TO_INTEGER(kind, unsigned char)                                                               \
    GPUSIM_FP8_TO_INTEGER(kind, short)                                                                       \
    GPUSIM_FP8_TO_INTEGER(kind, unsigned short)                                                              \
    GPUSIM_FP8_TO_INTEGER(kind, int)                                                                         \
    GPUSIM_FP8_TO_INTEGER(kind, unsigned)                                                                    \
    GPUSIM_FP8_TO_INTEGER(kind, long)                                                                        \
    GPUSIM_FP8_TO_INTEGER(kind, unsigned long)                                                               \
    GPUSIM_FP8_TO_INTEGER(kind, long long)                                                                   \
    GPUSIM_FP8_TO_INTEGER(kind, unsigned long long)                                                          \
  };                                                                                                         \
  struct __align__(2) __nv_fp8x2_##suffix {                                                                  \
    __nv_fp8x2_storage_t __x;                                                                                \
    __nv_fp8x2_##suffix() = default;                                                                         \
    explicit __host__ __device__ __nv_fp8x2_##suffix(float2 a)                                               \
        : __x(__nv_cvt_float2_to_fp8x2(a, __NV_SATFINITE, kind)) {}                                          \
    explicit __host__ __device__ __nv_fp8x2_##suffix(double2 a)                                              \
        : __x(__nv_cvt_double2_to_fp8x2(a, __NV_SATFINITE, kind)) {}                                         \
    explicit __host__ __device__ __nv_fp8x2_##suffix(__half2 a)                                              \
        : __x(__nv_cvt_halfraw2_to_fp8x2(a, __NV_SATFINITE, kind)) {}                                        \
    explicit __host__ __device__ __nv_fp8x2_##suffix(__nv_bfloat162 a)                                       \
        : __x(__nv_cvt_bfloat16raw2_to_fp8x2(a, __NV_SATFINITE, kind)) {}                                    \
    explicit __host__ __device__ operator __half2() const {                                                  \
      return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, kind));                                                 \
    }                                                                                                        \
    explicit __host__ __device__ operator float2() const {                                                   \
      return make_float2(gpusim::detail::fp8_to_float(__nv_fp8_storage_t(__x), kind),                        \
                         gpusim::detail::fp8_to_float(__nv_fp8_storage_t(__x >> 8), kind));                  \
    }                                                                                                        \
  };                                                                                                         \
  struct __align__(4) __nv_fp8x4_##suffix {                                                                  \
    __nv_fp8x4_storage_t __x;                                                                                \
    __nv_fp8x4_##suffix() = default;                                                                         \
    explicit __host__ __device__ __nv_fp8x4_##suffix(float4 a)                                               \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(make_float2(a.x, a.y)),                                    \
                              __nv_fp8x2_##suffix(make_float2(a.z, a.w))) {}                                 \
    explicit __host__ __device__ __nv_fp8x4_##suffix(double4 a)                                              \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(make_double2(a.x, a.y)),                                   \
                              __nv_fp8x2_##suffix(make_double2(a.z, a.w))) {}                                \
    explicit __host__ __device__ __nv_fp8x4_##suffix(__half2 low, __half2 high)                              \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(low), __nv_fp8x2_##suffix(high)) {}                        \
    explicit __host__ __device__ __nv_fp8x4_##suffix(__nv_bfloat162 low, __nv_bfloat162 high)                \
        : __nv_fp8x4_##suffix(__nv_fp8x2_##suffix(low), __nv_fp8x2_##suffix(high)) {}                        \
    explicit __host__ __device__ operator float4() const {                                                   \
      return make_float4(gpusim::detail::fp8_to_float(__nv_fp8_storage_t(__x), kind),                        \
                         gpusim::detail::fp8_to_float(__nv_fp8_storage_t(__x >> 8), kind),                   \
                         gpusim::detail::fp8_to_float(__nv_fp8_storage_t(__x >> 16), kind),                  \
                         gpusim::detail::fp8_to_float(__nv_fp8_storage_t(__x >> 24), kind));                 \
    }                                                                                                        \
                                                                                                             \
   private:                                                                                                  \
    __host__ __device__ __nv_fp8x4_##suffix(__nv_fp8x2_##suffix low, __nv_fp8x2_##suffix high)               \
        : __x(low.__x | (__nv_fp8x4_storage_t)high.__x << 16) {}                                             \
  };
GPUSIM_FP8_TYPES(e4m3, __NV_E4M3)
GPUSIM_FP8_TYPES(e5m2, __NV_E5M2)
#undef GPUSIM_FP8_TYPES
#undef GPUSIM_FP8_TO_INTEGER
#undef GPUSIM_FP8_FROM_INTEGER
#undef GPUSIM_FP8

#if defined(__clang__)
#pragma clang attribute pop
#endif
// SPDX-License-Identifier: MIT
