// What half and bfloat16 have in common. cuda_fp16.h and cuda_bf16.h include it with these names defined:
//
//   GPUSIM_H, GPUSIM_H2        the types: __half, __half2
//   GPUSIM_H_NAME, _H2_NAME    as functions have them: half in __float2half, half2 in __floats2half2_rn
//   GPUSIM_PTX                 as instructions have them: "f16"
//   GPUSIM_FROM_FLOAT, …       the conversions from and to float
//
// The arithmetic of each type's own header comes first: __hadd, __hsub, __hmul, their pairs; and conversions from float.
#define GPUSIM_JOIN_(a, b, c) a##b##c
#define GPUSIM_JOIN(a, b, c) GPUSIM_JOIN_(a, b, c)
#define GPUSIM_FN static __inline__ __attribute__((always_inline)) __host__ __device__
#define GPUSIM_DEVICE_FN static __inline__ __attribute__((always_inline)) __device__

// ---- Parts of pairs, and bits.
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(make_, GPUSIM_H2_PLAIN, )(GPUSIM_H x, GPUSIM_H y) { return GPUSIM_H2(x, y); }
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__halves2, GPUSIM_H2_NAME, )(GPUSIM_H a, GPUSIM_H b) {
  return GPUSIM_H2(a, b);
}
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__, GPUSIM_H_NAME, GPUSIM_FROM_ONE)(GPUSIM_H a) { return GPUSIM_H2(a, a); }
GPUSIM_FN GPUSIM_H GPUSIM_JOIN(__low2, GPUSIM_H_NAME, )(GPUSIM_H2 a) { return a.x; }
GPUSIM_FN GPUSIM_H GPUSIM_JOIN(__high2, GPUSIM_H_NAME, )(GPUSIM_H2 a) { return a.y; }
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__low2, GPUSIM_H2_NAME, )(GPUSIM_H2 a) { return GPUSIM_H2(a.x, a.x); }
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__high2, GPUSIM_H2_NAME, )(GPUSIM_H2 a) { return GPUSIM_H2(a.y, a.y); }
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__lows2, GPUSIM_H2_NAME, )(GPUSIM_H2 a, GPUSIM_H2 b) {
  return GPUSIM_H2(a.x, b.x);
}
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__highs2, GPUSIM_H2_NAME, )(GPUSIM_H2 a, GPUSIM_H2 b) {
  return GPUSIM_H2(a.y, b.y);
}
GPUSIM_FN GPUSIM_H2 __lowhigh2highlow(GPUSIM_H2 a) { return GPUSIM_H2(a.y, a.x); }
GPUSIM_FN unsigned short GPUSIM_JOIN(__, GPUSIM_H_NAME, _as_ushort)(GPUSIM_H a) {
  return __builtin_bit_cast(unsigned short, a);
}
GPUSIM_FN short GPUSIM_JOIN(__, GPUSIM_H_NAME, _as_short)(GPUSIM_H a) { return __builtin_bit_cast(short, a); }
GPUSIM_FN GPUSIM_H GPUSIM_JOIN(__ushort_as_, GPUSIM_H_NAME, )(unsigned short a) {
  return __builtin_bit_cast(GPUSIM_H, a);
}
GPUSIM_FN GPUSIM_H GPUSIM_JOIN(__short_as_, GPUSIM_H_NAME, )(short a) {
  return __builtin_bit_cast(GPUSIM_H, a);
}

