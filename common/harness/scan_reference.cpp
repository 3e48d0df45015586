#include "harness/scan_reference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

namespace harness {
namespace {

// The oracle's sums at element i. Their rounding does not matter: 2^30 additions in double lose less than one
// addition in float.
struct FloatSum {
  Reference sum;
  void add(float x) {
    sum.sum += x;
    sum.sum_abs += std::fabs(x);
  }
};
struct IntSum {
  std::int64_t sum = 0;
  void add(int x) { sum += x; }
};

// Which other value a wrong element equals, as a text; "" if it is none that we know. `before` and `through`
// are the right exclusive and inclusive sums.
template <typename T, typename Sum>
std::string cause(T got, T input, Sum before, Sum through, ScanKind kind) {
  const bool inclusive = kind == ScanKind::inclusive;
  if (Sum(got) == (inclusive ? before : through))
    return inclusive ? ": that is the exclusive sum" : ": that is the inclusive sum";
  if (got == (inclusive ? input : T{})) return ": the scan starts again here";
  return "";
}

std::string wrong_size(std::size_t got, std::size_t expected) {
  return std::to_string(got) + " elements, expected " + std::to_string(expected);
}

// Calls right(i, before, through) for each element, until it returns a message.
template <typename Sum, typename T, typename Right>
Verdict verify(const std::vector<T>& got, const std::vector<T>& input, Right right) {
  if (verifies_nothing()) return {};
  if (got.size() != input.size()) return {false, wrong_size(got.size(), input.size())};
  Sum before, through;
  for (std::size_t i = 0; i < input.size(); ++i) {
    through.add(input[i]);
    const std::string message = right(i, before, through);
    if (!message.empty()) return {false, "element " + std::to_string(i) + ": " + message};
    before = through;
  }
  return {};
}

}  // namespace

Verdict verify_scan(const std::vector<float>& got, const std::vector<float>& input, ScanKind kind,
                    int depth) {
  return verify<FloatSum>(got, input, [&](std::size_t i, const FloatSum& before, const FloatSum& through) {
    const Reference& expected = kind == ScanKind::inclusive ? through.sum : before.sum;
    const int additions = static_cast<int>(std::min<std::size_t>(depth, i + 1));
    const double allowed = tolerance(expected, additions);
    if (allowed < expected.sum_abs && std::fabs(got[i] - expected.sum) <= allowed) return std::string();
    const Verdict verdict = verify_sum(got[i], expected, additions);
    if (verdict.ok) return std::string();
    return verdict.message + cause(got[i], input[i], before.sum.sum, through.sum.sum, kind);
  });
}

Verdict verify_scan(const std::vector<int>& got, const std::vector<int>& input, ScanKind kind) {
  return verify<IntSum>(got, input, [&](std::size_t i, const IntSum& before, const IntSum& through) {
    const std::int64_t expected = kind == ScanKind::inclusive ? through.sum : before.sum;
    if (got[i] == static_cast<int>(expected)) return std::string();
    return "sum " + std::to_string(got[i]) + ", expected " + std::to_string(expected) +
           cause(got[i], input[i], before.sum, through.sum, kind);
  });
}

}  // namespace harness
// SPDX-License-Identifier: MIT
