// Numbers of 16 bits: f16 (11 significant bits) and bf16 (8, with the exponents of f32). Arithmetic is done in double,
// and rounded once.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {
namespace {  // compiled once per instruction set: must not be merged across object files

struct Half {
  static constexpr int mantissa = 10, lowest = -14, highest = 15;  // bits; exponents of normal numbers
  static constexpr u16 infinity = 0x7c00;
  u16 bits;
};
struct Brain {
  static constexpr int mantissa = 7, lowest = -126, highest = 127;
  static constexpr u16 infinity = 0x7f80;
  u16 bits;
};
template <class H> struct Two {
  H low, high;
};
template <class T> inline constexpr bool kIsHalf = std::is_same_v<T, Half> || std::is_same_v<T, Brain>;
template <class T> inline constexpr bool kIsTwo =
    std::is_same_v<T, Two<Half>> || std::is_same_v<T, Two<Brain>>;

inline float widen(Brain a) { return std::bit_cast<float>(u32(a.bits) << 16); }
inline float widen(Half a) {
  const u32 sign = u32(a.bits & 0x8000) << 16, rest = a.bits & 0x7fff;
  if (rest >= Half::infinity) return std::bit_cast<float>(sign | 0x7f800000 | (rest & 0x3ff) << 13);
  const float magnitude =
      std::bit_cast<float>(rest << 13) * 0x1p112f;  // moves the exponents, subnormal ones too
  return std::bit_cast<float>(std::bit_cast<u32>(magnitude) | sign);
}

// All NaNs are this one.
inline constexpr u16 kHalfNaN = 0x7fff;

// Rounds to nearest even. It has no branches, so it vectorises: adding a suitably large number makes the last place of the
// sum that of the result.
template <class H> H narrow_to_nearest(double a) {
  constexpr u64 kSign = u64(1) << 63, kBias = 1023, kBits = 52;
  const u64 bits = std::bit_cast<u64>(a), magnitude = bits & ~kSign, exponent = magnitude >> kBits;
  constexpr u64 kLowest = u64(int(kBias) + H::lowest), kHighest = u64(int(kBias) + H::highest);
  // Values that are too large, infinities and NaN are corrected at the end.
  const u64 scale = exponent < kLowest ? kLowest : exponent > kHighest ? kHighest : exponent;
  const u64 large = (scale + kBits - H::mantissa) << kBits;
  const double held = exponent > kHighest ? 0.0 : std::bit_cast<double>(magnitude);
  const u64 places = std::bit_cast<u64>(std::bit_cast<double>(large) + held) - large;
  u64 result = places + ((scale - kLowest) << H::mantissa);  // the leading 1 counts as one more
  result = exponent > kHighest ? u64(H::infinity) : result;
  result |= bits >> 63 << 15;
  return {u16(magnitude > u64(0x7ff) << kBits ? u64(kHalfNaN) : result)};
}

template <class H> H narrow(double a, Rounding rounding = Rounding::rn) {
  if (rounding == Rounding::rn || rounding == Rounding::none) return narrow_to_nearest<H>(a);
  const u16 sign = std::signbit(a) ? 0x8000 : 0;
  const bool away = rounding == (sign ? Rounding::rm : Rounding::rp);
  a = std::fabs(a);
  if (std::isnan(a)) return {kHalfNaN};
  if (std::isinf(a)) return {u16(sign | H::infinity)};
  if (a == 0) return {sign};
  const int exponent = std::ilogb(a);
  if (exponent > H::highest) return {u16(sign | (away ? H::infinity : H::infinity - 1))};
  const int unit = std::max(exponent, H::lowest) - H::mantissa;  // of the last place
  const double places = std::ldexp(a, -unit), whole = std::floor(places), rest = places - whole;
  u32 bits = u32(whole);
  if (exponent >= H::lowest)
    bits += u32(exponent - H::lowest) << H::mantissa;  // the leading 1 counts as one more
  if (away && rest > 0) ++bits;
  return {u16(sign | bits)};
}

template <class H> H flush_half(H a) { return (a.bits & H::infinity) == 0 ? H{u16(a.bits & 0x8000)} : a; }

// a * b is exact in double, but its sum with c may not be. A rounded sum must not look like a tie between two 16-bit numbers, so
// its last bit is made odd.
inline double multiply_add(double a, double b, double c) {
  const double product = a * b, sum = product + c, back = sum - product;
  const double lost = (product - (sum - back)) + (c - back);  // NaN where the sum is not finite
  const u64 bits = std::bit_cast<u64>(sum);
  const bool is_exact = !(lost < 0 || lost > 0) || (bits & 1);
  return std::bit_cast<double>(is_exact ? bits : (lost > 0) == (sum > 0) ? bits + 1 : bits - 1);
}

}  // namespace
}  // namespace gpusim
// SPDX-License-Identifier: MIT
