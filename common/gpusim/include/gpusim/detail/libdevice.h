// The part of NVIDIA's libdevice for which PTX has an instruction. clang's CUDA headers express sqrtf,
// __popc, __float2int_rz … as calls of __nv_sqrtf, __nv_popc, …; what is defined here becomes an instruction,
// the rest (sin, exp, pow …) stays a call that the host computes: execution/builtins.cpp.
#pragma once

#define GPUSIM_INLINE __device__ inline __attribute__((always_inline))

extern "C" {

// libdevice calls the roundings rn, rz, ru, rd; PTX and clang call them rn, rz, rp, rm.
#define GPUSIM_ROUNDED(name, ptx)                                                                           \
  GPUSIM_INLINE float __nv_fadd_##name(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }             \
  GPUSIM_INLINE float __nv_fsub_##name(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }            \
  GPUSIM_INLINE float __nv_fmul_##name(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }             \
  GPUSIM_INLINE float __nv_fdiv_##name(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }             \
  GPUSIM_INLINE float __nv_frcp_##name(float a) { return __nvvm_rcp_##ptx##_f(a); }                         \
  GPUSIM_INLINE float __nv_fsqrt_##name(float a) { return __nvvm_sqrt_##ptx##_f(a); }                       \
  GPUSIM_INLINE float __nv_fmaf_##name(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); } \
  GPUSIM_INLINE float __nv_fmaf_ieee_##name(float a, float b, float c) {                                    \
    return __nvvm_fma_##ptx##_f(a, b, c);                                                                   \
  }                                                                                                         \
  GPUSIM_INLINE double __nv_dadd_##name(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }          \
  GPUSIM_INLINE double __nv_dsub_##name(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }         \
  GPUSIM_INLINE double __nv_dmul_##name(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }          \
  GPUSIM_INLINE double __nv_ddiv_##name(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }          \
  GPUSIM_INLINE double __nv_drcp_##name(double a) { return __nvvm_rcp_##ptx##_d(a); }                       \
  GPUSIM_INLINE double __nv_dsqrt_##name(double a) { return __nvvm_sqrt_##ptx##_d(a); }                     \
  GPUSIM_INLINE double __nv_fma_##name(double a, double b, double c) {                                      \
    return __nvvm_fma_##ptx##_d(a, b, c);                                                                   \
  }                                                                                                         \
  GPUSIM_INLINE int __nv_float2int_##name(float a) { return __nvvm_f2i_##ptx(a); }                          \
  GPUSIM_INLINE unsigned __nv_float2uint_##name(float a) { return __nvvm_f2ui_##ptx(a); }                   \
  GPUSIM_INLINE long long __nv_float2ll_##name(float a) { return __nvvm_f2ll_##ptx(a); }                    \
  GPUSIM_INLINE unsigned long long __nv_float2ull_##name(float a) { return __nvvm_f2ull_##ptx(a); }         \
  GPUSIM_INLINE int __nv_double2int_##name(double a) { return __nvvm_d2i_##ptx(a); }                        \
  GPUSIM_INLINE unsigned __nv_double2uint_##name(double a) { return __nvvm_d2ui_##ptx(a); }                 \
  GPUSIM_INLINE long long __nv_double2ll_##name(double a) { return __nvvm_d2ll_##ptx(a); }                  \
  GPUSIM_INLINE unsigned long long __nv_double2ull_##name(double a) { return __nvvm_d2ull_##ptx(a); }       \
  GPUSIM_INLINE float __nv_double2float_##name(double a) { return __nvvm_d2f_##ptx(a); }                    \
  GPUSIM_INLINE float __nv_int2float_##name(int a) { return __nvvm_i2f_##ptx(a); }                          \
  GPUSIM_INLINE float __nv_uint2float_##name(unsigned a) { return __nvvm_ui2f_##ptx(a); }                   \
  GPUSIM_INLINE float __nv_ll2float_##name(long long a) { return __nvvm_ll2f_##ptx(a); }                    \
  GPUSIM_INLINE float __nv_ull2float_##name(unsigned long long a) { return __nvvm_ull2f_##ptx(a); }         \
  GPUSIM_INLINE double __nv_ll2double_##name(long long a) { return __nvvm_ll2d_##ptx(a); }                  \
  GPUSIM_INLINE double __nv_ull2double_##name(unsigned long long a) { return __nvvm_ull2d_##ptx(a); }

