#include "harness/reference.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "harness/device_buffer.h"

namespace harness {
namespace {

constexpr double kUnitRoundoff = 1.0 / (1 << 24);  // of float
constexpr double kSafety = 2.0;
constexpr std::size_t kBlocksShown = 3;
constexpr const char* kAsBefore = "it is what memory held before the launch";

bool is_nothing_verified = false;

Verdict wrong(std::string message) { return {false, std::move(message)}; }

bool is_poison(float value) {
  unsigned char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  return std::all_of(bytes, bytes + sizeof value,
                     [](unsigned char b) { return b == GuardedMemory::kPattern; });
}

}  // namespace

void verify_nothing() { is_nothing_verified = true; }
bool verifies_nothing() { return is_nothing_verified; }

std::string digits(double value, int significant) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", significant, value);
  return text;
}

std::string exceeding(double error, double allowed) {
  constexpr int kFew = 2;
  if (digits(error, kFew) == digits(allowed, kFew)) return digits(error) + " > " + digits(allowed);
  return digits(error, kFew) + " > " + digits(allowed, kFew);
}

Reference reference_sum(const float* values, std::size_t count) {
  Reference reference;
  if (verifies_nothing()) return reference;
  double lost = 0;  // the low-order bits that additions to `sum` have dropped
  for (std::size_t i = 0; i < count; ++i) {
    const double x = values[i];
    const double sum = reference.sum + x;
    lost += std::fabs(reference.sum) >= std::fabs(x) ? (reference.sum - sum) + x : (x - sum) + reference.sum;
    reference.sum = sum;
    reference.sum_abs += std::fabs(x);
  }
  reference.sum += lost;
  return reference;
}

double tolerance(const Reference& reference, int depth) {
  return kSafety * depth * kUnitRoundoff * reference.sum_abs;
}

Verdict verify_sum(float got, const Reference& expected, int depth) {
  if (verifies_nothing()) return {};
  const double allowed = tolerance(expected, depth);
  if (expected.sum_abs > 0 && allowed >= expected.sum_abs) {
    return wrong("cannot be judged: " + std::to_string(depth) +
                 " additions in a row may lose everything; use inputs whose sum is exact");
  }
  const double error = std::fabs(got - expected.sum);
  if (error <= allowed) return {};  // false for NaN
  const std::string sums = "sum " + digits(got) + ", expected " + digits(expected.sum);
  if (!std::isfinite(got)) return wrong(sums);
  return wrong(sums + " (|error| " +
               (depth == kExact ? digits(error, 2) + ", and this sum is exact in float)"
                                : exceeding(error, allowed) + ")"));
}

Verdict verify_blocks(const std::vector<float>& block_sums, const std::vector<float>& input,
                      std::size_t per_block, int depth) {
  if (verifies_nothing()) return {};
  const bool one_of_nothing = input.empty() && block_sums.size() == 1;
  const std::size_t blocks = one_of_nothing ? 1 : (input.size() + per_block - 1) / per_block;
  if (block_sums.size() != blocks) {
    return wrong(std::to_string(block_sums.size()) + " block sums, expected " + std::to_string(blocks));
  }
  std::string message;
  std::size_t wrong_blocks = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    const std::size_t first = b * per_block, end = std::min(input.size(), first + per_block);
    const Reference expected = reference_sum(input.data() + first, end - first);
    const Verdict verdict = verify_sum(block_sums[b], expected, depth);
    if (verdict.ok || ++wrong_blocks > kBlocksShown) continue;
    const std::string cause = is_poison(block_sums[b]) ? kAsBefore : "";
    const std::string which = blocks == 1 ? "" : "block " + std::to_string(b) + ": ";
    message += (message.empty() ? "" : "\n") + which + verdict.message + (cause.empty() ? "" : ": " + cause);
  }
  if (wrong_blocks == 0) return {};
  if (wrong_blocks > kBlocksShown) {
    message += "\nand " + std::to_string(wrong_blocks - kBlocksShown) + " more of " + std::to_string(blocks) +
               " blocks are wrong";
  }
  return wrong(message);
}

Verdict verify_unchanged(const std::vector<float>& now, const std::vector<float>& before) {
  if (verifies_nothing()) return {};
  if (now.size() != before.size()) {
    return wrong("the input had " + std::to_string(before.size()) + " elements and now has " +
                 std::to_string(now.size()));
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (std::memcmp(&now[i], &before[i], sizeof(float)) == 0) continue;
    return wrong("input element " + std::to_string(i) + " was " + digits(before[i]) + " and is now " +
                 digits(now[i]) + ": the kernel overwrites its input");
  }
  return {};
}

}  // namespace harness
// SPDX-License-Identifier: MIT
