// What the judge says of a wrong sum is what the sum is made of: made-up kernels whose counts are known.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include "composition.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "harness/inputs.h"

namespace {

using judge::Leftovers;
using judge::Stretch;

// A kernel that counts element i counts[i] times, in one sum of the stretch.
judge::Ask summing(const std::vector<long>& counts) {
  return [counts](const std::vector<float>& input, Leftovers) {
    float sum = 0.0f;
    for (std::size_t i = 0; i < input.size(); ++i) sum += static_cast<float>(counts[i]) * input[i];
    return sum;
  };
}

// 1 in the stretch, 0 elsewhere.
std::vector<long> as_it_should_be(std::size_t n, Stretch stretch) {
  std::vector<long> counts(n, 0);
  std::fill(counts.begin() + stretch.first, counts.begin() + stretch.end, 1);
  return counts;
}

}  // namespace

TEST_CASE("elements that are missing or counted again are named as they are") {
  const Stretch stretch = {256, 512};
  std::vector<long> counts = as_it_should_be(700, stretch);
  for (std::size_t i = 320; i < 384; ++i) counts[i] = 0;
  for (std::size_t i = 448; i < 511; ++i) counts[i] = 0;
  counts[256] = 2;
  counts[600] = 1;
  CHECK(judge::composition(summing(counts), counts.size(), stretch) ==
        "elements 320..383 and 448..510 are missing; element 256 is counted twice; element 600 is counted, "
        "and belongs "
        "to another sum");
}

TEST_CASE("any counts are found, many and negative ones, too") {
  harness::Random random(5);
  for (const std::size_t n : {1, 7, 8, 9, 64, 257, 1000}) {
    const Stretch stretch = {n / 4, n / 4 + (n + 1) / 2};
    for (const long most : {2L, 7L, 9L, 300L}) {
      for (const long least : {0L, -2L}) {
        std::vector<long> counts = as_it_should_be(n, stretch);
        for (int k = 0; k < 5; ++k)
          counts[random.below(n)] =
              least + static_cast<long>(random.below(static_cast<std::uint64_t>(most - least + 1)));
        CHECK(judge::composition(summing(counts), n, stretch) == judge::in_words(counts, stretch));
      }
    }
  }
}

TEST_CASE("a kernel that is right has nothing to say") {
  for (const std::size_t n : {0, 1, 257, 4099}) {
    const Stretch stretch = {0, n};
    CHECK(judge::composition(summing(as_it_should_be(n, stretch)), n, stretch) == "");
  }
}

TEST_CASE("among many elements, runs are found by halves") {
  const Stretch stretch = {1024, 3072};
  std::vector<long> counts = as_it_should_be(4099, stretch);
  for (std::size_t i = 2000; i < 2100; ++i) counts[i] = 3;
  for (std::size_t i = 3500; i < 3600; ++i) counts[i] = 1;
  CHECK(
      judge::composition(summing(counts), counts.size(), stretch) ==
      "elements 2000..2099 are counted 3 times; elements 3500..3599 are counted, and belong to another sum");
}

TEST_CASE("many runs are counted, and the first and the last shown") {
  const Stretch stretch = {0, 256};
  std::vector<long> counts = as_it_should_be(256, stretch);
  for (std::size_t i = 1; i < 256; i += 2) counts[i] = 0;
  CHECK(judge::composition(summing(counts), 256, stretch) == "128 elements, 1, 3, 5 … 255, are missing");
}

TEST_CASE("what no counts explain is not explained by counts") {
  const auto largest = [](const std::vector<float>& input, Leftovers) {
    float most = 0.0f;
    for (float value : input) most = std::max(most, value);
    return most;
  };
  CHECK(judge::composition(largest, 64, {0, 64}) ==
        "each element alone is counted as it should be; with several, something else is added: it depends on "
        "the values");
  const auto of_zeros = [](const std::vector<float>&, Leftovers) { return 5.0f; };
  CHECK(judge::composition(of_zeros, 64, {0, 64}) == "it is not 0 even where every element is 0");
  CHECK(judge::composition(of_zeros, 0, {0, 0}) == "the sum of no elements is 0");
  const auto is_nan = [](const std::vector<float>&, Leftovers) { return std::nanf(""); };
  CHECK(
      judge::composition(is_nan, 64, {0, 64}) ==
      "it is not 0 even where every element is 0: something is added that is no element. (Shared memory, an array or "
      "a variable that nothing has been stored in may be NaN)");
}

TEST_CASE("what was in memory before is told from what is added") {
  const auto unwritten = [](const std::vector<float>&, Leftovers leftovers) {
    float value = 0.0f;
    if (leftovers == Leftovers::poison) std::memset(&value, 0xff, sizeof value);
    return value;
  };
  CHECK(judge::composition(unwritten, 64, {0, 64}) ==
        "it is what memory held before the launch: a sum is not stored");
  const auto adds_to_it = [&](const std::vector<float>& input, Leftovers leftovers) {
    return std::isnan(unwritten(input, leftovers)) ? NAN : 1.0f;
  };
  CHECK(judge::composition(adds_to_it, 64, {0, 64}) == "it depends on what was in memory before the launch");
}
// SPDX-License-Identifier: MIT