GPUSIM_ROUNDED(rn, rn)
GPUSIM_ROUNDED(rz, rz)
GPUSIM_ROUNDED(ru, rp)
GPUSIM_ROUNDED(rd, rm)
#undef GPUSIM_ROUNDED
GPUSIM_INLINE double __nv_int2double_rn(int a) { return a; }
GPUSIM_INLINE double __nv_uint2double_rn(unsigned a) { return a; }

// Bits.
GPUSIM_INLINE int __nv_float_as_int(float a) { return __builtin_bit_cast(int, a); }
GPUSIM_INLINE unsigned __nv_float_as_uint(float a) { return __builtin_bit_cast(unsigned, a); }
GPUSIM_INLINE float __nv_int_as_float(int a) { return __builtin_bit_cast(float, a); }
GPUSIM_INLINE float __nv_uint_as_float(unsigned a) { return __builtin_bit_cast(float, a); }
GPUSIM_INLINE unsigned long long __nv_double_as_longlong(double a) {
  return __builtin_bit_cast(unsigned long long, a);
}
GPUSIM_INLINE double __nv_longlong_as_double(long long a) { return __builtin_bit_cast(double, a); }
GPUSIM_INLINE int __nv_double2loint(double a) { return int(__builtin_bit_cast(unsigned long long, a)); }
GPUSIM_INLINE int __nv_double2hiint(double a) { return int(__builtin_bit_cast(unsigned long long, a) >> 32); }
GPUSIM_INLINE double __nv_hiloint2double(int hi, int lo) {
  return __builtin_bit_cast(double, (unsigned long long)(unsigned)hi << 32 | (unsigned)lo);
}
GPUSIM_INLINE int __nv_clz(int a) { return a ? __builtin_clz(a) : 32; }
GPUSIM_INLINE int __nv_clzll(long long a) { return a ? __builtin_clzll(a) : 64; }
GPUSIM_INLINE int __nv_ffs(int a) { return __builtin_ffs(a); }
GPUSIM_INLINE int __nv_ffsll(long long a) { return __builtin_ffsll(a); }
GPUSIM_INLINE int __nv_brev(int a) { return __builtin_bitreverse32(a); }
GPUSIM_INLINE long long __nv_brevll(long long a) { return __builtin_bitreverse64(a); }
GPUSIM_INLINE int __nv_byte_perm(int a, int b, int selector) { return __nvvm_prmt(a, b, selector); }

