// Loads and stores with a cache hint: __ldg (read-only data cache), __ldcg, __ldcs, … T is any type of 1, 2,
// 4, 8 or 16 bytes; float4 is one 16-byte access. The simulator has no caches: a hint changes nothing but the
// mnemonic.
#pragma once

#define GPUSIM_CACHED_LOAD(name, hint, clobber)                                  \
  template <class T>                                                             \
  GPUSIM_INLINE T name(const T* p) {                                             \
    if constexpr (sizeof(T) == 16) {                                             \
      struct {                                                                   \
        unsigned w[4];                                                           \
      } v;                                                                       \
      asm volatile("ld.global" hint ".v4.u32 {%0, %1, %2, %3}, [%4];"            \
                   : "=r"(v.w[0]), "=r"(v.w[1]), "=r"(v.w[2]), "=r"(v.w[3])      \
                   : "l"(p)clobber);                                             \
      T value; /* no bit_cast: float4 has an operator= (vector_types.h) */       \
      __builtin_memcpy(&value, &v, sizeof value);                                \
      return value;                                                              \
    } else if constexpr (sizeof(T) == 8) {                                       \
      unsigned long long v;                                                      \
      asm volatile("ld.global" hint ".u64 %0, [%1];" : "=l"(v) : "l"(p)clobber); \
      T value;                                                                   \
      __builtin_memcpy(&value, &v, sizeof value);                                \
      return value;                                                              \
    } else if constexpr (sizeof(T) == 4) {                                       \
      unsigned v;                                                                \
      asm volatile("ld.global" hint ".u32 %0, [%1];" : "=r"(v) : "l"(p)clobber); \
      return __builtin_bit_cast(T, v);                                           \
    } else if constexpr (sizeof(T) == 2) {                                       \
      unsigned short v;                                                          \
      asm volatile("ld.global" hint ".u16 %0, [%1];" : "=h"(v) : "l"(p)clobber); \
      return __builtin_bit_cast(T, v);                                           \
    } else {                                                                     \
      static_assert(sizeof(T) == 1, #name " loads 1, 2, 4, 8 or 16 bytes");      \
      unsigned v;                                                                \
      asm volatile("ld.global" hint ".u8 %0, [%1];" : "=r"(v) : "l"(p)clobber);  \
      return __builtin_bit_cast(T, (unsigned char)v);                            \
    }                                                                            \
  }
GPUSIM_CACHED_LOAD(__ldg, ".nc", )
GPUSIM_CACHED_LOAD(__ldca, ".ca", : "memory")
GPUSIM_CACHED_LOAD(__ldcg, ".cg", : "memory")
GPUSIM_CACHED_LOAD(__ldcs, ".cs", : "memory")
GPUSIM_CACHED_LOAD(__ldlu, ".lu", : "memory")
GPUSIM_CACHED_LOAD(__ldcv, ".cv", : "memory")
#undef GPUSIM_CACHED_LOAD

#define GPUSIM_CACHED_STORE(name, hint)                                                                   \
  template <class T>                                                                                      \
  GPUSIM_INLINE void name(T* p, T value) {                                                                \
    if constexpr (sizeof(T) == 16) {                                                                      \
      struct Words {                                                                                      \
        unsigned w[4];                                                                                    \
      };                                                                                                  \
      Words v;                                                                                            \
      __builtin_memcpy(&v, &value, sizeof v);                                                             \
      asm volatile("st.global" hint ".v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.w[0]), "r"(v.w[1]), \
                   "r"(v.w[2]), "r"(v.w[3])                                                               \
                   : "memory");                                                                           \
    } else if constexpr (sizeof(T) == 8) {                                                                \
      unsigned long long v;                                                                               \
      __builtin_memcpy(&v, &value, sizeof v);                                                             \
      asm volatile("st.global" hint ".u64 [%0], %1;" ::"l"(p), "l"(v) : "memory");                        \
    } else if constexpr (sizeof(T) == 4) {                                                                \
      asm volatile("st.global" hint ".u32 [%0], %1;" ::"l"(p), "r"(__builtin_bit_cast(unsigned, value))   \
                   : "memory");                                                                           \
    } else if constexpr (sizeof(T) == 2) {                                                                \
      asm volatile("st.global" hint ".u16 [%0], %1;" ::"l"(p),                                            \
                   "h"(__builtin_bit_cast(unsigned short, value))                                         \
                   : "memory");                                                                           \
    } else {                                                                                              \
      static_assert(sizeof(T) == 1, #name " stores 1, 2, 4, 8 or 16 bytes");                              \
      asm volatile("st.global" hint ".u8 [%0], %1;" ::"l"(p),                                             \
                   "r"(unsigned(__builtin_bit_cast(unsigned char, value)))                                \
                   : "memory");                                                                           \
    }                                                                                                     \
  }
GPUSIM_CACHED_STORE(__stwb, ".wb")
GPUSIM_CACHED_STORE(__stcg, ".cg")
GPUSIM_CACHED_STORE(__stcs, ".cs")
GPUSIM_CACHED_STORE(__stwt, ".wt")
#undef GPUSIM_CACHED_STORE
// SPDX-License-Identifier: MIT