// ---- Conversions.
GPUSIM_FN float __low2float(GPUSIM_H2 a) { return GPUSIM_TO_FLOAT(a.x); }
GPUSIM_FN float __high2float(GPUSIM_H2 a) { return GPUSIM_TO_FLOAT(a.y); }
GPUSIM_FN float2 GPUSIM_JOIN(__, GPUSIM_H2_NAME, 2float2)(GPUSIM_H2 a) {
  return make_float2(GPUSIM_TO_FLOAT(a.x), GPUSIM_TO_FLOAT(a.y));
}
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__float2, GPUSIM_H2_NAME, _rn)(float a) {
  return GPUSIM_H2(GPUSIM_FROM_FLOAT(a), GPUSIM_FROM_FLOAT(a));
}
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__floats2, GPUSIM_H2_NAME, _rn)(float a, float b) {
  return GPUSIM_H2(GPUSIM_FROM_FLOAT(a), GPUSIM_FROM_FLOAT(b));
}
GPUSIM_FN GPUSIM_H2 GPUSIM_JOIN(__float22, GPUSIM_H2_NAME, _rn)(float2 a) {
  return GPUSIM_H2(GPUSIM_FROM_FLOAT(a.x), GPUSIM_FROM_FLOAT(a.y));
}

// ---- Arithmetic that is made of other arithmetic.
GPUSIM_FN GPUSIM_H __hdiv(GPUSIM_H a, GPUSIM_H b) {
  return GPUSIM_FROM_FLOAT(GPUSIM_TO_FLOAT(a) / GPUSIM_TO_FLOAT(b));
}
GPUSIM_FN GPUSIM_H2 __h2div(GPUSIM_H2 a, GPUSIM_H2 b) {
  return GPUSIM_H2(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
GPUSIM_FN GPUSIM_H __hadd_rn(GPUSIM_H a, GPUSIM_H b) { return __hadd(a, b); }
GPUSIM_FN GPUSIM_H __hsub_rn(GPUSIM_H a, GPUSIM_H b) { return __hsub(a, b); }
GPUSIM_FN GPUSIM_H __hmul_rn(GPUSIM_H a, GPUSIM_H b) { return __hmul(a, b); }
GPUSIM_FN GPUSIM_H2 __hadd2_rn(GPUSIM_H2 a, GPUSIM_H2 b) { return __hadd2(a, b); }
GPUSIM_FN GPUSIM_H2 __hsub2_rn(GPUSIM_H2 a, GPUSIM_H2 b) { return __hsub2(a, b); }
GPUSIM_FN GPUSIM_H2 __hmul2_rn(GPUSIM_H2 a, GPUSIM_H2 b) { return __hmul2(a, b); }

// neg, abs, min, max and fma are instructions of both types.
#if defined(__CUDA_ARCH__)
#define GPUSIM_HALF_1(name, instruction, on_host)                                                      \
  GPUSIM_FN GPUSIM_H name(GPUSIM_H a) {                                                                \
    unsigned short d;                                                                                  \
    asm(instruction "." GPUSIM_PTX " %0, %1;" : "=h"(d) : "h"(__builtin_bit_cast(unsigned short, a))); \
    return __builtin_bit_cast(GPUSIM_H, d);                                                            \
  }                                                                                                    \
  GPUSIM_FN GPUSIM_H2 name##2(GPUSIM_H2 a) {                                                           \
    unsigned d;                                                                                        \
    asm(instruction "." GPUSIM_PTX "x2 %0, %1;" : "=r"(d) : "r"(__builtin_bit_cast(unsigned, a)));     \
    return __builtin_bit_cast(GPUSIM_H2, d);                                                           \
  }
#define GPUSIM_HALF_2(name, name2, instruction, on_host)                                           \
  GPUSIM_FN GPUSIM_H name(GPUSIM_H a, GPUSIM_H b) {                                                \
    unsigned short d;                                                                              \
    asm(instruction "." GPUSIM_PTX " %0, %1, %2;"                                                  \
        : "=h"(d)                                                                                  \
        : "h"(__builtin_bit_cast(unsigned short, a)), "h"(__builtin_bit_cast(unsigned short, b))); \
    return __builtin_bit_cast(GPUSIM_H, d);                                                        \
  }                                                                                                \
  GPUSIM_FN GPUSIM_H2 name2(GPUSIM_H2 a, GPUSIM_H2 b) {                                            \
    unsigned d;                                                                                    \
    asm(instruction "." GPUSIM_PTX "x2 %0, %1, %2;"                                                \
        : "=r"(d)                                                                                  \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)));             \
    return __builtin_bit_cast(GPUSIM_H2, d);                                                       \
  }
