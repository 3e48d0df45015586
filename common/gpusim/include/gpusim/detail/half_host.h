// Conversions to 16 bits for the host; device code has instructions for them.
#pragma once

#include <cmath>

#include "host_defines.h"

namespace gpusim::detail {

enum class Towards { nearest, zero, down, up };

// To a float of `mantissa` bits behind the leading one and exponents lowest … highest of normal numbers, rounded once.
inline unsigned short narrow(double a, int mantissa, int lowest, int highest, Towards towards) {
  const unsigned infinity = unsigned(highest - lowest + 2) << mantissa, sign = std::signbit(a) ? 0x8000u : 0u;
  const bool away = towards == (sign ? Towards::down : Towards::up), nearest = towards == Towards::nearest;
  a = std::fabs(a);
  if (std::isnan(a)) return 0x7fff;
  if (std::isinf(a)) return (unsigned short)(sign | infinity);
  if (a == 0) return (unsigned short)sign;
  const int exponent = std::ilogb(a);
  if (exponent > highest) return (unsigned short)(sign | (nearest || away ? infinity : infinity - 1));
  const int unit = (exponent < lowest ? lowest : exponent) - mantissa;  // of the last place
  const double places = std::ldexp(a, -unit), whole = std::floor(places), rest = places - whole;
  unsigned bits = unsigned(whole);
  if (exponent >= lowest)
    bits += unsigned(exponent - lowest) << mantissa;  // the leading 1 counts as one more
  if (nearest ? rest > 0.5 || (rest == 0.5 && (bits & 1)) : away && rest > 0) ++bits;
  return (unsigned short)(sign | bits);
}

// The other way: exact.
inline float widen(unsigned short bits, int mantissa, int lowest, int highest) {
  const int exponent = (bits & 0x7fff) >> mantissa, fraction = bits & ((1 << mantissa) - 1);
  double a = std::ldexp(double(exponent ? fraction + (1 << mantissa) : fraction),
                        (exponent ? exponent - 1 : 0) + lowest - mantissa);
  if (exponent == highest - lowest + 2) a = fraction ? NAN : INFINITY;
  return float(bits & 0x8000 ? -a : a);
}

// As a GPU converts: what is too large is the largest, NaN is 0, or the highest bit of 64.
template <class T>
__host__ __device__ T to_integer(float a) {
  if (a != a) return sizeof(T) == 8 ? T(1ull << 63) : T(0);
  const T low = T(-1) < T(0) ? T(1ull << (8 * sizeof(T) - 1)) : T(0), high = T(~low);
  return a <= float(low) ? low : a >= float(high) ? high : T(a);
}

}  // namespace gpusim::detail
// SPDX-License-Identifier: MIT
