// Conversions between types (PTX ISA, "cvt"), and the float modifiers .ftz and .sat.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/base.h"
#include "lanes/rounding.h"
#include "ptx/program.h"

namespace gpusim {
namespace {  // compiled once per instruction set: must not be merged across object files

// Subnormal numbers become zero of the same sign.
template <class T> inline T flush(T a) {
  if constexpr (std::is_floating_point_v<T>)
    return std::fabs(a) < std::numeric_limits<T>::min() ? std::copysign(T(0), a) : a;
  else return a;
}
// cvt: .ftz means the f32 side only.
template <class T> inline T flush_f32(T a) {
  if constexpr (std::is_same_v<T, float>) return flush(a);
  else return a;
}
// Into [0, 1]; NaN becomes +0.
template <class T> inline T saturate(T a) { return a > T(0) ? (a < T(1) ? a : T(1)) : T(0); }

inline bool to_integer(Rounding r) {
  return r == Rounding::rni || r == Rounding::rzi || r == Rounding::rmi || r == Rounding::rpi;
}
template <class S> inline S round_to_integer(S a, Rounding r) {
  switch (r) {
    case Rounding::rzi:
    case Rounding::rz: return std::trunc(a);
    case Rounding::rmi:
    case Rounding::rm: return std::floor(a);
    case Rounding::rpi:
    case Rounding::rp: return std::ceil(a);
    default: return std::nearbyint(a);
  }
}

// Float to integer: rounds, then clamps to the range of D. NaN gives 0, or where 64 bits are involved the value
// with only the top bit set.
template <class D, class S> inline D float_to_int(S a, Rounding r) {
  if (std::isnan(a))
    return sizeof(S) < 8 && sizeof(D) < 8 ? D(0) : D(std::make_unsigned_t<D>(1) << (sizeof(D) * 8 - 1));
  a = round_to_integer(a, r);
  // 2^bits is exact in S; the largest D may not be.
  const S limit = std::ldexp(S(1), sizeof(D) * 8 - (std::is_signed_v<D> ? 1 : 0));
  if (a >= limit) return std::numeric_limits<D>::max();
  if (a < (std::is_signed_v<D> ? -limit : S(0))) return std::numeric_limits<D>::min();
  return D(a);
}

// Integer to integer with .sat: clamps. Without: keeps the low bits.
template <class D, class S> inline D clamp_int(S a) {
  if (std::is_signed_v<S> && a < 0) {
    if (!std::is_signed_v<D>) return 0;
    return s64(a) < s64(std::numeric_limits<D>::min()) ? std::numeric_limits<D>::min() : D(a);
  }
  return u64(a) > u64(std::numeric_limits<D>::max()) ? std::numeric_limits<D>::max() : D(a);
}

template <class D, class S> inline D convert(S a, Rounding r, bool sat, bool ftz) {
  if constexpr (std::is_integral_v<D> && std::is_integral_v<S>) {
    return sat ? clamp_int<D>(a) : D(a);
  } else if constexpr (std::is_integral_v<D>) {
    return float_to_int<D>(ftz ? flush_f32(a) : a, r);
  } else {
    if constexpr (std::is_floating_point_v<S>) {
      if (ftz) a = flush_f32(a);
      if (to_integer(r)) a = round_to_integer(a, r);
    }
    D d = convert_rounded<D>(a, to_integer(r) ? Rounding::rn : r);
    if (ftz) d = flush_f32(d);
    return sat ? saturate(d) : d;
  }
}

}  // namespace
}  // namespace gpusim
// SPDX-License-Identifier: MIT
