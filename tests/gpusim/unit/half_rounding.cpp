// Numbers of 16 bits: what each of them widens to, and to which of two neighbours a number between them goes.
#include "lanes/half.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace gpusim;

namespace {

template <class H> double value(u32 bits) {
  const int exponent = int(bits >> H::mantissa);
  const double places =
      double(bits & ((1u << H::mantissa) - 1)) + (exponent ? double(1u << H::mantissa) : 0.0);
  return std::ldexp(
      places, std::max(exponent, 1) - 1 + H::lowest - H::mantissa);  // of infinity: what would come next
}
template <class H> bool goes_to(double number, u32 bits) {
  return narrow<H>(number).bits == bits && narrow<H>(-number).bits == (bits | 0x8000);
}

template <class H> u32 count_wrong() {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  u32 wrong = 0;
  for (u32 low = 0; low < H::infinity; ++low) {
    const u32 high = low + 1, even = low & 1 ? high : low;
    const double number = value<H>(low), middle = (number + value<H>(high)) / 2;
    wrong += double(widen(H{u16(low)})) != number || !goes_to<H>(number, low) || !goes_to<H>(middle, even) ||
             !goes_to<H>(std::nextafter(middle, 0.0), low) ||
             !goes_to<H>(std::nextafter(middle, kInfinity), high);
  }
  return wrong;
}

}  // namespace

TEST_CASE("a number between two of 16 bits goes to the nearest, in the middle to the even one") {
  CHECK(count_wrong<Half>() == 0);
  CHECK(count_wrong<Brain>() == 0);
}

TEST_CASE("what 16 bits do not hold is infinite, or zero, and there is one NaN") {
  using L = std::numeric_limits<double>;
  for (const double large : {65520.0, 65536.0, 1e30, L::max(), L::infinity()})
    CHECK(goes_to<Half>(large, Half::infinity));
  for (const double large : {1e39, L::max(), L::infinity()}) CHECK(goes_to<Brain>(large, Brain::infinity));
  for (const double small : {0.0, L::denorm_min(), L::min(), 1e-60}) {
    CHECK(goes_to<Half>(small, 0));
    CHECK(goes_to<Brain>(small, 0));
  }
  for (const double nan : {L::quiet_NaN(), -L::quiet_NaN()}) {
    CHECK(narrow<Half>(nan).bits == 0x7fff);
    CHECK(narrow<Brain>(nan).bits == 0x7fff);
  }
}

TEST_CASE("directed rounding goes to the neighbour that it names") {
  for (u32 low = 0; low < Half::infinity; low += 7) {
    const double between = std::nextafter(value<Half>(low), std::numeric_limits<double>::infinity());
    const u32 high = low + 1;
    CHECK(narrow<Half>(between, Rounding::rz).bits == low);
    CHECK(narrow<Half>(between, Rounding::rm).bits == low);
    CHECK(narrow<Half>(between, Rounding::rp).bits == high);
    CHECK(narrow<Half>(-between, Rounding::rz).bits == (low | 0x8000));
    CHECK(narrow<Half>(-between, Rounding::rm).bits == (high | 0x8000));
    CHECK(narrow<Half>(-between, Rounding::rp).bits == (low | 0x8000));
  }
}
// SPDX-License-Identifier: MIT
