// Chapter 04, the program: compares two trees that keep the work in whole warps, each summing n floats.
// Chapter 03's tree adds neighbours first; this chapter's adds elements half a tile apart first. Then the
// program sums rows, with one thread for each row.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

namespace chapter_03 {  // has a kBlock of its own
#include "solutions/03_divergence/kernels.cuh"
}

int main(int argc, char** argv) {
  const harness::Options options =
      harness::parse_options(argc, argv, "04_bank_conflicts", "sums n floats without bank conflicts");
  const int n = options.n;
  const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // no launch may be empty
  constexpr int kTreeDepth = 8;  // levels of the tree over a tile, for the error bound
  static_assert(1 << kTreeDepth == kBlock, "one level a halving of the tile");
  static_assert(chapter_03::kBlock == kBlock, "one launch configuration serves both");

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_block_sums(blocks);
  harness::DeviceBuffer<float> d_row_sums(n == 0 ? 1 : (n - 1) / kRow + 1);
  harness::Report report(options);

  const auto verify = [&] {
    report.verify(harness::verify_blocks(d_block_sums.download(), input, kBlock, kTreeDepth));
    d_block_sums.fill_poison();  // so no kernel passes with another's leftover sums
  };

  report.measure("sum_strided", bytes,
                 [&] { chapter_03::sum_strided<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); });
  verify();

  report.measure_step("sum_sequential", bytes,
                      [&] { sum_sequential<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); });
  verify();

  const int row_blocks = n == 0 ? 1 : (n - 1) / (kRowsPerBlock * kRow) + 1;
  report.measure("sum_rows", bytes,
                 [&] { sum_rows<<<row_blocks, kRowsPerBlock>>>(d_in.data(), d_row_sums.data(), n); });
  report.verify(harness::verify_blocks(d_row_sums.download(), input, kRow, kRow));
  return report.finish();
}
// SPDX-License-Identifier: MIT
