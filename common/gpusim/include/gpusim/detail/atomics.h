// Atomic functions: one row per function and type, each in the scopes of the device (no suffix), the block
// and the system.
#pragma once

#define GPUSIM_ATOMIC_IN_SCOPES(name, T, operation, B)                                                \
  GPUSIM_INLINE T name(T* p, T v) { return (T)(__nvvm_atom_##operation((B*)p, (B)(v))); }             \
  GPUSIM_INLINE T name##_block(T* p, T v) { return (T)(__nvvm_atom_cta_##operation((B*)p, (B)(v))); } \
  GPUSIM_INLINE T name##_system(T* p, T v) { return (T)(__nvvm_atom_sys_##operation((B*)p, (B)(v))); }

GPUSIM_ATOMIC_IN_SCOPES(atomicAdd, int, add_gen_i, int)
GPUSIM_ATOMIC_IN_SCOPES(atomicAdd, unsigned, add_gen_i, int)
GPUSIM_ATOMIC_IN_SCOPES(atomicAdd, unsigned long long, add_gen_ll, long long)
GPUSIM_ATOMIC_IN_SCOPES(atomicAdd, float, add_gen_f, float)
GPUSIM_ATOMIC_IN_SCOPES(atomicAdd, double, add_gen_d, double)
GPUSIM_ATOMIC_IN_SCOPES(atomicExch, int, xchg_gen_i, int)
GPUSIM_ATOMIC_IN_SCOPES(atomicExch, unsigned, xchg_gen_i, int)
GPUSIM_ATOMIC_IN_SCOPES(atomicExch, unsigned long long, xchg_gen_ll, long long)
GPUSIM_ATOMIC_IN_SCOPES(atomicMin, int, min_gen_i, int)
GPUSIM_ATOMIC_IN_SCOPES(atomicMin, long long, min_gen_ll, long long)
GPUSIM_ATOMIC_IN_SCOPES(atomicMax, int, max_gen_i, int)
GPUSIM_ATOMIC_IN_SCOPES(atomicMax, long long, max_gen_ll, long long)
GPUSIM_ATOMIC_IN_SCOPES(atomicInc, unsigned, inc_gen_ui, unsigned)
GPUSIM_ATOMIC_IN_SCOPES(atomicDec, unsigned, dec_gen_ui, unsigned)
#define GPUSIM_ATOMIC_BITS(name, operation)                               \
  GPUSIM_ATOMIC_IN_SCOPES(name, int, operation##_gen_i, int)              \
  GPUSIM_ATOMIC_IN_SCOPES(name, unsigned, operation##_gen_i, int)         \
  GPUSIM_ATOMIC_IN_SCOPES(name, long long, operation##_gen_ll, long long) \
  GPUSIM_ATOMIC_IN_SCOPES(name, unsigned long long, operation##_gen_ll, long long)
GPUSIM_ATOMIC_BITS(atomicAnd, and)
GPUSIM_ATOMIC_BITS(atomicOr, or)
GPUSIM_ATOMIC_BITS(atomicXor, xor)
#undef GPUSIM_ATOMIC_BITS
#undef GPUSIM_ATOMIC_IN_SCOPES

// For unsigned minima and maxima at block or system scope, clang's builtins become signed instructions; hence the assembly.
#define GPUSIM_ATOMIC_ASM(name, T, instruction, registers)                                             \
  GPUSIM_INLINE T name(T* p, T v) {                                                                    \
    T old;                                                                                             \
    asm volatile(instruction " %0, [%1], %2;" : "=" registers(old) : "l"(p), registers(v) : "memory"); \
    return old;                                                                                        \
  }
#define GPUSIM_ATOMIC_UNSIGNED(name, operation, T, builtin, type, registers)                \
  GPUSIM_INLINE T name(T* p, T v) { return __nvvm_atom_##operation##_gen_##builtin(p, v); } \
  GPUSIM_ATOMIC_ASM(name##_block, T, "atom.cta." #operation "." type, registers)            \
  GPUSIM_ATOMIC_ASM(name##_system, T, "atom.sys." #operation "." type, registers)
GPUSIM_ATOMIC_UNSIGNED(atomicMin, min, unsigned, ui, "u32", "r")
GPUSIM_ATOMIC_UNSIGNED(atomicMin, min, unsigned long long, ull, "u64", "l")
GPUSIM_ATOMIC_UNSIGNED(atomicMax, max, unsigned, ui, "u32", "r")
GPUSIM_ATOMIC_UNSIGNED(atomicMax, max, unsigned long long, ull, "u64", "l")
#undef GPUSIM_ATOMIC_UNSIGNED
#undef GPUSIM_ATOMIC_ASM

// PTX has no subtraction; a float exchange is one of its bits.
#define GPUSIM_ATOMIC_DERIVED(scope)                                                                        \
  GPUSIM_INLINE int atomicSub##scope(int* p, int v) { return int(atomicAdd##scope((unsigned*)p, 0u - v)); } \
  GPUSIM_INLINE unsigned atomicSub##scope(unsigned* p, unsigned v) { return atomicAdd##scope(p, 0u - v); }  \
  GPUSIM_INLINE float atomicExch##scope(float* p, float v) {                                                \
    return __builtin_bit_cast(float, atomicExch##scope((int*)p, __builtin_bit_cast(int, v)));               \
  }
GPUSIM_ATOMIC_DERIVED()
GPUSIM_ATOMIC_DERIVED(_block)
GPUSIM_ATOMIC_DERIVED(_system)
#undef GPUSIM_ATOMIC_DERIVED

#define GPUSIM_ATOMIC_CAS(T, suffix, B)                                         \
  GPUSIM_INLINE T atomicCAS(T* p, T expected, T v) {                            \
    return (T)(__nvvm_atom_cas_gen_##suffix((B*)p, (B)(expected), (B)(v)));     \
  }                                                                             \
  GPUSIM_INLINE T atomicCAS_block(T* p, T expected, T v) {                      \
    return (T)(__nvvm_atom_cta_cas_gen_##suffix((B*)p, (B)(expected), (B)(v))); \
  }                                                                             \
  GPUSIM_INLINE T atomicCAS_system(T* p, T expected, T v) {                     \
    return (T)(__nvvm_atom_sys_cas_gen_##suffix((B*)p, (B)(expected), (B)(v))); \
  }
GPUSIM_ATOMIC_CAS(int, i, int)
GPUSIM_ATOMIC_CAS(unsigned, i, int)
GPUSIM_ATOMIC_CAS(long long, ll, long long)
GPUSIM_ATOMIC_CAS(unsigned long long, ll, long long)
#undef GPUSIM_ATOMIC_CAS
// SPDX-License-Identifier: MIT
