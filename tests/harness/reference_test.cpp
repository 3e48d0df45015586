// The oracle: right sums pass, wrong ones fail with a message that says what is wrong.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "harness/inputs.h"
#include "harness/reference.h"

namespace {

constexpr std::size_t kBlock = 256;
constexpr int kDepth = 8;

// What a right kernel returns: each block summed in float by a tree.
std::vector<float> tree_sums(const std::vector<float>& input) {
  std::vector<float> sums;
  for (std::size_t first = 0; first < input.size(); first += kBlock) {
    std::vector<float> tile(kBlock, 0.0f);
    for (std::size_t i = 0; i < kBlock && first + i < input.size(); ++i) tile[i] = input[first + i];
    for (std::size_t stride = kBlock / 2; stride > 0; stride /= 2) {
      for (std::size_t t = 0; t < stride; ++t) tile[t] += tile[t + stride];
    }
    sums.push_back(tile[0]);
  }
  return sums;
}

float sum_of(const std::vector<float>& input, std::size_t first, std::size_t end) {
  return static_cast<float>(harness::reference_sum(input.data() + first, end - first).sum);
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the reference keeps what a double would lose") {
  const auto reference = harness::reference_sum({1e30f, 1.0f, -1e30f});
  CHECK(reference.sum == 1.0);
  CHECK(reference.sum_abs == doctest::Approx(2e30));
}

TEST_CASE("the reference of nothing is 0") {
  CHECK(harness::reference_sum({}).sum == 0);
  CHECK(harness::verify_sum(0.0f, {}, kDepth).ok);
  CHECK_FALSE(harness::verify_sum(1e-30f, {}, kDepth).ok);
}

TEST_CASE("the reference of 2^25 ones is 2^25 and the 2^24 of a float loop is refused") {
  const std::vector<float> ones(1 << 25, 1.0f);
  const auto reference = harness::reference_sum(ones);
  CHECK(reference.sum == 1 << 25);
  CHECK_FALSE(harness::verify_sum(16777216.0f, reference, 25).ok);
}

TEST_CASE("the tolerance grows with depth and magnitudes and not with the sum") {
  const harness::Reference all{1000, 1000}, cancelled{0, 1000};
  CHECK(harness::tolerance(all, 8) == harness::tolerance(cancelled, 8));
  CHECK(harness::tolerance(all, 8) == doctest::Approx(2 * 8 * 1000.0 / 16777216));
  CHECK(harness::tolerance(all, 16) == 2 * harness::tolerance(all, 8));
  CHECK(harness::tolerance(all, harness::kExact) == 0);
}

TEST_CASE("a wrong sum is named with its error and the bound") {
  const auto verdict = harness::verify_sum(4097.0f, {4096.5, 4096.5}, 1);
  CHECK_FALSE(verdict.ok);
  CHECK(verdict.message == "sum 4097, expected 4096.5 (|error| 0.5 > 0.00049)");
}

TEST_CASE("NaN and infinity are refused") {
  for (const float got : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    CHECK_FALSE(harness::verify_sum(got, {1, 1}, kDepth).ok);
    CHECK_FALSE(harness::verify_sum(got, {1, 1}, harness::kExact).ok);
    CHECK_FALSE(harness::verify_blocks({got}, {1.0f}, kBlock, kDepth).ok);
  }
}

TEST_CASE("an exact sum may not be off by one") {
  CHECK(harness::verify_sum(16777216.0f, {16777216, 16777216}, harness::kExact).ok);
  const auto verdict = harness::verify_sum(16777215.0f, {16777216, 16777216}, harness::kExact);
  CHECK(verdict.message == "sum 16777215, expected 16777216 (|error| 1, and this sum is exact in float)");
}

TEST_CASE("a bound that would accept anything judges nothing") {
  const auto verdict = harness::verify_sum(0.0f, {5, 1000}, 1 << 25);
  CHECK_FALSE(verdict.ok);
  CHECK(contains(verdict.message, "cannot be judged: 33554432 additions in a row"));
}

TEST_CASE("right block sums of any input and length pass") {
  for (const std::size_t n : {0, 1, 31, 255, 256, 257, 10007}) {
    for (const auto make : {harness::uniform_floats, harness::cancelling}) {
      const auto input = make(n, 11);
      CHECK(harness::verify_blocks(tree_sums(input), input, kBlock, kDepth).message == "");
    }
    const auto integers = harness::small_integers(n, 11);
    CHECK(harness::verify_blocks(tree_sums(integers), integers, kBlock, harness::kExact).message == "");
  }
}

TEST_CASE("of no input there are no block sums or one that is 0") {
  CHECK(harness::verify_blocks({}, {}, kBlock, kDepth).ok);
  CHECK(harness::verify_blocks({0.0f}, {}, kBlock, kDepth).ok);
  CHECK_FALSE(harness::verify_blocks({1.0f}, {}, kBlock, kDepth).ok);
  CHECK_FALSE(harness::verify_blocks({0.0f, 0.0f}, {}, kBlock, kDepth).ok);
}

TEST_CASE("errors that print alike get more digits") {
  const auto verdict = harness::verify_sum(4096.5f, {4096.50049, 4096.50049}, 1);
  CHECK(contains(verdict.message, "(|error| 0.00049"));
  CHECK(contains(verdict.message, " > 0.00048834"));
}

TEST_CASE("an error has no cause that a single run shows") {
  const auto input = harness::uniform_floats(8192, 2);
  auto sums = tree_sums(input);
  sums[16] += sum_of(input, 4352, 4480);  // half of block 17; other elements may add up to as much
  const auto verdict = harness::verify_blocks(sums, input, kBlock, kDepth);
  CHECK(contains(verdict.message, "block 16: sum "));
  CHECK(verdict.message.back() == ')');
}

TEST_CASE("a sum that is what memory held before is recognised") {
  float poison;
  std::memset(&poison, 0xff, sizeof poison);
  const auto input = harness::uniform_floats(512, 2);
  auto sums = tree_sums(input);
  sums[1] = poison;
  CHECK(contains(harness::verify_blocks(sums, input, kBlock, kDepth).message, "block 1: sum -nan"));
  CHECK(contains(harness::verify_blocks(sums, input, kBlock, kDepth).message,
                 ": it is what memory held before the launch"));
}

TEST_CASE("the only sum is not named after a block") {
  const auto verdict = harness::verify_blocks({766.0f}, std::vector<float>(256, 3.0f), 512, harness::kExact);
  CHECK(verdict.message == "sum 766, expected 768 (|error| 2, and this sum is exact in float)");
}

TEST_CASE("many wrong blocks are counted and the first three shown") {
  const auto input = harness::small_integers(2560, 2);
  auto sums = tree_sums(input);
  for (float& sum : sums) sum += 0.5f;
  const auto message = harness::verify_blocks(sums, input, kBlock, harness::kExact).message;
  CHECK(contains(message, "block 2: "));
  CHECK_FALSE(contains(message, "block 3: "));
  CHECK(contains(message, "\nand 7 more of 10 blocks are wrong"));
}

TEST_CASE("the number of block sums is checked") {
  CHECK(harness::verify_blocks({1.0f}, std::vector<float>(257, 1.0f), kBlock, kDepth).message ==
        "1 block sums, expected 2");
}

TEST_CASE("a changed input is noticed to the bit") {
  const std::vector<float> before = {1.0f, 0.0f, 3.0f};
  CHECK(harness::verify_unchanged(before, before).ok);
  CHECK(contains(harness::verify_unchanged({1.0f, 0.0f, 4.0f}, before).message,
                 "input element 2 was 3 and is now 4"));
  CHECK_FALSE(harness::verify_unchanged({1.0f, -0.0f, 3.0f}, before).ok);
}
// SPDX-License-Identifier: MIT