#else
#define GPUSIM_HALF_1(name, instruction, on_host) \
  GPUSIM_FN GPUSIM_H name(GPUSIM_H h) {           \
    const float a = GPUSIM_TO_FLOAT(h);           \
    return GPUSIM_FROM_FLOAT(on_host);            \
  }                                               \
  GPUSIM_FN GPUSIM_H2 name##2(GPUSIM_H2 a) { return GPUSIM_H2(name(a.x), name(a.y)); }
#define GPUSIM_HALF_2(name, name2, instruction, on_host)        \
  GPUSIM_FN GPUSIM_H name(GPUSIM_H h, GPUSIM_H g) {             \
    const float a = GPUSIM_TO_FLOAT(h), b = GPUSIM_TO_FLOAT(g); \
    return GPUSIM_FROM_FLOAT(on_host);                          \
  }                                                             \
  GPUSIM_FN GPUSIM_H2 name2(GPUSIM_H2 a, GPUSIM_H2 b) { return GPUSIM_H2(name(a.x, b.x), name(a.y, b.y)); }
#endif
GPUSIM_HALF_1(__hneg, "neg", -a)
GPUSIM_HALF_1(__habs, "abs", fabsf(a))
GPUSIM_HALF_2(__hmin, __hmin2, "min", fminf(a, b))
GPUSIM_HALF_2(__hmax, __hmax2, "max", fmaxf(a, b))
GPUSIM_HALF_2(__hmin_nan, __hmin2_nan, "min.NaN", a != a || b != b ? a + b : fminf(a, b))
GPUSIM_HALF_2(__hmax_nan, __hmax2_nan, "max.NaN", a != a || b != b ? a + b : fmaxf(a, b))

