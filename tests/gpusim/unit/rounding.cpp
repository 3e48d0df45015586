// Directed rounding, which lanes/rounding.h computes from the nearest number, against the rounding modes of this processor:
// edge cases with one another, and millions of random operands of all sizes.
#include "lanes/rounding.h"

#include <doctest/doctest.h>

#include <bit>
#include <cfenv>
#include <random>
#include <string>
#include <vector>

#include "lanes/convert.h"

using namespace gpusim;

namespace {

constexpr int kRandom = 300'000;  // operands for each instruction, type and mode
constexpr struct {
  Rounding rounding;
  int host;
  const char* name;
} kModes[] = {
    {Rounding::rz, FE_TOWARDZERO, "rz"}, {Rounding::rm, FE_DOWNWARD, "rm"}, {Rounding::rp, FE_UPWARD, "rp"}};

template <class T> using Bits = std::conditional_t<sizeof(T) == 4, u32, u64>;

// F by the processor. volatile keeps it between the two changes of the mode.
template <class F, class T, class... Rest> T by_processor(int mode, T a, Rest... rest) {
  volatile T first = a;
  std::fesetround(mode);
  volatile T result = F::apply(T(first), rest...);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T> bool same(T a, T b) {
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b) || (a != a && b != b);
}

template <class T> const std::vector<T>& edges() {
  using L = std::numeric_limits<T>;
  static const std::vector<T> all = [] {
    std::vector<T> values;
    const T one_more = T(1) + L::epsilon(), one_less = T(1) - L::epsilon() / 2;
    for (const T v : {T(0),
                      T(1),
                      T(2),
                      T(3),
                      T(0.1),
                      T(1) / 3,
                      one_more,
                      one_less,
                      L::min(),
                      L::denorm_min(),
                      3 * L::denorm_min(),
                      std::nextafter(L::min(), T(0)),
                      std::nextafter(L::min(), T(1)),
                      L::max(),
                      std::nextafter(L::max(), T(0)),
                      L::max() / 2,
                      std::sqrt(L::max()),
                      std::sqrt(L::min()),
                      std::sqrt(L::denorm_min()),
                      T(1) / L::min(),
                      L::epsilon(),
                      L::epsilon() / 2,
                      L::epsilon() / 4,
                      T(1) / L::epsilon(),
                      std::ldexp(one_more, 60),
                      std::ldexp(one_less, -110),
                      std::ldexp(one_more, 110),
                      std::ldexp(one_more, -111),
                      L::infinity(),
                      L::quiet_NaN()})
      values.insert(values.end(), {v, -v});
    return values;
  }();
  return all;
}

// Any bits; or numbers of like size, whose sums cancel and whose products round; or such beside the least numbers.
template <class T> class Random {
 public:
  T operator()() {
    const u64 bits = engine_();
    switch (bits >> 60 & 3) {
      case 0: return std::bit_cast<T>(Bits<T>(engine_()));
      case 1: return std::ldexp(mantissa(), int(bits % 9) - 4);
      case 2: return std::ldexp(mantissa(), std::numeric_limits<T>::min_exponent / 2 - int(bits % 64));
      default: return std::ldexp(T(s64(bits % 2048) - 1024), int(bits >> 12 & 15) - 8);
    }
  }

 private:
  T mantissa() {
    const T m = T(1) + T(engine_() >> 11) / T(u64(1) << 53);
    return engine_() & 1 ? m : -m;
  }
  std::mt19937_64 engine_{20'241};
};

struct Failures {
  int count = 0;
  template <class T, class... Operands>
  void expect(T got, T wanted, const char* mode, Operands... operands) {
    if (same(got, wanted) || ++count > 5) return;
    std::string text = mode;
    ((text += " " + std::to_string(std::bit_cast<Bits<Operands>>(operands))), ...);
    FAIL_CHECK(text << ": " << got << " instead of " << wanted);
  }
};

template <class F, class T> void check_unary() {
  Failures failures;
  Random<T> random;
  for (const auto& mode : kModes) {
    const auto check = [&](T a) {
      failures.expect(Rounded<F>::apply(mode.rounding, a), by_processor<F>(mode.host, a), mode.name, a);
    };
    for (const T a : edges<T>()) check(a);
    for (int k = 0; k < kRandom; ++k) check(random());
  }
  CHECK(failures.count == 0);
}
template <class F, class T> void check_binary() {
  Failures failures;
  Random<T> random;
  for (const auto& mode : kModes) {
    const auto check = [&](T a, T b) {
      failures.expect(Rounded<F>::apply(mode.rounding, a, b), by_processor<F>(mode.host, a, b), mode.name, a,
                      b);
    };
    for (const T a : edges<T>())
      for (const T b : edges<T>()) check(a, b);
    for (int k = 0; k < kRandom; ++k) check(random(), random());
  }
  CHECK(failures.count == 0);
}
template <class F, class T> void check_ternary() {
  Failures failures;
  Random<T> random;
  for (const auto& mode : kModes) {
    const auto check = [&](T a, T b, T c) {
      failures.expect(Rounded<F>::apply(mode.rounding, a, b, c), by_processor<F>(mode.host, a, b, c),
                      mode.name, a, b, c);
    };
    for (const T a : edges<T>())
      for (const T b : edges<T>())
        for (const T c : edges<T>()) check(a, b, c);
    for (int k = 0; k < kRandom; ++k) {
      const T a = random(), b = random();
      check(a, b, random());
      check(a, b, -a * b);  // all but cancels
    }
  }
  CHECK(failures.count == 0);
}

template <class D, class S> void check_conversion(const std::vector<S>& some, auto&& random) {
  Failures failures;
  for (const auto& mode : kModes) {
    const auto check = [&](S a) {
      volatile S exact = a;
      std::fesetround(mode.host);
      volatile D wanted = D(exact);
      std::fesetround(FE_TONEAREST);
      // clang converts an unsigned integer of 64 bits by a subtraction, whose 0 is -0 where it rounds down.
      if (std::is_integral_v<S> && a == 0) wanted = D(0);
      failures.expect(convert<D>(a, mode.rounding, false, false), D(wanted), mode.name, a);
    };
    for (const S a : some) check(a);
    for (int k = 0; k < kRandom; ++k) check(random());
  }
  CHECK(failures.count == 0);
}
template <class D, class S> void check_integers() {
  std::mt19937_64 engine(7);
  std::vector<S> some;
  for (int bit = 0; bit < int(sizeof(S) * 8); ++bit)
    for (const int more : {-1, 0, 1}) some.push_back(S((u64(1) << bit) + u64(s64(more))));
  check_conversion<D, S>(some, [&] {
    const u64 bits = engine();
    return S(bits >> (engine() % (sizeof(S) * 8)));
  });
}

}  // namespace

TEST_CASE("add.rz, .rm and .rp round as a processor does") {
  check_binary<semantics::add, float>();
  check_binary<semantics::add, double>();
  check_binary<semantics::sub, float>();
  check_binary<semantics::sub, double>();
}
TEST_CASE("mul.rz, .rm and .rp round as a processor does") {
  check_binary<semantics::mul, float>();
  check_binary<semantics::mul, double>();
}
TEST_CASE("fma.rz, .rm and .rp round as a processor does") {
  check_ternary<semantics::fma, float>();
  check_ternary<semantics::fma, double>();
}
TEST_CASE("div, rcp and sqrt with .rz, .rm and .rp round as a processor does") {
  check_binary<semantics::div, float>();
  check_binary<semantics::div, double>();
  check_unary<semantics::rcp, float>();
  check_unary<semantics::rcp, double>();
  check_unary<semantics::sqrt, float>();
  check_unary<semantics::sqrt, double>();
}
TEST_CASE("cvt.rz, .rm and .rp round as a processor does") {
  check_integers<float, s32>();
  check_integers<float, u32>();
  check_integers<float, s64>();
  check_integers<float, u64>();
  check_integers<double, s64>();
  check_integers<double, u64>();
  Random<double> random;
  std::vector<double> some = edges<double>();
  for (const float f : edges<float>())
    for (const double v : {double(f), std::nextafter(double(f), 1e300), std::nextafter(double(f), -1e300)})
      some.push_back(v);
  check_conversion<float, double>(some, [&] { return random(); });
}
// SPDX-License-Identifier: MIT
