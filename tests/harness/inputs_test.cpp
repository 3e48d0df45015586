// Inputs: the same everywhere, never trivial, and exact where they promise it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "harness/inputs.h"
#include "harness/reference.h"

namespace {

using Make = std::vector<float> (*)(std::size_t, std::uint64_t);
constexpr Make kMakers[] = {harness::uniform_floats, harness::small_integers, harness::cancelling};

}  // namespace

TEST_CASE("random numbers are those of SplitMix64") {
  harness::Random random(1234567);  // first outputs of the reference implementation for this seed
  CHECK(random.next() == 6457827717110365317u);
  CHECK(random.next() == 3203168211198807973u);
  CHECK(random.next() == 9817491932198370423u);
}

TEST_CASE("an input follows from its seed") {
  for (const Make make : kMakers) {
    CHECK(make(1000, 7) == make(1000, 7));
    CHECK(make(1000, 7) != make(1000, 8));
  }
}

TEST_CASE("an input has the length asked for") {
  for (const Make make : kMakers) {
    for (const std::size_t n : {0, 1, 2, 3, 257}) CHECK(make(n, 1).size() == n);
  }
}

TEST_CASE("no input is constant") {
  for (const Make make : kMakers) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const auto values = make(100, seed);
      CHECK(std::any_of(values.begin(), values.end(), [&](float v) { return v != values[0]; }));
    }
  }
}

TEST_CASE("uniform floats lie between -1 and 1 and use all of it") {
  const auto values = harness::uniform_floats(100000, 3);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  CHECK(*low >= -1.0f);
  CHECK(*low < -0.99f);
  CHECK(*high < 1.0f);
  CHECK(*high > 0.99f);
  CHECK(std::fabs(harness::reference_sum(values).sum) < 1000);  // the standard deviation of the sum is 183
}

TEST_CASE("whole numbers have magnitudes of at most 2^24 together") {
  for (const std::size_t n :
       {std::size_t(1), std::size_t(1000), std::size_t(1) << 20, (std::size_t(1) << 24) + 1}) {
    const auto values = harness::small_integers(n, 5);
    CHECK(harness::reference_sum(values).sum_abs <= 1 << 24);
    CHECK(std::all_of(values.begin(), values.end(), [](float v) { return v == std::floor(v); }));
  }
}

TEST_CASE("no whole number is 0 up to n = 2^24") {
  for (const std::size_t n : {std::size_t(1000), std::size_t(1) << 24}) {
    const auto values = harness::small_integers(n, 5);
    CHECK(std::find(values.begin(), values.end(), 0.0f) == values.end());
  }
}

TEST_CASE("a float sum of whole numbers is exact in any order") {
  const auto values = harness::small_integers(1 << 20, 9);
  float forwards = 0, backwards = 0, strided = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    forwards += values[i];
    backwards += values[values.size() - 1 - i];
    strided += values[i * 40503 % values.size()];  // an odd factor reaches every element once
  }
  const double expected = harness::reference_sum(values).sum;
  CHECK(forwards == expected);
  CHECK(backwards == expected);
  CHECK(strided == expected);
}

TEST_CASE("cancelling values are large and their sum is tiny") {
  for (const std::size_t n : {2, 257, 100000}) {
    const auto reference = harness::reference_sum(harness::cancelling(n, 4));
    CHECK(reference.sum_abs > 1000.0 * static_cast<double>(n - 1));
    CHECK(std::fabs(reference.sum) < 1e-5 * reference.sum_abs);
  }
}

TEST_CASE("a float sum of cancelling values in sequence is mostly rounding error") {
  const auto values = harness::cancelling(100000, 4);
  float sum = 0;
  for (const float value : values) sum += value;
  const auto reference = harness::reference_sum(values);
  CHECK(sum != reference.sum);
  CHECK(harness::verify_sum(sum, reference, 100000).ok);  // and yet within the bound
}
// SPDX-License-Identifier: MIT