// ---- Comparisons. (…u: true for NaN, too.)
#define GPUSIM_HALF_COMPARE(name, condition)                                                \
  GPUSIM_FN bool __h##name(GPUSIM_H h, GPUSIM_H g) {                                        \
    const float a = GPUSIM_TO_FLOAT(h), b = GPUSIM_TO_FLOAT(g);                             \
    return condition;                                                                       \
  }                                                                                         \
  GPUSIM_FN bool __hb##name##2(GPUSIM_H2 a, GPUSIM_H2 b) {                                  \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                      \
  }                                                                                         \
  GPUSIM_FN GPUSIM_H2 __h##name##2(GPUSIM_H2 a, GPUSIM_H2 b) {                              \
    return GPUSIM_H2(GPUSIM_FROM_FLOAT(__h##name(a.x, b.x) ? 1.0f : 0.0f),                  \
                     GPUSIM_FROM_FLOAT(__h##name(a.y, b.y) ? 1.0f : 0.0f));                 \
  }                                                                                         \
  GPUSIM_FN unsigned __h##name##2_mask(GPUSIM_H2 a, GPUSIM_H2 b) {                          \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u); \
  }
GPUSIM_HALF_COMPARE(eq, a == b)
GPUSIM_HALF_COMPARE(ne, a<b || a> b)
GPUSIM_HALF_COMPARE(lt, a < b)
GPUSIM_HALF_COMPARE(le, a <= b)
GPUSIM_HALF_COMPARE(gt, a > b)
GPUSIM_HALF_COMPARE(ge, a >= b)
GPUSIM_HALF_COMPARE(equ, !(a < b || a > b))
GPUSIM_HALF_COMPARE(neu, a != b)
GPUSIM_HALF_COMPARE(ltu, !(a >= b))
GPUSIM_HALF_COMPARE(leu, !(a > b))
GPUSIM_HALF_COMPARE(gtu, !(a <= b))
GPUSIM_HALF_COMPARE(geu, !(a < b))
GPUSIM_FN bool __hisnan(GPUSIM_H a) { return __hneu(a, a); }
GPUSIM_FN int __hisinf(GPUSIM_H a) {
  const float f = GPUSIM_TO_FLOAT(a);
  return f == __builtin_inff() ? 1 : f == -__builtin_inff() ? -1 : 0;
}
GPUSIM_FN GPUSIM_H2 __hisnan2(GPUSIM_H2 a) { return __hneu2(a, a); }

// ---- Operators.
#if !defined(GPUSIM_NO_HALF_OPERATORS)
#define GPUSIM_HALF_OPERATOR(op, name, name2)                                                     \
  GPUSIM_FN GPUSIM_H operator op(const GPUSIM_H& a, const GPUSIM_H& b) { return name(a, b); }     \
  GPUSIM_FN GPUSIM_H& operator op##=(GPUSIM_H & a, const GPUSIM_H & b) { return a = name(a, b); } \
  GPUSIM_FN GPUSIM_H2 operator op(const GPUSIM_H2& a, const GPUSIM_H2& b) { return name2(a, b); } \
  GPUSIM_FN GPUSIM_H2& operator op##=(GPUSIM_H2 & a, const GPUSIM_H2 & b) { return a = name2(a, b); }
GPUSIM_HALF_OPERATOR(+, __hadd, __hadd2)
GPUSIM_HALF_OPERATOR(-, __hsub, __hsub2)
GPUSIM_HALF_OPERATOR(*, __hmul, __hmul2)
GPUSIM_HALF_OPERATOR(/, __hdiv, __h2div)
#undef GPUSIM_HALF_OPERATOR
#define GPUSIM_HALF_RELATION(op, name)                                                         \
  GPUSIM_FN bool operator op(const GPUSIM_H& a, const GPUSIM_H& b) { return __h##name(a, b); } \
  GPUSIM_FN bool operator op(const GPUSIM_H2& a, const GPUSIM_H2& b) { return __hb##name##2(a, b); }
GPUSIM_HALF_RELATION(==, eq)
GPUSIM_HALF_RELATION(!=, neu)
GPUSIM_HALF_RELATION(<, lt)
GPUSIM_HALF_RELATION(<=, le)
GPUSIM_HALF_RELATION(>, gt)
GPUSIM_HALF_RELATION(>=, ge)
#undef GPUSIM_HALF_RELATION
GPUSIM_FN GPUSIM_H operator+(const GPUSIM_H& a) { return a; }
GPUSIM_FN GPUSIM_H operator-(const GPUSIM_H& a) { return __hneg(a); }
GPUSIM_FN GPUSIM_H2 operator+(const GPUSIM_H2& a) { return a; }
GPUSIM_FN GPUSIM_H2 operator-(const GPUSIM_H2& a) { return __hneg2(a); }
GPUSIM_FN GPUSIM_H& operator++(GPUSIM_H& a) { return a = __hadd(a, GPUSIM_FROM_FLOAT(1.0f)); }
GPUSIM_FN GPUSIM_H& operator--(GPUSIM_H& a) { return a = __hsub(a, GPUSIM_FROM_FLOAT(1.0f)); }
GPUSIM_FN GPUSIM_H operator++(GPUSIM_H& a, int) {
  const GPUSIM_H before = a;
  ++a;
  return before;
}
GPUSIM_FN GPUSIM_H operator--(GPUSIM_H& a, int) {
  const GPUSIM_H before = a;
  --a;
  return before;
}
#endif

#if defined(__CUDACC__)  // the rest is for the device only
#define GPUSIM_HALF_FMA(name, instruction)                                                        \
  GPUSIM_DEVICE_FN GPUSIM_H name(GPUSIM_H a, GPUSIM_H b, GPUSIM_H c) {                            \
    unsigned short d;                                                                             \
    asm(instruction "." GPUSIM_PTX " %0, %1, %2, %3;"                                             \
        : "=h"(d)                                                                                 \
        : "h"(__builtin_bit_cast(unsigned short, a)), "h"(__builtin_bit_cast(unsigned short, b)), \
          "h"(__builtin_bit_cast(unsigned short, c)));                                            \
    return __builtin_bit_cast(GPUSIM_H, d);                                                       \
  }
#define GPUSIM_HALF_FMA2(name, instruction)                                           \
  GPUSIM_DEVICE_FN GPUSIM_H2 name(GPUSIM_H2 a, GPUSIM_H2 b, GPUSIM_H2 c) {            \
    unsigned d;                                                                       \
    asm(instruction "." GPUSIM_PTX "x2 %0, %1, %2, %3;"                               \
        : "=r"(d)                                                                     \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)), \
          "r"(__builtin_bit_cast(unsigned, c)));                                      \
    return __builtin_bit_cast(GPUSIM_H2, d);                                          \
  }
GPUSIM_HALF_FMA(__hfma, "fma.rn")
GPUSIM_HALF_FMA2(__hfma2, "fma.rn")
GPUSIM_HALF_FMA(__hfma_relu, "fma.rn.relu")
GPUSIM_HALF_FMA2(__hfma2_relu, "fma.rn.relu")

// ---- Functions: those of float, rounded.
#define GPUSIM_HALF_FUNCTION(name, expression)    \
  GPUSIM_DEVICE_FN GPUSIM_H h##name(GPUSIM_H h) { \
    const float a = GPUSIM_TO_FLOAT(h);           \
    return GPUSIM_FROM_FLOAT(expression);         \
  }                                               \
  GPUSIM_DEVICE_FN GPUSIM_H2 h2##name(GPUSIM_H2 a) { return GPUSIM_H2(h##name(a.x), h##name(a.y)); }
