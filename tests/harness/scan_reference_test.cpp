// The oracle for scans: right ones pass, wrong ones fail with a message that says where and why.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "harness/inputs.h"
#include "harness/scan_reference.h"

namespace {

using harness::ScanKind;
using harness::verify_scan;

constexpr std::size_t kSection = 64;

// What a right kernel returns: each section in float, then the section's offset in float.
std::vector<float> scan_in_sections(const std::vector<float>& input, ScanKind kind) {
  std::vector<float> out;
  float before = 0;
  for (std::size_t first = 0; first < input.size(); first += kSection) {
    float sum = 0;
    for (std::size_t i = first; i < std::min(input.size(), first + kSection); ++i) {
      if (kind == ScanKind::exclusive) out.push_back(before + sum);
      sum += input[i];
      if (kind == ScanKind::inclusive) out.push_back(before + sum);
    }
    before += sum;
  }
  return out;
}

std::string message(const std::vector<float>& got, const std::vector<float>& input,
                    ScanKind kind = ScanKind::inclusive) {
  return verify_scan(got, input, kind, 1000).message;
}

}  // namespace

TEST_CASE("right scans of floats and ints pass") {
  for (std::size_t n : {0, 1, 63, 64, 65, 5000})
    for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
      const std::vector<float> rough = harness::uniform_floats(n, 1), exact = harness::small_integers(n, 1);
      CHECK(verify_scan(scan_in_sections(rough, kind), rough, kind, 5000).message == "");
      CHECK(verify_scan(scan_in_sections(exact, kind), exact, kind, harness::kExact).message == "");
    }
  CHECK(verify_scan({3, 2, 6}, std::vector<int>{3, -1, 4}, ScanKind::inclusive));
  CHECK(verify_scan({0, 3, 2}, std::vector<int>{3, -1, 4}, ScanKind::exclusive));
}

TEST_CASE("a wrong scan is named by its first wrong element and what it is instead") {
  const std::vector<float> input = harness::uniform_floats(5000, 1);
  const std::vector<float> right = scan_in_sections(input, ScanKind::inclusive);
  CHECK(message(scan_in_sections(input, ScanKind::exclusive), input).find("that is the exclusive sum") !=
        std::string::npos);
  CHECK(message(right, input, ScanKind::exclusive).find("that is the inclusive sum") != std::string::npos);

  std::vector<float> restarts = right;
  restarts[4096] = input[4096];
  CHECK(message(restarts, input).rfind("element 4096: sum ", 0) == 0);
  CHECK(message(restarts, input).find("the scan starts again here") != std::string::npos);

  CHECK(verify_scan({3, 2, 7}, std::vector<int>{3, -1, 4}, ScanKind::inclusive).message ==
        "element 2: sum 7, expected 6");
  CHECK(verify_scan({3, 2, 4}, std::vector<int>{3, -1, 4}, ScanKind::inclusive).message ==
        "element 2: sum 4, expected 6: the scan starts again here");
}

TEST_CASE("a missing element and a NaN and a wrong length do not pass as a scan") {
  const std::vector<float> input = harness::uniform_floats(5000, 1);
  std::vector<float> got = scan_in_sections(input, ScanKind::inclusive);
  CHECK(message({}, input) == "0 elements, expected 5000");
  got[17] = std::numeric_limits<float>::quiet_NaN();
  CHECK(message(got, input).rfind("element 17: ", 0) == 0);
  got = scan_in_sections(input, ScanKind::inclusive);
  for (std::size_t i = 3000; i < got.size(); ++i) got[i] -= input[3000];
  CHECK(message(got, input).rfind("element 3000: ", 0) == 0);
}

TEST_CASE("ones in float stop being counted at 2^24 and the oracle notices") {
  const std::vector<float> ones((1 << 24) + 3, 1.0f);  // an input as no test should have it
  std::vector<float> in_order;
  float sum = 0;
  for (float one : ones) in_order.push_back(sum += one);
  CHECK(verify_scan(in_order, ones, ScanKind::inclusive, harness::kExact)
            .message.rfind("element 16777216: sum 16777216, expected 16777217", 0) == 0);
}
// SPDX-License-Identifier: MIT