// Integers.
GPUSIM_INLINE int __nv_abs(int a) { return a < 0 ? -a : a; }
GPUSIM_INLINE long long __nv_llabs(long long a) { return a < 0 ? -a : a; }
GPUSIM_INLINE int __nv_min(int a, int b) { return a < b ? a : b; }
GPUSIM_INLINE int __nv_max(int a, int b) { return a > b ? a : b; }
GPUSIM_INLINE unsigned __nv_umin(unsigned a, unsigned b) { return a < b ? a : b; }
GPUSIM_INLINE unsigned __nv_umax(unsigned a, unsigned b) { return a > b ? a : b; }
GPUSIM_INLINE long long __nv_llmin(long long a, long long b) { return a < b ? a : b; }
GPUSIM_INLINE long long __nv_llmax(long long a, long long b) { return a > b ? a : b; }
GPUSIM_INLINE unsigned long long __nv_ullmin(unsigned long long a, unsigned long long b) {
  return a < b ? a : b;
}
GPUSIM_INLINE unsigned long long __nv_ullmax(unsigned long long a, unsigned long long b) {
  return a > b ? a : b;
}
GPUSIM_INLINE int __nv_mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
GPUSIM_INLINE unsigned __nv_umul24(unsigned a, unsigned b) { return __nvvm_mul24_ui(a, b); }
GPUSIM_INLINE int __nv_mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
GPUSIM_INLINE unsigned __nv_umulhi(unsigned a, unsigned b) { return __nvvm_mulhi_ui(a, b); }
GPUSIM_INLINE long long __nv_mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
GPUSIM_INLINE unsigned long long __nv_umul64hi(unsigned long long a, unsigned long long b) {
  return __nvvm_mulhi_ull(a, b);
}
GPUSIM_INLINE int __nv_sad(int a, int b, int c) { return __nvvm_sad_i(a, b, c); }
GPUSIM_INLINE unsigned __nv_usad(unsigned a, unsigned b, unsigned c) { return __nvvm_sad_ui(a, b, c); }
GPUSIM_INLINE int __nv_hadd(int a, int b) { return int(((long long)a + b) >> 1); }
GPUSIM_INLINE int __nv_rhadd(int a, int b) { return int(((long long)a + b + 1) >> 1); }
GPUSIM_INLINE int __nv_uhadd(unsigned a, unsigned b) { return int(((unsigned long long)a + b) >> 1); }
GPUSIM_INLINE unsigned __nv_urhadd(unsigned a, unsigned b) {
  return unsigned(((unsigned long long)a + b + 1) >> 1);
}

// Functions of floats that PTX computes, each for float and double.
GPUSIM_INLINE float __nv_fabsf(float a) { return __builtin_fabsf(a); }
GPUSIM_INLINE double __nv_fabs(double a) { return __builtin_fabs(a); }
GPUSIM_INLINE float __nv_fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
GPUSIM_INLINE double __nv_fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
GPUSIM_INLINE float __nv_fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
GPUSIM_INLINE double __nv_fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
GPUSIM_INLINE float __nv_floorf(float a) { return __nvvm_floor_f(a); }
GPUSIM_INLINE double __nv_floor(double a) { return __nvvm_floor_d(a); }
GPUSIM_INLINE float __nv_ceilf(float a) { return __nvvm_ceil_f(a); }
GPUSIM_INLINE double __nv_ceil(double a) { return __nvvm_ceil_d(a); }
GPUSIM_INLINE float __nv_truncf(float a) { return __nvvm_trunc_f(a); }
GPUSIM_INLINE double __nv_trunc(double a) { return __nvvm_trunc_d(a); }
GPUSIM_INLINE float __nv_sqrtf(float a) { return __nvvm_sqrt_rn_f(a); }
GPUSIM_INLINE double __nv_sqrt(double a) { return __nvvm_sqrt_rn_d(a); }
GPUSIM_INLINE float __nv_fmaf(float a, float b, float c) { return __nvvm_fma_rn_f(a, b, c); }
GPUSIM_INLINE double __nv_fma(double a, double b, double c) { return __nvvm_fma_rn_d(a, b, c); }
GPUSIM_INLINE float __nv_copysignf(float a, float b) { return __builtin_copysignf(a, b); }
GPUSIM_INLINE double __nv_copysign(double a, double b) { return __builtin_copysign(a, b); }
GPUSIM_INLINE float __nv_saturatef(float a) { return __nvvm_saturate_f(a); }
GPUSIM_INLINE float __nv_rsqrtf(float a) { return __nvvm_rsqrt_approx_f(a); }
GPUSIM_INLINE double __nv_rsqrt(double a) { return __nvvm_rcp_rn_d(__nvvm_sqrt_rn_d(a)); }
GPUSIM_INLINE float __nv_frsqrt_rn(float a) { return float(1.0 / __nvvm_sqrt_rn_d(a)); }
GPUSIM_INLINE int __nv_isnanf(float a) { return a != a; }
GPUSIM_INLINE int __nv_isnand(double a) { return a != a; }
GPUSIM_INLINE int __nv_isinff(float a) { return __builtin_fabsf(a) == __builtin_inff(); }
GPUSIM_INLINE int __nv_isinfd(double a) { return __builtin_fabs(a) == __builtin_inf(); }
GPUSIM_INLINE int __nv_finitef(float a) { return __builtin_fabsf(a) < __builtin_inff(); }
GPUSIM_INLINE int __nv_isfinited(double a) { return __builtin_fabs(a) < __builtin_inf(); }
GPUSIM_INLINE int __nv_signbitf(float a) { return __builtin_bit_cast(int, a) < 0; }
GPUSIM_INLINE int __nv_signbitd(double a) { return __builtin_bit_cast(long long, a) < 0; }

