#include "softmax_causes.h"

#include <algorithm>
#include <cmath>

#include "softmax_rows.h"

namespace judge {
namespace {

// Whether the kernel takes the softmax of this row alone.
bool is_right(const SoftmaxKernel& kernel, std::vector<float> row) {
  const int columns = int(row.size());
  if (kernel.type == harness::RowType::bfloat16)
    for (float& x : row) x = harness::from_bfloat16(harness::to_bfloat16(x));
  const std::vector<float> got = run_rows(kernel, row, 1, columns, harness::Guards::zones,
                                          kernel.name + ", a row of " + std::to_string(columns));
  return bool(harness::verify_softmax(got, row, 1, columns, merges_of(kernel, columns), kernel.type));
}

bool is_finite(const std::vector<float>& row) {
  return std::ranges::all_of(row, [](float x) { return std::isfinite(x); });
}

std::vector<float> shifted(std::vector<float> row, float by) {
  for (float& x : row) x += by;
  return row;
}

// The same values, again and again, in a row that is a multiple of `lanes` long.
std::vector<float> filled_up(std::vector<float> row, int lanes) {
  const std::size_t whole = (row.size() + std::size_t(lanes) - 1) / std::size_t(lanes) * std::size_t(lanes),
                    had = row.size();
  for (std::size_t i = had; i < whole; ++i) row.push_back(row[i % had]);
  return row;
}

}  // namespace

std::string why_wrong(const SoftmaxKernel& kernel, const std::vector<float>& row) {
  if (row.empty()) return "";
  if (std::ranges::any_of(row, [](float x) { return std::isinf(x) && x < 0; }) && !is_finite(row)) {
    std::vector<float> finite = row;
    std::ranges::replace_if(finite, [](float x) { return std::isinf(x) && x < 0; }, -1e4f);
    const bool any = std::ranges::any_of(row, [](float x) { return std::isfinite(x); });
    if (any && is_right(kernel, finite))
      return "with -10000 in place of every -inf the row is right: while a thread has seen nothing but -inf, "
             "its maximum is -inf, and -inf - (-inf) is NaN";
    return "";
  }
  if (!is_finite(row)) return "";

  const float most = std::ranges::max(row), least = std::ranges::min(row);
  if ((most > 88 || most < -80) && is_right(kernel, shifted(row, -most)))
    return "with the maximum subtracted from every element beforehand the row is right: exp(x) is more than "
           "a float holds where x is above 88, and 0 where all x are below -104; exp(x - maximum) is neither";
  const std::vector<float> whole = filled_up(row, kernel.fills);
  if (whole.size() != row.size() && is_right(kernel, whole))
    return "a row of " + std::to_string(whole.size()) + " elements, which gives every one of its " +
           std::to_string(kernel.lanes) +
           " threads as many, is right: a thread without an element must bring a maximum of -inf and a sum of 0";
  if (least == most || !is_right(kernel, std::vector<float>(row.size(), 1.0f))) return "";
  std::vector<float> falling = row;
  std::ranges::sort(falling, std::greater<>());
  if (is_right(kernel, falling))
    return "the same elements in falling order are right: when the maximum grows, the sum so far must be "
           "multiplied by exp(old maximum - new maximum)";
  return "a row of equal elements is right: sums that were taken with different maxima subtracted must be "
         "multiplied by exp(own maximum - common maximum) before they are added";
}

}  // namespace judge
// SPDX-License-Identifier: MIT
