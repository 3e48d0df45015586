// Products of bytes and halves, added up, and the place of the n-th set bit: instructions that clang has no names for.
#pragma once

#define GPUSIM_DOT(name, instruction, A, B, C)                                                 \
  GPUSIM_INLINE C name(A a, B b, C c) {                                                        \
    C d;                                                                                       \
    asm(instruction " %0, %1, %2, %3;"                                                         \
        : "=r"(d)                                                                              \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)), "r"(c)); \
    return d;                                                                                  \
  }
GPUSIM_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
GPUSIM_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
GPUSIM_DOT(__dp4a, "dp4a.s32.s32", char4, char4, int)
GPUSIM_DOT(__dp4a, "dp4a.u32.u32", uchar4, uchar4, unsigned)
GPUSIM_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
GPUSIM_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
GPUSIM_DOT(__dp2a_lo, "dp2a.lo.s32.s32", short2, char4, int)
GPUSIM_DOT(__dp2a_lo, "dp2a.lo.u32.u32", ushort2, uchar4, unsigned)
GPUSIM_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
GPUSIM_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
GPUSIM_DOT(__dp2a_hi, "dp2a.hi.s32.s32", short2, char4, int)
GPUSIM_DOT(__dp2a_hi, "dp2a.hi.u32.u32", ushort2, uchar4, unsigned)
#undef GPUSIM_DOT

GPUSIM_INLINE unsigned __fns(unsigned mask, unsigned base, int offset) {
  unsigned place;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(place) : "r"(mask), "r"(base), "r"(offset));
  return place;
}
// SPDX-License-Identifier: MIT
