// Rounding other than to nearest (.rz, .rm, .rp), computed from the nearest number and the sign of its error. The processor's own
// rounding modes are not used: WebAssembly has none, and elsewhere changing the mode is slow.
// tests/gpusim/unit/rounding.cpp compares all results with those modes.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/base.h"
#include "lanes/semantics.h"
#include "ptx/program.h"

namespace gpusim {
namespace {  // compiled once per instruction set: must not be merged across object files

// The sign of a sum of doubles, exactly, if none of them is within 2^60 of the ends of their range: the sum as an expansion, parts
// that do not overlap, of which the largest decides (Shewchuk, "Adaptive Precision Floating-Point Arithmetic", 1997).
template <std::size_t kCount> inline int sign_of_sum(const std::array<double, kCount>& terms) {
  std::array<double, kCount> parts{};  // smallest first
  for (std::size_t count = 0; count < kCount; ++count) {
    double sum = terms[count];
    for (std::size_t k = 0; k < count; ++k) {
      const double a = sum, b = parts[k];
      sum = a + b;
      const double of_b = sum - a, of_a = sum - of_b;
      parts[k] = (a - of_a) + (b - of_b);
    }
    parts[count] = sum;
  }
  for (std::size_t k = kCount; k-- > 0;)
    if (parts[k] != 0) return parts[k] > 0 ? 1 : -1;
  return 0;
}

// A finite double as fraction · 2^exponent, the fraction in [½, 1) or 0: products of fractions neither overflow nor
// underflow, and nor do their errors.
struct Scaled {
  explicit Scaled(double value) : fraction(std::frexp(value, &exponent)) {}
  int exponent = 0;
  double fraction;
};

// The sign of (the exact result) − nearest, for finite operands. `nearest` is of the instruction's type, f32 or f64.
template <class F> struct Beyond;  // left undefined: F has no other roundings

template <> struct Beyond<semantics::add> {
  template <class T> static int sign(T nearest, T a, T b) {
    if (std::isinf(nearest)) return nearest > 0 ? -1 : 1;
    if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
    const T error = b - (nearest - a);  // exact, since |a| ≥ |b| (Dekker)
    return error > 0 ? 1 : error < 0 ? -1 : 0;
  }
};
template <> struct Beyond<semantics::sub> {
  template <class T> static int sign(T nearest, T a, T b) {
    return Beyond<semantics::add>::sign(nearest, a, -b);
  }
};
template <> struct Beyond<semantics::mul> {
  static int sign(double nearest, double a, double b) {
    if (std::isinf(nearest)) return nearest > 0 ? -1 : 1;
    const Scaled x(a), y(b);
    const double product = x.fraction * y.fraction, error = std::fma(x.fraction, y.fraction, -product);
    return sign_of_sum(std::array{product, error, -std::ldexp(nearest, -(x.exponent + y.exponent))});
  }
};
template <> struct Beyond<semantics::fma> {
  static int sign(double nearest, double a, double b, double c) {
    if (std::isinf(nearest)) return nearest > 0 ? -1 : 1;
    if (c == 0) return Beyond<semantics::mul>::sign(nearest, a, b);
    if (a == 0 || b == 0) return 0;
    const Scaled x(a), y(b), z(c);
    const double product = x.fraction * y.fraction, error = std::fma(x.fraction, y.fraction, -product);
    const int exponent = x.exponent + y.exponent;
    // The product is a multiple of 2^-106 at this scale, c one of 2^-53 at its own. Beyond these distances the smaller of
    // the two lies below all bits of the other: only its sign counts.
    constexpr int kFar = 110;
    if (z.exponent - exponent > kFar) return product > 0 ? 1 : -1;  // nearest is c
    const double scaled = std::ldexp(nearest, -exponent);
    if (exponent - z.exponent > kFar) {
      const int without = sign_of_sum(std::array{product, error, -scaled});
      return without != 0 ? without : c > 0 ? 1 : -1;
    }
    return sign_of_sum(std::array{product, error, std::ldexp(z.fraction, z.exponent - exponent), -scaled});
  }
};
template <> struct Beyond<semantics::mad> : Beyond<semantics::fma> {};
template <> struct Beyond<semantics::div> {
  static int sign(double nearest, double a, double b) {
    if (b == 0) return 0;
    if (std::isinf(nearest)) return nearest > 0 ? -1 : 1;
    const Scaled x(a), y(b);
    const double quotient = std::ldexp(nearest, y.exponent - x.exponent);
    const double product = quotient * y.fraction, error = std::fma(quotient, y.fraction, -product);
    const int remainder = sign_of_sum(std::array{x.fraction, -product, -error});
    return b > 0 ? remainder : -remainder;
  }
};
template <> struct Beyond<semantics::rcp> {
  static int sign(double nearest, double a) { return Beyond<semantics::div>::sign(nearest, 1.0, a); }
};
template <> struct Beyond<semantics::sqrt> {
  static int sign(double nearest, double a) {
    if (a <= 0) return 0;
    const Scaled x(a);
    const int half = x.exponent >> 1;  // rounded down: the scaled argument is in [½, 2)
    const double root = std::ldexp(nearest, -half);
    const double square = root * root, error = std::fma(root, root, -square);
    return sign_of_sum(std::array{std::ldexp(x.fraction, x.exponent - 2 * half), -square, -error});
  }
};

// The result in rounding mode `mode`, if the nearest number is below (beyond > 0), equal to or above the exact result.
template <class T> inline T neighbour(T nearest, int beyond, Rounding mode) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  if (beyond > 0 && (mode == Rounding::rp || (mode == Rounding::rz && nearest < 0)))
    return std::nextafter(nearest, kInfinity);
  if (beyond < 0 && (mode == Rounding::rm || (mode == Rounding::rz && nearest > 0)))
    return std::nextafter(nearest, -kInfinity);
  return nearest;
}

// A sum that is exactly 0: +0, but −0 when rounding down, unless both terms are +0 (IEEE 754, 6.3).
template <class T> inline T exact_zero(T zero, bool a_is_negative, bool b_is_negative, Rounding mode) {
  return mode == Rounding::rm && (a_is_negative || b_is_negative) ? -T(0) : zero;
}

template <class F>
concept Roundable = requires { sizeof(Beyond<F>); };

// F's result, rounded as `mode` says.
template <class F> struct Rounded {
  template <class T, class... Rest> static T apply(Rounding mode, T a, Rest... rest) {
    const T nearest = F::apply(a, rest...);
    if (mode == Rounding::none || mode == Rounding::rn) return nearest;
    if (std::isnan(nearest) || !std::isfinite(a) || !(std::isfinite(rest) && ...)) return nearest;
    const int beyond = Beyond<F>::sign(nearest, a, rest...);
    if (nearest == 0 && beyond == 0) return zero(mode, nearest, a, rest...);
    return neighbour(nearest, beyond, mode);
  }

 private:
  template <class T> static T zero(Rounding mode, T nearest, T a, T b) {
    if constexpr (std::is_same_v<F, semantics::add>)
      return exact_zero(nearest, std::signbit(a), std::signbit(b), mode);
    if constexpr (std::is_same_v<F, semantics::sub>)
      return exact_zero(nearest, std::signbit(a), !std::signbit(b), mode);
    return nearest;
  }
  template <class T> static T zero(Rounding mode, T nearest, T a, T b, T c) {
    return exact_zero(nearest, std::signbit(a) != std::signbit(b), std::signbit(c), mode);
  }
  template <class T> static T zero(Rounding, T nearest, T) { return nearest; }
};

// Conversions to a float type D of a number that it may not hold.
template <class D, class S> inline D convert_rounded(S a, Rounding mode) {
  const D nearest = D(a);
  if (mode == Rounding::none || mode == Rounding::rn) return nearest;
  int beyond = 0;
  if constexpr (std::is_integral_v<S>) {
    const __int128 exact = a, rounded = __int128(nearest);
    beyond = (exact > rounded) - (exact < rounded);
  } else if constexpr (sizeof(D) < sizeof(S)) {
    beyond = (a > S(nearest)) - (a < S(nearest));
  }
  return neighbour(nearest, beyond, mode);
}

}  // namespace
}  // namespace gpusim
// SPDX-License-Identifier: MIT
