#include "softmax_checks.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "harness/device.h"
#include "measurements.h"
#include "simulated.h"
#include "softmax_causes.h"
#include "softmax_rows.h"
#include "thresholds.h"

namespace judge {
namespace {

using harness::Guards;
using harness::RowType;

constexpr RowKind kFew[] = {RowKind::small, RowKind::rising};

std::string title(const SoftmaxKernel& kernel, int rows, int columns) {
  return kernel.name + ", " + std::to_string(rows) + (rows == 1 ? " row of " : " rows of ") +
         std::to_string(columns) + (kernel.type == RowType::bfloat16 ? " bfloat16 numbers" : " floats");
}

std::vector<float> rows_of(const std::vector<RowKind>& kinds, int columns, RowType type) {
  std::vector<float> all;
  for (const RowKind kind : kinds) {
    const std::vector<float> row = make_row(kind, columns, type);
    all.insert(all.end(), row.begin(), row.end());
  }
  return all;
}

// Runs the kernel on rows of these kinds, and reports the first wrong one with its cause.
std::vector<float> check_kinds(const SoftmaxKernel& kernel, const std::vector<RowKind>& kinds, int columns,
                               Guards guards, const std::string& how = "", bool in_place = false) {
  const int rows = int(kinds.size());
  const std::string what = title(kernel, rows, columns) + how;
  const std::vector<float> input = rows_of(kinds, columns, kernel.type);
  const std::vector<float> got = run_rows(kernel, input, rows, columns, guards, what, in_place);
  for (std::size_t row = 0; row < kinds.size(); ++row) {
    const auto begin = std::ptrdiff_t(row) * columns, end = begin + columns;
    const std::vector<float> is(got.begin() + begin, got.begin() + end),
        of(input.begin() + begin, input.begin() + end);
    const harness::Verdict verdict =
        harness::verify_softmax(is, of, 1, columns, merges_of(kernel, columns), kernel.type, row);
    if (verdict) continue;
    const std::string why = why_wrong(kernel, of);
    report(Kind::wrong_result, what + ", the row of " + describe(kinds[row]) + ": " + verdict.message +
                                   (why.empty() ? "" : "; " + why));
  }
  return got;
}

// One row of these values.
void check_values(const SoftmaxKernel& kernel, std::vector<float> row, const std::string& how) {
  if (kernel.type == RowType::bfloat16) row = harness::from_bfloat16(harness::to_bfloat16(row));
  const int columns = int(row.size());
  const std::string what = title(kernel, 1, columns) + how;
  const std::vector<float> got = run_rows(kernel, row, 1, columns, Guards::zones, what, false);
  const harness::Verdict verdict =
      harness::verify_softmax(got, row, 1, columns, merges_of(kernel, columns), kernel.type, 0);
  if (!verdict) report(Kind::wrong_result, what + ": " + verdict.message);
}

std::vector<RowKind> all_kinds() {
  std::vector<RowKind> kinds;
  for (int kind = 0; kind < kKinds; ++kind) kinds.push_back(RowKind(kind));
  return kinds;
}

bool same_bits(const std::vector<float>& x, const std::vector<float>& y) {
  return x.size() == y.size() &&
         (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0);
}

}  // namespace

void check_bounds(const SoftmaxKernel& kernel) {
  const Guards ends = harness::is_simulated() ? Guards::none : Guards::zones;
  for (const int columns : {1, 7, 33, 100})
    check_kinds(kernel, {kFew[0], kFew[1], kFew[0]}, columns, ends, ", arrays of that size");
}

void check_rows(const SoftmaxKernel& kernel, const std::vector<int>& columns) {
  for (const int length : columns) check_kinds(kernel, all_kinds(), length, Guards::zones);
  constexpr std::size_t kMostFilled = 1 << 16;
  for (const std::size_t length : sizes_around_thresholds(2, kMostFilled, 1, kernel.name))
    check_kinds(kernel, {RowKind::small, RowKind::one_masked, RowKind::nan_inside}, int(length),
                Guards::zones);
  // Values on both sides of the numbers with which the kernel compares.
  for (const float t : float_thresholds(kernel.name))
    for (const float value : {t, -t}) {
      std::vector<float> row = make_row(RowKind::small, 100, kernel.type);
      for (float& x : row) x = value + 0.5f * std::fmin(t, 8.0f) * x;
      check_values(kernel, row, ", values around " + harness::digits(value));
    }
}

void check_long_rows(const SoftmaxKernel& kernel, int columns) {
  check_kinds(kernel, {RowKind::one_masked, RowKind::far_below}, columns, Guards::zones);
}

void check_row_counts(const SoftmaxKernel& kernel) {
  for (const int rows : {0, 1, 8, 9, 257})
    check_kinds(kernel, std::vector<RowKind>(std::size_t(rows), RowKind::small), 3, Guards::zones);
  check_kinds(kernel, {RowKind::small, RowKind::small}, 0, Guards::zones);
}

void check_in_place(const SoftmaxKernel& kernel, int columns) {
  check_kinds(kernel, {RowKind::small, RowKind::rising, RowKind::falling}, columns, Guards::zones,
              ", in place", true);
}

void check_schedules(const SoftmaxKernel& kernel, int columns) {
  const std::vector<RowKind> kinds = {RowKind::small, RowKind::rising};
  const std::vector<float> together = check_kinds(kernel, kinds, columns, Guards::zones);
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    const std::string how = " in schedule " + schedule;
    if (!same_bits(check_kinds(kernel, kinds, columns, Guards::zones, how), together))
      report(Kind::wrong_result,
             title(kernel, 2, columns) + how +
                 ": other bits than in lockstep: the result depends on which lane comes first");
  }
}

