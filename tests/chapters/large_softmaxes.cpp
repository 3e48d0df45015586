// Softmaxes of matrices of nearly 2^30 elements, of which only the rows of chosen blocks are ever touched.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "block_stores.h"
#include "harness/device_buffer.h"
#include "large_grids.h"
#include "launch_check.h"
#include "softmax_checks.h"
#include "softmax_rows.h"
#include "thresholds.h"

namespace judge {
namespace {

std::string title(const SoftmaxKernel& kernel, std::size_t rows, std::size_t columns) {
  return kernel.name + ", " + std::to_string(rows) + " rows of " + std::to_string(columns) +
         (kernel.element_bytes() == 2 ? " bfloat16 numbers" : " floats");
}

// A matrix of which chosen blocks take their rows. What a block stores is seen, so blocks may take rows in
// any order.
class LargeSoftmax {
 public:
  LargeSoftmax(const SoftmaxKernel& kernel, std::size_t columns)
      : kernel_(kernel),
        columns_(columns),
        rows_(kTwoFit / columns),
        what_(title(kernel, rows_, columns)),
        d_in_(rows_ * columns, harness::Guards::none),
        d_out_(rows_ * columns, harness::Guards::none) {
    d_in_.fill_zero();
    d_out_.fill_zero();
  }

  void check() {
    const std::size_t per_block = std::size_t(kernel_.rows_per_block), blocks = (rows_ - 1) / per_block + 1;
    std::size_t launched = 0;
    if (const OnlyBlocks first({0}); first) launched = blocks_launched([&] { run(); });
    if (launched == 0) return;
    // Next to each other, so that their order shows; where an element's byte leaves 31 and 32 bits; the last;
    // and the one that has the last row where a smaller grid goes round.
    const std::size_t of_2_to_29 = (std::size_t(1) << 29) / columns_ / per_block;
    std::vector<std::uint64_t> chosen = {
        0, 1, 2, of_2_to_29 + 1, 65537, blocks - 1, launched - 1, (blocks - 1) % launched};
    for (const Threshold& t : thresholds(2, rows_, kernel_.name))  // of rows, or of blocks
      for (const std::size_t b : {t.first - 1, t.last + 1, t.first / per_block, t.last / per_block + 1})
        chosen.push_back(b);
    const OnlyBlocks only(in_grid(chosen, launched));
    const auto stored = stores_of_blocks(d_out_.data(), rows_ * columns_, sizeof(float), [&] { run(); });
    std::map<std::size_t, std::uint64_t> owner;  // of a row
    for (const auto& [block, runs] : stored)
      for (const Elements& run : runs)
        for (std::size_t row = run.first / columns_; row <= (run.end - 1) / columns_; ++row) {
          const auto [other, is_new] = owner.emplace(row, block);
          if (!is_new && other->second != block)
            return report(Kind::wrong_result, what_ + ": blocks " + std::to_string(other->second) + " and " +
                                                  std::to_string(block) + " of " + std::to_string(blocks) +
                                                  " both store row " + std::to_string(row) +
                                                  ": another row is left out");
        }
    if (launched >= blocks) check_order(owner, per_block, blocks);
    else if (owner.empty() || owner.rbegin()->first < launched * per_block)
      report(Kind::wrong_result,
             what_ + ": the grid has " + std::to_string(launched) + " blocks, which store " +
                 std::to_string(per_block) + (per_block == 1 ? " row" : " rows") +
                 " each, and no block goes on: row " + std::to_string(launched * per_block) + " is left out");
    check_rows(owner);
  }

 private:
  void run() {
    const WithoutChecks unchecked;  // they have looked at small matrices, whose blocks do the same
    kernel_.launch(d_in_.data(), d_out_.data(), int(rows_), int(columns_));
    check_launch(what_);
  }