GPUSIM_HALF_FUNCTION(sqrt, sqrtf(a))
GPUSIM_HALF_FUNCTION(rsqrt, rsqrtf(a))
GPUSIM_HALF_FUNCTION(rcp, 1.0f / a)
GPUSIM_HALF_FUNCTION(log, logf(a))
GPUSIM_HALF_FUNCTION(log2, log2f(a))
GPUSIM_HALF_FUNCTION(log10, log10f(a))
GPUSIM_HALF_FUNCTION(exp, expf(a))
GPUSIM_HALF_FUNCTION(exp2, exp2f(a))
GPUSIM_HALF_FUNCTION(exp10, exp10f(a))
GPUSIM_HALF_FUNCTION(cos, cosf(a))
GPUSIM_HALF_FUNCTION(sin, sinf(a))
GPUSIM_HALF_FUNCTION(tanh, tanhf(a))
GPUSIM_HALF_FUNCTION(trunc, truncf(a))
GPUSIM_HALF_FUNCTION(ceil, ceilf(a))
GPUSIM_HALF_FUNCTION(floor, floorf(a))
GPUSIM_HALF_FUNCTION(rint, rintf(a))

// ---- Shuffles.
#define GPUSIM_HALF_SHUFFLE(name, Lane)                                                                 \
  GPUSIM_DEVICE_FN GPUSIM_H name(unsigned mask, GPUSIM_H value, Lane lane, int width = 32) {            \
    return __builtin_bit_cast(                                                                          \
        GPUSIM_H,                                                                                       \
        (unsigned short)name(mask, unsigned(__builtin_bit_cast(unsigned short, value)), lane, width));  \
  }                                                                                                     \
  GPUSIM_DEVICE_FN GPUSIM_H2 name(unsigned mask, GPUSIM_H2 value, Lane lane, int width = 32) {          \
    return __builtin_bit_cast(GPUSIM_H2, name(mask, __builtin_bit_cast(unsigned, value), lane, width)); \
  }
GPUSIM_HALF_SHUFFLE(__shfl_sync, int)
GPUSIM_HALF_SHUFFLE(__shfl_up_sync, unsigned)
GPUSIM_HALF_SHUFFLE(__shfl_down_sync, unsigned)
GPUSIM_HALF_SHUFFLE(__shfl_xor_sync, int)
#endif

#undef GPUSIM_HALF_1
#undef GPUSIM_HALF_2
#undef GPUSIM_HALF_COMPARE
#undef GPUSIM_HALF_FUNCTION
#undef GPUSIM_HALF_SHUFFLE
// SPDX-License-Identifier: MIT
