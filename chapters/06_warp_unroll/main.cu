// Chapter 06, the program: sums n floats by chapter 05's plan C, and by the same with a last warp that waits
// only for itself, side by side; then by warps that sum a stretch each.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

namespace chapter_05 {  // has a kBlock of its own
#include "solutions/05_idle_threads/kernels.cuh"
}

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "06_warp_unroll", "sums n floats; the last warp of a block finishes alone");
  const int n = options.n;
  const int blocks = n == 0 ? 1 : (n - 1) / kElements + 1;  // no launch may be empty
  constexpr int kDepth = 9;  // one addition while loading, 8 levels of the tree: for the error bound
  static_assert(1 << kDepth == kElements, "one level a halving of the tile");
  static_assert(chapter_05::kBlock == kBlock && chapter_05::kElementsC == kElements, "one launch for both");

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_block_sums(blocks);
  harness::DeviceBuffer<float> d_warp_sums(n == 0 ? 1 : (n - 1) / kWarpElements + 1);
  harness::Report report(options);

  const auto verify = [&] {
    report.verify(harness::verify_blocks(d_block_sums.download(), input, kElements, kDepth));
    d_block_sums.fill_poison();  // so no kernel passes with another's leftover sums
  };

  report.measure("sum_adjacent_tiles", bytes, [&] {
    chapter_05::sum_adjacent_tiles<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n);
  });
  verify();

  report.measure_step("sum_warp_tail", bytes,
                      [&] { sum_warp_tail<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); });
  verify();

  constexpr int kWarpDepth = 6;  // one addition while loading, 5 levels
  static_assert(1 << kWarpDepth == kWarpElements, "one level a halving of the stretch");
  report.measure("sum_by_warps", bytes,
                 [&] { sum_by_warps<<<blocks, kBlock>>>(d_in.data(), d_warp_sums.data(), n); });
  report.verify(harness::verify_blocks(d_warp_sums.download(), input, kWarpElements, kWarpDepth));
  return report.finish();
}
// SPDX-License-Identifier: MIT