  // If the first blocks take their rows one after the other, all do.
  void check_order(const std::map<std::size_t, std::uint64_t>& owner, std::size_t per_block,
                   std::size_t blocks) const {
    const auto is_owned = [&](std::size_t row, std::uint64_t block) {
      const auto found = owner.find(row);
      return found != owner.end() && found->second == block;
    };
    for (std::size_t row = 0; row < 3 * per_block; ++row)
      if (!is_owned(row, row / per_block)) return;
    for (std::size_t row = (blocks - 1) * per_block; row < rows_; ++row)
      if (!is_owned(row, blocks - 1))
        return report(Kind::wrong_result,
                      what_ + ": block " + std::to_string(blocks - 1) + " does not store row " +
                          std::to_string(row) +
                          "; in the order of the first blocks it should. Does an index outgrow its type?");
  }

  void check_rows(const std::map<std::size_t, std::uint64_t>& owner) {
    std::vector<std::size_t> checked;
    for (const auto& [row, block] : owner)
      if (checked.empty() || owner.at(checked.back()) != block || !owner.contains(row + 1))
        checked.push_back(row);
    const std::vector<float> input = make_row(RowKind::rising, int(columns_), harness::RowType::float32);
    for (const std::size_t row : checked) copy_in(d_in_.data() + row * columns_, input);
    run();
    for (const std::size_t row : checked) {
      const std::vector<float> got = copy_out(d_out_.data() + row * columns_, columns_);
      const auto verdict = harness::verify_softmax(
          got, input, 1, int(columns_), merges_of(kernel_, int(columns_)), harness::RowType::float32, row);
      if (!verdict)
        return report(Kind::wrong_result,
                      what_ + ": " + verdict.message +
                          "; smaller matrices are right. Does an index, or its bytes, outgrow its type?");
    }
  }

  const SoftmaxKernel& kernel_;
  std::size_t columns_, rows_;
  std::string what_;
  harness::DeviceBuffer<float> d_in_, d_out_;
};

}  // namespace

void check_large_indices(const SoftmaxKernel& kernel, const std::vector<int>& columns) {
  for (const int length : columns) LargeSoftmax(kernel, std::size_t(length)).check();
}

namespace {

// So many rows of zeros, of which the last blocks take theirs: what only those do is not to vanish in the mean of others.
bool keeps_in_a_large_grid(const SoftmaxKernel& kernel, std::size_t rows, int columns,
                           const std::vector<Limit>& limits) {
  const std::size_t per_block = std::size_t(kernel.rows_per_block), elements = rows * std::size_t(columns);
  const std::size_t blocks = rows / per_block;
  const std::vector<std::uint64_t> chosen = in_grid({blocks - 2, blocks - 1}, blocks);
  const OnlyBlocks only(chosen);
  if (!only) return true;
  harness::GuardedMemory d_in(elements * kernel.element_bytes(), harness::Guards::none),
      d_out(elements * kernel.element_bytes(), harness::Guards::none);
  d_in.fill(0);
  return check_counts(
      title(kernel, rows, columns), int(chosen.size()),
      [&] { kernel.launch(d_in.data(), d_out.data(), int(rows), columns); }, limits);
}

}  // namespace

bool check_counts_in_large_grids(const SoftmaxKernel& kernel, int columns, const std::vector<Limit>& limits) {
  const std::size_t unit = std::size_t(kernel.rows_per_block),
                    most = kTwoFit / std::size_t(columns) / unit * unit;
  std::vector<std::size_t> all = sizes_around_thresholds(unit, most, unit, kernel.name);
  for (std::size_t& rows : all) rows = std::min(most, rows);
  // The number may be that of a block.
  for (const Threshold& t : thresholds(2, most / unit / 2, kernel.name))
    all.push_back((t.last + t.last / 8 + 2) * unit);
  return std::ranges::all_of(
      all, [&](std::size_t rows) { return keeps_in_a_large_grid(kernel, rows, columns, limits); });
}

}  // namespace judge
// SPDX-License-Identifier: MIT
