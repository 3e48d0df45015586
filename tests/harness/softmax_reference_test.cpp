// The oracles of softmax and RMSNorm: against rows worked out by hand, and against errors that they must
// find.
#include "harness/softmax_reference.h"

#include <cmath>
#include <limits>

#include <doctest/doctest.h>

namespace {

using harness::RowType;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNaN = std::numeric_limits<float>::quiet_NaN();

bool is_softmax(const std::vector<float>& got, const std::vector<float>& input, int merges = 4,
                RowType type = RowType::float32) {
  return bool(harness::verify_softmax(got, input, 1, int(input.size()), merges, type));
}

}  // namespace

TEST_CASE("a softmax by hand") {
  const float third = std::log(2.0f);  // exp(0) : exp(log 2) is 1 : 2
  CHECK(is_softmax({1 / 3.0f, 2 / 3.0f}, {0, third}));
  CHECK_FALSE(is_softmax({2 / 3.0f, 1 / 3.0f}, {0, third}));
  CHECK(is_softmax({1}, {1e30f}));
  CHECK(is_softmax({0.5f, 0.5f, 0}, {500, 500, -500}));
  CHECK(is_softmax({0.5f, 0.5f, 0}, {3, 3, -kInfinity}));
}

TEST_CASE("the bound grows with merges and with the distance from the maximum and ends there") {
  const double u = 0x1p-24;
  const std::vector<float> equal = {2, 2};  // D and d are 0: 6 L + 12
  for (const int merges : {0, 10}) {
    const double allowed = u * (6 * merges + 12);
    CHECK(is_softmax({float(0.5 * (1 + 0.9 * allowed)), 0.5f}, equal, merges));
    CHECK_FALSE(is_softmax({float(0.5 * (1 + 1.3 * allowed)), 0.5f}, equal, merges));
  }
  const std::vector<float> far = {0, -50};
  const double small = std::exp(-50.0);
  CHECK(is_softmax({1, float(small * (1 + 150 * u))}, far, 0));
  CHECK_FALSE(is_softmax({1, float(small * (1 + 200 * u))}, far, 0));
}

TEST_CASE("what a row of infinities or NaN becomes") {
  CHECK(is_softmax({kNaN, kNaN}, {-kInfinity, -kInfinity}));
  CHECK_FALSE(is_softmax({0.5f, 0.5f}, {-kInfinity, -kInfinity}));
  CHECK(is_softmax({kNaN, kNaN}, {kNaN, 1}));
  CHECK_FALSE(is_softmax({0, 1}, {kNaN, 1}));
  CHECK(is_softmax({kNaN, kNaN}, {kInfinity, 1}));
  CHECK_FALSE(is_softmax({kNaN, 1}, {0, 1}));
}

TEST_CASE("a message names the first wrong element and counts rows from where the caller says") {
  const auto verdict =
      harness::verify_softmax({0.5f, 0.5f, 0.25f, 0.5f}, {1, 1, 1, 1}, 2, 2, 1, RowType::float32, 7);
  CHECK_FALSE(verdict);
  CHECK(verdict.message.find("out[8][0] is 0.25, expected 0.5 (|error| 0.25 > ") == 0);
  CHECK(verdict.message.find("; 1 of 4 elements compared are wrong") != std::string::npos);
  CHECK(harness::verify_softmax({}, {}, 0, 5, 1));
  CHECK(harness::verify_softmax({}, {}, 5, 0, 1));
}

TEST_CASE("bfloat16 is rounded to the nearest and to even if two are equally near") {
  CHECK(harness::to_bfloat16(1.0f) == 0x3f80);
  CHECK(harness::to_bfloat16(1.00390625f) == 0x3f80);  // 1 + 2^-8: half way, and 0x3f80 is even
  CHECK(harness::to_bfloat16(1.01171875f) == 0x3f82);  // 1 + 3 * 2^-8: half way, and 0x3f82 is even
  CHECK(harness::to_bfloat16(-kInfinity) == 0xff80);
  CHECK(std::isnan(harness::from_bfloat16(harness::to_bfloat16(kNaN))));
  CHECK(harness::from_bfloat16(0x4049) == 3.140625f);
}

TEST_CASE("a result of bfloat16 may be half a unit off and no more") {
  const std::vector<float> input = {0, 0, 0};
  const float nearest = harness::from_bfloat16(harness::to_bfloat16(1 / 3.0f));
  CHECK(is_softmax({nearest, nearest, nearest}, input, 4, RowType::bfloat16));
  const float next = harness::from_bfloat16(std::uint16_t(harness::to_bfloat16(1 / 3.0f) + 2));
  CHECK_FALSE(is_softmax({next, nearest, nearest}, input, 4, RowType::bfloat16));
}

TEST_CASE("a root mean square by hand") {
  const std::vector<float> input = {3, 4}, weights = {1, 2};  // mean of squares: 12.5
  const float scale = 1 / std::sqrt(12.5f);
  CHECK(harness::verify_rms_norm({3 * scale, 8 * scale}, input, weights, 0, 1, 2, 2));
  CHECK_FALSE(harness::verify_rms_norm({3 * scale, 4 * scale}, input, weights, 0, 1, 2, 2));
  CHECK_FALSE(harness::verify_rms_norm({3 * scale * 1.00001f, 8 * scale}, input, weights, 0, 1, 2, 2));
}
// SPDX-License-Identifier: MIT
