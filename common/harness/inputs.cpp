#include "harness/inputs.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace harness {

std::uint64_t Random::next() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

std::uint64_t Random::below(std::uint64_t bound) {
  // This favours small values by bound / 2^64, which is negligible for the bounds used here.
  return next() % bound;
}

float Random::uniform() {
  const int steps = static_cast<int>(next() >> 40) - (1 << 23);  // 24 bits: every step is a float
  return static_cast<float>(steps) / static_cast<float>(1 << 23);
}

std::vector<float> uniform_floats(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (float& value : values) value = random.uniform();
  return values;
}

std::vector<float> small_integers(std::size_t n, std::uint64_t seed) {
  constexpr std::size_t kExactSum = std::size_t(1) << 24;  // floats hold all whole numbers up to here
  constexpr std::size_t kLargest = 1000;                   // beyond that, digits only clutter messages
  Random random(seed);
  const auto signed_value = [&](std::size_t magnitude) {
    const float value = static_cast<float>(magnitude);
    return random.below(2) == 0 ? value : -value;
  };
  std::vector<float> values(n, 0.0f);
  if (n <= kExactSum) {
    const std::size_t range = std::min(kLargest, kExactSum / std::max<std::size_t>(n, 1));
    for (float& value : values) value = signed_value(1 + random.below(range));
    return values;
  }
  const std::size_t group = (n + kExactSum - 1) / kExactSum;
  for (std::size_t first = 0; first < n; first += group) {
    values[first + random.below(std::min(group, n - first))] = signed_value(1);
  }
  return values;
}

std::vector<float> scaled_integers(std::size_t n, std::uint64_t seed, int exponent) {
  std::vector<float> values = small_integers(n, seed);
  for (float& value : values) value = std::ldexp(value, exponent);
  return values;
}

std::vector<float> cancelling(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(n);
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    const float large = 1536.0f + 512.0f * random.uniform();
    const float little = random.uniform() / 1024.0f;
    values[i] = large;
    values[i + 1] = -large + little;
  }
  if (n % 2 == 1) values[n - 1] = random.uniform();
  for (std::size_t i = n; i > 1; --i) std::swap(values[i - 1], values[random.below(i)]);  // Fisher-Yates
  return values;
}

}  // namespace harness
// SPDX-License-Identifier: MIT
