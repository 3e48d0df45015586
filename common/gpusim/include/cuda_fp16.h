// half and half2: numbers of 16 bits, 11 of them significant. On the device each operation is an instruction that rounds
// once; on the host it is computed in float, which rounds to the same. Functions (hexp, …) are those of float, rounded.
#pragma once
#define __CUDA_FP16_H__

#include "cuda_runtime.h"
#include "gpusim/detail/half_host.h"

#if defined(__clang__)
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
#endif

struct __half;
static __inline__ __host__ __device__ __half __float2half(float a);
static __inline__ __host__ __device__ __half __double2half(double a);
static __inline__ __host__ __device__ float __half2float(__half a);

struct __align__(2) __half_raw {
  unsigned short x;
};
struct __align__(4) __half2_raw {
  unsigned short x, y;
};

struct __align__(2) __half {
  __half() = default;
  __host__ __device__ constexpr __half(const __half_raw& raw) : __x(raw.x) {}
  __host__ __device__ __half(float a) { *this = __float2half(a); }
  __host__ __device__ __half(double a) { *this = __double2half(a); }
#define GPUSIM_HALF_INTEGER(T)                                          \
  __host__ __device__ __half(T a) { *this = __double2half(double(a)); } \
  __host__ __device__ operator T() const { return (T)__half2float(*this); }
  GPUSIM_HALF_INTEGER(short)
  GPUSIM_HALF_INTEGER(unsigned short)
  GPUSIM_HALF_INTEGER(int)
  GPUSIM_HALF_INTEGER(unsigned)
  GPUSIM_HALF_INTEGER(long)
  GPUSIM_HALF_INTEGER(unsigned long)
  GPUSIM_HALF_INTEGER(long long)
  GPUSIM_HALF_INTEGER(unsigned long long)
#undef GPUSIM_HALF_INTEGER
  __host__ __device__ operator float() const { return __half2float(*this); }
  __host__ __device__ operator signed char() const { return (signed char)(__half2float(*this)); }
  __host__ __device__ operator unsigned char() const { return (unsigned char)(__half2float(*this)); }
  __host__ __device__ operator char() const { return char(__half2float(*this)); }
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
  __host__ __device__ operator __half_raw() const { return {__x}; }
  template <class T>
  __host__ __device__ __half& operator=(T a) {
    return *this = __half(a);
  }

 protected:
  unsigned short __x;
};

struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(const __half& a, const __half& b) : x(a), y(b) {}
  __host__ __device__ __half2(const __half2_raw& raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
  __host__ __device__ operator __half2_raw() const { return {__half_raw(x).x, __half_raw(y).x}; }
};
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;

// ---- Conversions.
#if defined(__CUDA_ARCH__)
#define GPUSIM_TO_HALF(name, T, letter, rounding, ptx, towards)        \
  static __inline__ __host__ __device__ __half name(T a) {             \
    unsigned short d;                                                  \
    asm("cvt." rounding ".f16." ptx " %0, %1;" : "=h"(d) : letter(a)); \
    return __builtin_bit_cast(__half, d);                              \
  }
#define GPUSIM_FROM_HALF(name, T, letter, rounding, ptx, whole)                                           \
  static __inline__ __host__ __device__ T name(__half a) {                                                \
    T d;                                                                                                  \
    asm("cvt." rounding "." ptx ".f16 %0, %1;" : letter(d) : "h"(__builtin_bit_cast(unsigned short, a))); \
    return d;                                                                                             \
  }
#else
#define GPUSIM_TO_HALF(name, T, letter, rounding, ptx, towards)                                    \
  static __inline__ __host__ __device__ __half name(T a) {                                         \
    return __builtin_bit_cast(                                                                     \
        __half, gpusim::detail::narrow(double(a), 10, -14, 15, gpusim::detail::Towards::towards)); \
  }
#define GPUSIM_FROM_HALF(name, T, letter, rounding, ptx, whole)                            \
  static __inline__ __host__ __device__ T name(__half h) {                                 \
    return gpusim::detail::to_integer<T>(                                                  \
        whole(gpusim::detail::widen(__builtin_bit_cast(unsigned short, h), 10, -14, 15))); \
  }
