// Chapter 02, the program: sums n floats by chapter 01's tree, with the partial sums in shared memory.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "02_shared_memory", "sums n floats, a tile of 256 at a time in shared memory");
  const int n = options.n;
  const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // no launch may be empty
  constexpr int kTreeDepth = 8;  // levels of the tree over a tile, for the error bound
  static_assert(1 << kTreeDepth == kBlock, "one level a halving of the tile");

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_block_sums(blocks);
  harness::Report report(options);

  // The starter's kernel destroys its input, so every run gets a fresh copy. The copying is not timed.
  report.measure_step(
      "sum_tile", bytes, [&] { sum_tile<<<blocks, kBlock>>>(d_in.data(), d_block_sums.data(), n); },
      [&] { d_in.upload(input); });
  report.verify(harness::verify_blocks(d_block_sums.download(), input, kBlock, kTreeDepth));
  return report.finish();
}
// SPDX-License-Identifier: MIT
