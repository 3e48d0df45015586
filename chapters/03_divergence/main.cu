// Chapter 03, the program: sums n floats by chapter 02's tree, by that tree without the remainder, and by
// that tree with its work packed into whole warps, for comparison. Then it sums short rows.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"
#include "sum_masked.cuh"

namespace chapter_02 {  // has a kBlock of its own
#include "solutions/02_shared_memory/kernels.cuh"
}

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "03_divergence", "sums n floats with as few warps at work as will do");
  const int n = options.n;
  const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // no launch may be empty
  constexpr int kTreeDepth = 8;  // levels of the tree over a tile, for the error bound
  static_assert(1 << kTreeDepth == kBlock, "one level a halving of the tile");
  static_assert(chapter_02::kBlock == kBlock, "one launch configuration serves both");

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

  report.measure("sum_tile", bytes,
                 [&] { chapter_02::sum_tile<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); });
  verify();

  report.measure("sum_masked", bytes,
                 [&] { sum_masked<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); });
  verify();

  report.measure_step("sum_strided", bytes,
                      [&] { sum_strided<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); });
  verify();

  constexpr int kRowDepth = 5;
  static_assert(1 << kRowDepth == kRow, "one level a halving of the row");
  report.measure("sum_rows", bytes, [&] { sum_rows<<<blocks, kBlock>>>(d_in.data(), d_row_sums.data(), n); });
  report.verify(harness::verify_blocks(d_row_sums.download(), input, kRow, kRowDepth));
  return report.finish();
}
// SPDX-License-Identifier: MIT