void check_repeatable(const SoftmaxKernel& kernel, int columns) {
  const std::vector<RowKind> first = {RowKind::small, RowKind::wide},
                             second = {RowKind::rising, RowKind::equal};
  const std::vector<float> once = check_kinds(kernel, first, columns, Guards::zones);
  check_kinds(kernel, second, columns, Guards::zones, ", after another launch");
  if (!same_bits(check_kinds(kernel, first, columns, Guards::zones, ", once more"), once))
    report(Kind::wrong_result, title(kernel, 2, columns) + ": the same rows a second time have other bits");
}

bool check_counts(const SoftmaxKernel& kernel, int columns, const std::vector<Limit>& limits,
                  int rows_in_a_block) {
  const int blocks = rows_in_a_block == 0 ? 2 : 1;
  const int rows = rows_in_a_block == 0 ? blocks * kernel.rows_per_block : rows_in_a_block;
  constexpr RowKind kInTurn[] = {RowKind::some_infinite, RowKind::small, RowKind::falling,
                                 RowKind::wide,          RowKind::equal, RowKind::nan_inside};
  std::vector<RowKind> kinds;
  for (int row = 0; row < rows; ++row) kinds.push_back(kInTurn[std::size_t(row) % std::size(kInTurn)]);
  const std::vector<float> input = rows_of(kinds, columns, kernel.type);
  std::vector<std::uint16_t> bits;
  if (kernel.type == RowType::bfloat16) bits = harness::to_bfloat16(input);
  harness::GuardedMemory d_in(input.size() * kernel.element_bytes(), Guards::zones),
      d_out(input.size() * kernel.element_bytes(), Guards::zones);
  d_in.upload(bits.empty() ? static_cast<const void*>(input.data()) : bits.data());
  const bool kept = check_counts(
      title(kernel, rows, columns), blocks, [&] { kernel.launch(d_in.data(), d_out.data(), rows, columns); },
      limits);
  return kept &&
         (rows_in_a_block > 0 || !goal().empty() || check_counts_in_large_grids(kernel, columns, limits));
}

bool check_counts_of_lengths(const SoftmaxKernel& kernel, int unit, int most,
                             const std::function<std::vector<Limit>(int columns)>& limits_of) {
  return std::ranges::all_of(
      sizes_around_thresholds(std::size_t(unit), std::size_t(most), std::size_t(unit), kernel.name),
      [&](std::size_t columns) { return check_counts(kernel, int(columns), limits_of(int(columns)), 1); });
}

}  // namespace judge
// SPDX-License-Identifier: MIT