// The fast, approximate functions are one or two instructions of the special function unit.
GPUSIM_INLINE float __nv_fast_expf(float a) { return __nvvm_ex2_approx_f(a * 0x1.715476p+0f); }   // log2(e)
GPUSIM_INLINE float __nv_fast_exp10f(float a) { return __nvvm_ex2_approx_f(a * 0x1.a934fp+1f); }  // log2(10)
GPUSIM_INLINE float __nv_fast_log2f(float a) { return __nvvm_lg2_approx_f(a); }
GPUSIM_INLINE float __nv_fast_logf(float a) { return __nvvm_lg2_approx_f(a) * 0x1.62e43p-1f; }     // ln(2)
GPUSIM_INLINE float __nv_fast_log10f(float a) { return __nvvm_lg2_approx_f(a) * 0x1.344136p-2f; }  // log10(2)
GPUSIM_INLINE float __nv_fast_sinf(float a) { return __nvvm_sin_approx_f(a); }
GPUSIM_INLINE float __nv_fast_cosf(float a) { return __nvvm_cos_approx_f(a); }
GPUSIM_INLINE float __nv_fast_fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
GPUSIM_INLINE float __nv_fast_tanf(float a) {
  return __nvvm_div_approx_f(__nvvm_sin_approx_f(a), __nvvm_cos_approx_f(a));
}
GPUSIM_INLINE float __nv_fast_powf(float a, float b) {
  return __nvvm_ex2_approx_f(b * __nvvm_lg2_approx_f(a));
}
GPUSIM_INLINE void __nv_fast_sincosf(float a, float* s, float* c) {
  *s = __nvvm_sin_approx_f(a);
  *c = __nvvm_cos_approx_f(a);
}

// Functions with two results store them from here, so that the simulator sees the stores.
GPUSIM_INLINE void __nv_sincosf(float a, float* s, float* c) { *s = __nv_sinf(a), *c = __nv_cosf(a); }
GPUSIM_INLINE void __nv_sincos(double a, double* s, double* c) { *s = __nv_sin(a), *c = __nv_cos(a); }
GPUSIM_INLINE void __nv_sincospif(float a, float* s, float* c) { *s = __nv_sinpif(a), *c = __nv_cospif(a); }
GPUSIM_INLINE void __nv_sincospi(double a, double* s, double* c) { *s = __nv_sinpi(a), *c = __nv_cospi(a); }
GPUSIM_INLINE float __nv_modff(float a, float* whole) {
  *whole = __nvvm_trunc_f(a);
  return __builtin_copysignf(__nv_isinff(a) ? 0.0f : a - *whole, a);
}
GPUSIM_INLINE double __nv_modf(double a, double* whole) {
  *whole = __nvvm_trunc_d(a);
  return __builtin_copysign(__nv_isinfd(a) ? 0.0 : a - *whole, a);
}

}  // extern "C"
// SPDX-License-Identifier: MIT
