// What each lane-wise instruction computes: pure functions on values, one line each where one line will do.
// No warp, no memory. The struct's name is the instruction's name in ptx/opcodes.def; an overload exists for exactly
// the types that the instruction has. Sections of the PTX ISA manual: "Integer Arithmetic", "Floating Point",
// "Comparison and Selection", "Logic and Shift".
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <limits>
#include <numbers>
#include <type_traits>

#include "base/base.h"
#include "lanes/mbarrier.h"
#include "ptx/program.h"

namespace gpusim::semantics {
namespace {  // compiled once per instruction set: must not be merged across object files

#define OP(name, mnemonic, shape, types, modifiers) struct name;
#include "ptx/opcodes.def"
#undef OP

template <class T>
concept Int = std::integral<T>;
template <class T>
concept Signed = std::signed_integral<T>;
template <class T>
concept Unsigned = std::unsigned_integral<T>;
template <class T>
concept Float = std::floating_point<T>;
template <class T>
concept Word = std::same_as<T, u32> || std::same_as<T, u64>;
template <class T> using U = std::make_unsigned_t<T>;

// Twice as wide, same signedness; 32-bit and narrower values promote first so that u16 × u16 cannot overflow an int.
template <class T> struct WiderOf;
template <> struct WiderOf<u16> {
  using type = u32;
};
template <> struct WiderOf<s16> {
  using type = s32;
};
template <> struct WiderOf<u32> {
  using type = u64;
};
template <> struct WiderOf<s32> {
  using type = s64;
};
template <> struct WiderOf<u64> {
  using type = unsigned __int128;
};
template <> struct WiderOf<s64> {
  using type = __int128;
};
template <class T> using Wider = typename WiderOf<T>::type;
template <class T> inline constexpr unsigned kBits = sizeof(T) * 8;

// Integers wrap: signed arithmetic is done unsigned, in at least 32 bits.
template <Int T> constexpr T wrap_add(T a, T b) { return T(u64(a) + u64(b)); }
template <Int T> constexpr T wrap_mul(T a, T b) { return T(u64(a) * u64(b)); }
template <Int T> constexpr T clamp_wide(Wider<T> v) {
  constexpr Wider<T> low = std::numeric_limits<T>::min(), high = std::numeric_limits<T>::max();
  return v < low ? T(low) : v > high ? T(high) : T(v);
}
template <Float T> constexpr T canonical_nan() {
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(0x7fffffffu);
  else return std::numeric_limits<T>::quiet_NaN();
}
// The low 24 bits, sign-extended for signed types.
template <Int T> constexpr T low24(T a) { return T(T(U<T>(a) << 8) >> 8); }

// ---- Arithmetic
struct add {
  template <Int T> static T apply(T a, T b) { return wrap_add(a, b); }
  template <Float T> static T apply(T a, T b) { return a + b; }
  static s32 saturate(s32 a, s32 b) { return clamp_wide<s32>(s64(a) + b); }
};
struct sub {
  template <Int T> static T apply(T a, T b) { return T(u64(a) - u64(b)); }
  template <Float T> static T apply(T a, T b) { return a - b; }
  static s32 saturate(s32 a, s32 b) { return clamp_wide<s32>(s64(a) - b); }
};
struct mul {
  template <Float T> static T apply(T a, T b) { return a * b; }
};
struct mul_lo {
  template <Int T> static T apply(T a, T b) { return wrap_mul(a, b); }
};
struct mul_hi {
  template <Int T> static T apply(T a, T b) { return T(Wider<T>(a) * Wider<T>(b) >> kBits<T>); }
};
struct mul_wide {
  template <Int T> static Wider<T> apply(T a, T b) { return Wider<T>(a) * Wider<T>(b); }
};
struct mul24_lo {
  template <Int T> static T apply(T a, T b) { return T(Wider<T>(low24(a)) * low24(b)); }
};
struct mul24_hi {
  template <Int T> static T apply(T a, T b) { return T(Wider<T>(low24(a)) * low24(b) >> 16); }
};
struct mad_lo {
  template <Int T> static T apply(T a, T b, T c) { return wrap_add(wrap_mul(a, b), c); }
};
struct mad_hi {
  template <Int T> static T apply(T a, T b, T c) { return wrap_add(mul_hi::apply(a, b), c); }
  static s32 saturate(s32 a, s32 b, s32 c) { return clamp_wide<s32>(s64(mul_hi::apply(a, b)) + c); }
};
struct mad_wide {
  template <Int T> static Wider<T> apply(T a, T b, Wider<T> c) { return wrap_add(mul_wide::apply(a, b), c); }
};
struct mad24_lo {
  template <Int T> static T apply(T a, T b, T c) { return wrap_add(mul24_lo::apply(a, b), c); }
};
struct mad24_hi {
  template <Int T> static T apply(T a, T b, T c) { return wrap_add(mul24_hi::apply(a, b), c); }
  static s32 saturate(s32 a, s32 b, s32 c) { return clamp_wide<s32>(s64(mul24_hi::apply(a, b)) + c); }
};
struct fma {
  template <Float T> static T apply(T a, T b, T c) {
    const T sum = std::fma(a, b, c), quiet = c + c;  // both, so that a loop over lanes has no branch
    return std::isnan(c) ? quiet : sum;              // of several NaNs, an H200 returns this one, quieted
  }
};
struct mad : fma {};
struct sad {
  template <Int T> static T apply(T a, T b, T c) {
    return T(u64(c) + (a < b ? u64(b) - u64(a) : u64(a) - u64(b)));
  }
};

// The sum of c and of the products of the parts of a and b: A and B say whether those are signed. dp4a: four bytes each;
// dp2a: the 16-bit halves of a, and the lower or upper two bytes of b.
template <class Part> constexpr s32 part_of(u32 word, u32 k) {
  return s32(Part(word >> (k * 8 * u32(sizeof(Part)))));
}
struct dp4a {
  template <class A, class B> static u32 apply(u32 a, u32 b, u32 c) {
    using PartA = std::conditional_t<Signed<A>, s8, u8>;
    using PartB = std::conditional_t<Signed<B>, s8, u8>;
    for (u32 k = 0; k < 4; ++k) c += u32(part_of<PartA>(a, k) * part_of<PartB>(b, k));
    return c;
  }
};
struct dp2a_lo {
  template <class A, class B> static u32 apply(u32 a, u32 b, u32 c) {
    using PartA = std::conditional_t<Signed<A>, s16, u16>;
    using PartB = std::conditional_t<Signed<B>, s8, u8>;
    for (u32 k = 0; k < 2; ++k) c += u32(part_of<PartA>(a, k) * part_of<PartB>(b, k));
    return c;
  }
};
struct dp2a_hi {
  template <class A, class B> static u32 apply(u32 a, u32 b, u32 c) {
    return dp2a_lo::apply<A, B>(a, b >> 16, c);
  }
};

// Extended precision: `carry` is the flag that goes in (0 for .cc alone) and the one that comes out. A subtraction adds the
// complement, so that its carry says that nothing was borrowed: as an H200 has it, where addc follows sub.cc.
template <Int T> constexpr T add_with(T a, T b, bool& carry) {
  const Wider<U<T>> sum = Wider<U<T>>(U<T>(a)) + U<T>(b) + carry;
  carry = sum >> kBits<T> & 1;
  return T(sum);
}
template <Int T> constexpr T subtract_with(T a, T b, bool& carry) { return add_with(a, T(~b), carry); }
struct add_cc {
  template <Int T> static T apply(T a, T b, bool& carry) { return add_with(a, b, carry); }
};
struct sub_cc {
  template <Int T> static T apply(T a, T b, bool& carry) {
    carry = true;  // nothing is borrowed yet
    return subtract_with(a, b, carry);
  }
};
struct addc : add_cc {};
struct subc {
  template <Int T> static T apply(T a, T b, bool& carry) { return subtract_with(a, b, carry); }
};
struct mad_lo_cc {
  template <Int T> static T apply(T a, T b, T c, bool& carry) { return add_with(wrap_mul(a, b), c, carry); }
};
struct mad_hi_cc {
  template <Int T> static T apply(T a, T b, T c, bool& carry) {
    return add_with(mul_hi::apply(a, b), c, carry);
  }
};
struct madc_lo : mad_lo_cc {};
struct madc_hi : mad_hi_cc {};

// a / b, where b is not 0, and not −1 for signed types. Processors divide vectors of doubles but not of integers. That is safe:
// the gap between a quotient of two 32-bit numbers and the next whole number is far larger than the rounding error of a double.
template <Int T> constexpr T quotient(T a, T b) { return T(a / b); }
inline s32 quotient(s32 a, s32 b) { return s32(double(a) / double(b)); }
inline u32 quotient(u32 a, u32 b) {
  constexpr double kHalf = 2147483648.0;  // doubles become signed integers, by vectors
  constexpr u32 kTop = 0x80000000u;
  const auto exact = [](u32 v) { return double(s32(v ^ kTop)) + kHalf; };
  return u32(s32(std::floor(exact(a) / exact(b)) - kHalf)) ^ kTop;
}
// Division by zero and its remainder give all ones: what an H200 does (the manual leaves it open).
struct div {
  template <Unsigned T> static T apply(T a, T b) {
    const T q = quotient(a, b ? b : T(1));
    return b ? q : T(~T(0));
  }
  template <Signed T> static T apply(T a, T b) {
    const T q = quotient(a, b == 0 || b == -1 ? T(1) : b);
    return b == 0 ? T(-1) : b == -1 ? T(-u64(a)) : q;
  }
  template <Float T> static T apply(T a, T b) { return a / b; }
};
struct rem {
  template <Unsigned T> static T apply(T a, T b) {
    const T q = quotient(a, b ? b : T(1));
    return b ? T(u64(a) - u64(q) * b) : T(~T(0));
  }
  template <Signed T> static T apply(T a, T b) {
    const T q = quotient(a, b == 0 || b == -1 ? T(1) : b);
    return b == 0 ? T(-1) : b == -1 ? T(0) : T(u64(a) - u64(q) * u64(b));
  }
};
struct div_approx {
  static float apply(float a, float b) { return a / b; }
};
struct div_full : div_approx {};

struct neg {
  template <Signed T> static T apply(T a) { return T(-u64(a)); }
  template <Float T> static T apply(T a) { return sizeof(T) == 4 && std::isnan(a) ? canonical_nan<T>() : -a; }
};
struct abs {
  template <Signed T> static T apply(T a) { return a < 0 ? T(-u64(a)) : a; }
  template <Float T> static T apply(T a) { return std::fabs(a); }
};

// Float: a number beats a NaN; −0 is less than +0. propagate (.NaN): a NaN beats a number.
struct min {
  template <Int T> static T apply(T a, T b) { return a < b ? a : b; }
  template <Float T> static T apply(T a, T b) {
    return a < b || std::isnan(b) ? a : b < a || std::isnan(a) ? b : std::signbit(a) ? a : b;
  }
  template <Float T> static T propagate(T a, T b) {
    return std::isnan(a) || std::isnan(b) ? canonical_nan<T>() : apply(a, b);
  }
};
struct max {
  template <Int T> static T apply(T a, T b) { return a > b ? a : b; }
  template <Float T> static T apply(T a, T b) {
    return a > b || std::isnan(b) ? a : b > a || std::isnan(a) ? b : std::signbit(a) ? b : a;
  }
  template <Float T> static T propagate(T a, T b) {
    return std::isnan(a) || std::isnan(b) ? canonical_nan<T>() : apply(a, b);
  }
};
struct copysign {
  template <Float T> static T apply(T a, T b) { return std::copysign(b, a); }
};  // sign of a, value of b

struct testp_finite {
  template <Float T> static bool apply(T a) { return std::isfinite(a); }
};
struct testp_infinite {
  template <Float T> static bool apply(T a) { return std::isinf(a); }
};
struct testp_number {
  template <Float T> static bool apply(T a) { return !std::isnan(a); }
};
struct testp_notanumber {
  template <Float T> static bool apply(T a) { return std::isnan(a); }
};
struct testp_normal {
  template <Float T> static bool apply(T a) { return std::isnormal(a) || a == 0; }
};
struct testp_subnormal {
  template <Float T> static bool apply(T a) { return std::fpclassify(a) == FP_SUBNORMAL; }
};

// ---- Bits
struct and_ {
  template <Int T> static T apply(T a, T b) { return a & b; }
};
struct or_ {
  template <Int T> static T apply(T a, T b) { return a | b; }
};
struct xor_ {
  template <Int T> static T apply(T a, T b) { return a ^ b; }
};
struct not_ {
  template <Int T> static T apply(T a) { return T(~a); }
};
struct cnot {
  template <Int T> static T apply(T a) { return a == 0; }
};
// Bit i of the table is the result where a, b, c have the bits of i (a is the highest).
struct lop3 {
  static u32 apply(u32 a, u32 b, u32 c, u32 table) {
    u32 d = 0;
    for (u32 i = 0; i < 8; ++i)
      if (table >> i & 1) d |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return d;
  }
};
// Shifts by the width or more give 0, or the sign.
struct shl {
  template <Int T> static T apply(T a, u32 n) { return n < kBits<T> ? T(U<T>(a) << n) : T(0); }
};
struct shr {
  template <Int T> static T apply(T a, u32 n) { return n < kBits<T> ? T(a >> n) : T(a < 0 ? -1 : 0); }
};
// Funnel shifts of the 64 bits b:a; left returns the high word, right the low one.
struct shf_l_clamp {
  static u32 apply(u32 a, u32 b, u32 n) { return u32((u64(b) << 32 | a) << (n < 32 ? n : 32) >> 32); }
};
struct shf_l_wrap {
  static u32 apply(u32 a, u32 b, u32 n) { return u32((u64(b) << 32 | a) << (n & 31) >> 32); }
};
struct shf_r_clamp {
  static u32 apply(u32 a, u32 b, u32 n) { return u32((u64(b) << 32 | a) >> (n < 32 ? n : 32)); }
};
struct shf_r_wrap {
  static u32 apply(u32 a, u32 b, u32 n) { return u32((u64(b) << 32 | a) >> (n & 31)); }
};
// Bits beyond the word read as 0, or as the sign bit of the field (which is the word's when the field leaves it).
struct bfe {
  template <Int T> static T apply(T a, u32 position, u32 length) {
    const u32 p = position & 255, n = length & 255;
    if (n == 0) return 0;
    const u32 top = p + n - 1 < kBits<T> ? p + n - 1 : kBits<T> - 1;
    const bool sign = std::is_signed_v<T> && (U<T>(a) >> top & 1);
    const U<T> field = p < kBits<T> ? U<T>(U<T>(a) >> p) : U<T>(0);
    const u32 kept = p < kBits<T> ? (n < kBits<T> - p ? n : kBits<T> - p) : 0;
    const U<T> mask = kept < kBits<T> ? U<T>((U<T>(1) << kept) - 1) : U<T>(~U<T>(0));
    return T((field & mask) | (sign ? U<T>(~mask) : U<T>(0)));
  }
};
struct bfi {
  template <Unsigned T> static T apply(T a, T b, u32 position, u32 length) {
    const u32 p = position & 255, n = length & 255;
    if (p >= kBits<T> || n == 0) return b;
    const T mask = T((n < kBits<T> ? (T(1) << n) - 1 : ~T(0)) << p);
    return T((b & ~mask) | (T(a << p) & mask));
  }
};
// The highest bit that differs from the sign; all ones if there is none.
struct bfind {
  template <Int T> static u32 apply(T a) {
    const U<T> v = a < 0 ? U<T>(~a) : U<T>(a);
    return v ? kBits<T> - 1 - std::countl_zero(v) : ~0u;
  }
};
struct bfind_shiftamt {
  template <Int T> static u32 apply(T a) {
    const u32 b = bfind::apply(a);
    return b == ~0u ? b : kBits<T> - 1 - b;
  }
};
struct popc {
  template <Word T> static u32 apply(T a) { return std::popcount(a); }
};
struct mbarrier_pending_count {  // of the state that an arrival returned
  template <std::same_as<u64> T> static u32 apply(T a) { return u32(Mbarrier{a}.pending()); }
};
struct clz {
  template <Word T> static u32 apply(T a) { return std::countl_zero(a); }
};
struct brev {
  template <Word T> static T apply(T a) {
    T d = 0;
    for (u32 i = 0; i < kBits<T>; ++i) d |= (a >> i & 1) << (kBits<T> - 1 - i);
    return d;
  }
};
struct createpolicy_fractional {
  template <std::same_as<u64> T> static T apply(T a) { return a; }
};
// Byte k of the result is byte (selector nibble k) of b:a; bit 3 of the nibble replicates that byte's sign.
struct prmt {
  static u32 apply(u32 a, u32 b, u32 selector) {
    const u64 bytes = u64(b) << 32 | a;
    u32 d = 0;
    for (u32 k = 0; k < 4; ++k) {
      const u32 nibble = selector >> (4 * k) & 15;
      u32 byte = u32(bytes >> (8 * (nibble & 7))) & 0xff;
      if (nibble & 8) byte = byte & 0x80 ? 0xff : 0;
      d |= byte << (8 * k);
    }
    return d;
  }
};
// The modes of prmt: the bytes to take, for each value of the selector's low two bits.
template <PermuteMode mode> struct prmt_mode {
  static u32 apply(u32 a, u32 b, u32 selector) {
    using enum PermuteMode;
    constexpr u32 bytes[][4] = {{},
                                {0x3210, 0x4321, 0x5432, 0x6543},
                                {0x5670, 0x6701, 0x7012, 0x0123},
                                {0x0000, 0x1111, 0x2222, 0x3333},
                                {0x3210, 0x3211, 0x3222, 0x3333},
                                {0x0000, 0x1110, 0x2210, 0x3210},
                                {0x1010, 0x3232, 0x1010, 0x3232}};
    return prmt::apply(a, b, bytes[u32(mode)][selector & 3]);
  }
};

// Extends the low n bits of a, with their sign or with zeros.
template <Int T> constexpr T extend(T a, u32 n) {
  return n == 0 ? T(0) : n >= kBits<T> ? a : T(T(U<T>(a) << (kBits<T> - n)) >> (kBits<T> - n));
}
struct szext_clamp {
  template <Int T> static T apply(T a, u32 n) { return extend(a, n); }
};
struct szext_wrap {
  template <Int T> static T apply(T a, u32 n) { return extend(a, n & 31); }
};
// n ones from bit `position` on.
struct bmsk_clamp {
  static u32 apply(u32 position, u32 n) {
    const u32 ones = n < 32 ? (1u << n) - 1 : ~0u;
    return position < 32 ? ones << position : 0;
  }
};
struct bmsk_wrap {
  static u32 apply(u32 position, u32 n) { return bmsk_clamp::apply(position & 31, n & 31); }
};
// The place of the n-th set bit, counted from bit `base` upwards (n > 0) or downwards (n < 0); all ones if there is none.
// n = 0: `base` itself, if it is set.
struct fns {
  static u32 apply(u32 mask, u32 base, u32 n) {
    const s32 count = s32(n);
    if (base >= 32) return ~0u;
    if (count == 0) return mask >> base & 1 ? base : ~0u;
    u32 left = count < 0 ? 0u - u32(count) : u32(count);
    for (s32 bit = s32(base); bit >= 0 && bit < 32; bit += count < 0 ? -1 : 1)
      if (mask >> bit & 1 && --left == 0) return u32(bit);
    return ~0u;
  }
};

// ---- Float functions. The approximate ones are computed as exactly as the host can, which is within the manual's error.
struct sqrt {
  template <Float T> static T apply(T a) { return std::sqrt(a); }
};
struct sqrt_approx {
  static float apply(float a) { return std::sqrt(a); }
};
struct rsqrt_approx {
  template <Float T> static T apply(T a) { return T(1) / std::sqrt(a); }
};
struct rcp {
  template <Float T> static T apply(T a) { return T(1) / a; }
};
struct rcp_approx {
  template <Float T> static T apply(T a) { return T(1) / a; }
};
struct ex2_approx {
  static float apply(float a) { return std::exp2(a); }
};
struct lg2_approx {
  static float apply(float a) { return std::log2(a); }
};
struct sin_approx {
  static float apply(float a) { return std::sin(a); }
};
struct cos_approx {
  static float apply(float a) { return std::cos(a); }
};
struct tanh_approx {
  static float apply(float a) { return std::tanh(a); }
};

// ---- Read-modify-write: the new value from the old one and the operands.
struct atom_add {
  template <Int T> static T apply(T old, T b, T) { return wrap_add(old, b); }
  template <Float T> static T apply(T old, T b, T) { return old + b; }
};
struct atom_min {
  template <Int T> static T apply(T old, T b, T) { return min::apply(old, b); }
};
struct atom_max {
  template <Int T> static T apply(T old, T b, T) { return max::apply(old, b); }
};
struct atom_inc {
  static u32 apply(u32 old, u32 b, u32) { return old >= b ? 0 : old + 1; }
};
struct atom_dec {
  static u32 apply(u32 old, u32 b, u32) { return old == 0 || old > b ? b : old - 1; }
};
struct atom_and {
  template <Word T> static T apply(T old, T b, T) { return old & b; }
};
struct atom_or {
  template <Word T> static T apply(T old, T b, T) { return old | b; }
};
struct atom_xor {
  template <Word T> static T apply(T old, T b, T) { return old ^ b; }
};
struct atom_exch {
  template <Word T> static T apply(T, T b, T) { return b; }
};
struct atom_cas {
  template <Unsigned T> static T apply(T old, T b, T c) { return old == b ? c : old; }
};
struct red_add : atom_add {};
struct red_min : atom_min {};
struct red_max : atom_max {};
struct red_inc : atom_inc {};
struct red_dec : atom_dec {};
struct red_and : atom_and {};
struct red_or : atom_or {};
struct red_xor : atom_xor {};

}  // namespace
}  // namespace gpusim::semantics
// SPDX-License-Identifier: MIT