#endif
#define GPUSIM_HALF_ROUNDINGS(T, name, letter, ptx)                 \
  GPUSIM_TO_HALF(__##name##2half_rn, T, letter, "rn", ptx, nearest) \
  GPUSIM_TO_HALF(__##name##2half_rz, T, letter, "rz", ptx, zero)    \
  GPUSIM_TO_HALF(__##name##2half_rd, T, letter, "rm", ptx, down)    \
  GPUSIM_TO_HALF(__##name##2half_ru, T, letter, "rp", ptx, up)
#define GPUSIM_HALF_WHOLE(T, name, letter, ptx)                           \
  GPUSIM_HALF_ROUNDINGS(T, name, letter, ptx)                             \
  GPUSIM_FROM_HALF(__half2##name##_rn, T, "=" letter, "rni", ptx, rintf)  \
  GPUSIM_FROM_HALF(__half2##name##_rz, T, "=" letter, "rzi", ptx, truncf) \
  GPUSIM_FROM_HALF(__half2##name##_rd, T, "=" letter, "rmi", ptx, floorf) \
  GPUSIM_FROM_HALF(__half2##name##_ru, T, "=" letter, "rpi", ptx, ceilf)
GPUSIM_HALF_ROUNDINGS(float, float, "f", "f32")
GPUSIM_HALF_WHOLE(short, short, "h", "s16")
GPUSIM_HALF_WHOLE(unsigned short, ushort, "h", "u16")
GPUSIM_HALF_WHOLE(int, int, "r", "s32")
GPUSIM_HALF_WHOLE(unsigned, uint, "r", "u32")
GPUSIM_HALF_WHOLE(long long, ll, "l", "s64")
GPUSIM_HALF_WHOLE(unsigned long long, ull, "l", "u64")
GPUSIM_TO_HALF(__double2half, double, "d", "rn", "f64", nearest)
#undef GPUSIM_HALF_ROUNDINGS
#undef GPUSIM_HALF_WHOLE
#undef GPUSIM_TO_HALF
#undef GPUSIM_FROM_HALF
static __inline__ __host__ __device__ __half __float2half(float a) { return __float2half_rn(a); }
static __inline__ __host__ __device__ float __half2float(__half a) {
#if defined(__CUDA_ARCH__)
  float d;
  asm("cvt.f32.f16 %0, %1;" : "=f"(d) : "h"(__builtin_bit_cast(unsigned short, a)));
  return d;
#else
  return gpusim::detail::widen(__builtin_bit_cast(unsigned short, a), 10, -14, 15);
#endif
}

// ---- Arithmetic.
#if defined(__CUDA_ARCH__)
#define GPUSIM_HALF_BINARY(name, name2, instruction, op)                                           \
  static __inline__ __host__ __device__ __half name(__half a, __half b) {                          \
    unsigned short d;                                                                              \
    asm(instruction ".f16 %0, %1, %2;"                                                             \
        : "=h"(d)                                                                                  \
        : "h"(__builtin_bit_cast(unsigned short, a)), "h"(__builtin_bit_cast(unsigned short, b))); \
    return __builtin_bit_cast(__half, d);                                                          \
  }                                                                                                \
  static __inline__ __host__ __device__ __half2 name2(__half2 a, __half2 b) {                      \
    unsigned d;                                                                                    \
    asm(instruction ".f16x2 %0, %1, %2;"                                                           \
        : "=r"(d)                                                                                  \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)));             \
    return __builtin_bit_cast(__half2, d);                                                         \
  }
#else
#define GPUSIM_HALF_BINARY(name, name2, instruction, op)                      \
  static __inline__ __host__ __device__ __half name(__half a, __half b) {     \
    const float d = __half2float(a) op __half2float(b);                       \
    const bool saturates = instruction[3] == '.';                             \
    return __float2half(!saturates ? d : d > 0 ? (d < 1 ? d : 1) : 0);        \
  }                                                                           \
  static __inline__ __host__ __device__ __half2 name2(__half2 a, __half2 b) { \
    return __half2(name(a.x, b.x), name(a.y, b.y));                           \
  }
#endif
GPUSIM_HALF_BINARY(__hadd, __hadd2, "add", +)
GPUSIM_HALF_BINARY(__hsub, __hsub2, "sub", -)
GPUSIM_HALF_BINARY(__hmul, __hmul2, "mul", *)
GPUSIM_HALF_BINARY(__hadd_sat, __hadd2_sat, "add.sat", +)
GPUSIM_HALF_BINARY(__hsub_sat, __hsub2_sat, "sub.sat", -)
GPUSIM_HALF_BINARY(__hmul_sat, __hmul2_sat, "mul.sat", *)
#undef GPUSIM_HALF_BINARY

#if defined(__CUDA_NO_HALF_OPERATORS__)
#define GPUSIM_NO_HALF_OPERATORS
#endif
#define GPUSIM_H __half
#define GPUSIM_H2 __half2
#define GPUSIM_H_NAME half
#define GPUSIM_H2_NAME half2
#define GPUSIM_H2_PLAIN half2
#define GPUSIM_FROM_ONE 2half2
#define GPUSIM_PTX "f16"
#define GPUSIM_FROM_FLOAT __float2half
#define GPUSIM_TO_FLOAT __half2float
#include "gpusim/detail/half_common.h"
#if defined(__CUDACC__)
GPUSIM_HALF_FMA(__hfma_sat, "fma.rn.sat")
GPUSIM_HALF_FMA2(__hfma2_sat, "fma.rn.sat")
#endif
#include "gpusim/detail/half_end.h"

#if defined(__CUDACC__)
static __inline__ __device__ __half htanh_approx(__half a) {
  unsigned short d;
  asm("tanh.approx.f16 %0, %1;" : "=h"(d) : "h"(__builtin_bit_cast(unsigned short, a)));
  return __builtin_bit_cast(__half, d);
}
static __inline__ __device__ __half2 h2tanh_approx(__half2 a) {
  unsigned d;
  asm("tanh.approx.f16x2 %0, %1;" : "=r"(d) : "r"(__builtin_bit_cast(unsigned, a)));
  return __builtin_bit_cast(__half2, d);
}
static __inline__ __device__ __half atomicAdd(__half* p, __half v) {
  unsigned short d;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;"
               : "=h"(d)
               : "l"(p), "h"(__builtin_bit_cast(unsigned short, v))
               : "memory");
  return __builtin_bit_cast(__half, d);
}
static __inline__ __device__ __half2 atomicAdd(__half2* p, __half2 v) {
  unsigned d;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(d)
               : "l"(p), "r"(__builtin_bit_cast(unsigned, v))
               : "memory");
  return __builtin_bit_cast(__half2, d);
}
#endif

#if defined(__clang__)
#pragma clang attribute pop
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
// SPDX-License-Identifier: MIT
