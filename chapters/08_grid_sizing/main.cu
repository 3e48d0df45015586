// Chapter 08, the program: sums n floats with a grid of any size, and shows other ways to give a thread more
// to do.
#include <kernels.cuh>

#include <numeric>
#include <vector>

#include "harness/harness.h"
#include "variants.cuh"

int main(int argc, char** argv) {
  long long wanted = 1024;
  const harness::Options options =
      harness::parse_options(argc, argv, "08_grid_sizing", "sums n floats with as many blocks as you like",
                             {{"--blocks", "blocks in the grid of the step", &wanted, 1, (1 << 30) / 1024}});
  const int n = options.n;
  const int blocks = blocks_for<kBlock>(n, static_cast<int>(wanted));
  constexpr int kPerThread = 16;
  constexpr int kTreeDepth = 8;  // levels of the tree over a tile, for the error bound
  static_assert(1 << kTreeDepth == kBlock, "one level a halving of the tile");
  const int pairs = n == 0 ? 1 : (n - 1) / (2 * kBlock) + 1;  // blocks of chapter 07
  const int stretches = n == 0 ? 1 : (n - 1) / (kPerThread * kBlock) + 1;

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_pair_sums(pairs), d_stretch_sums(stretches);
  harness::DeviceBuffer<float> d_block_sums(blocks), d_shared_sums(wanted), d_scratch(2 * blocks), d_sum(1);
  harness::Report report(options);

  // A block of the step sums elements from all over the array, so only the total can be checked. An element
  // passes through the additions of its thread; in each of at most four launches, through one addition and a
  // tree; and through the additions of a thread of the last block.
  const int depth = n / kBlock / static_cast<int>(wanted) + 4 * (kTreeDepth + 1) + blocks / kBlock + 1;
  const harness::Reference expected = harness::reference_sum(input);
  const auto verify_together = [&](const std::vector<float>& sums) {
    const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    report.verify(harness::verify_sum(static_cast<float>(total), expected, depth));
  };

  report.measure("sum_fixed<2>", bytes,
                 [&] { sum_fixed<kBlock, 2><<<pairs, kBlock>>>(d_in.data(), d_pair_sums.data(), n); });
  report.verify(harness::verify_blocks(d_pair_sums.download(), input, 2 * kBlock, 1 + kTreeDepth));
  report.measure("sum_fixed<16>", bytes, [&] {
    sum_fixed<kBlock, kPerThread><<<stretches, kBlock>>>(d_in.data(), d_stretch_sums.data(), n);
  });
  report.verify(
      harness::verify_blocks(d_stretch_sums.download(), input, kPerThread * kBlock, kPerThread + kTreeDepth));
  report.measure("sum_in_shared", bytes, [&] {
    sum_in_shared<kBlock><<<static_cast<int>(wanted), kBlock>>>(d_in.data(), d_shared_sums.data(), n);
  });
  verify_together(d_shared_sums.download());

  report.measure_step("sum_grid_stride", bytes, [&] {
    sum_grid_stride<kBlock><<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n);
  });
  verify_together(d_block_sums.download());
  report.measure("all launches", bytes, [&] {
    sum_all<kBlock>(d_in.data(), d_scratch.data(), d_sum.data(), n, static_cast<int>(wanted));
  });
  verify_together(d_sum.download());
  return report.finish();
}
// SPDX-License-Identifier: MIT
