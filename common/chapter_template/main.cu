// Chapter NN, the program: sums n floats, a tile of 1024 for each block.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

int main(int argc, char** argv) {
  constexpr const char* kProgram = "NN_topic";
  constexpr const char* kSummary = "sums n floats, a tile of 1024 for each block";
  const harness::Options options = harness::parse_options(argc, argv, kProgram, kSummary);
  const int n = options.n;
  const int blocks = n == 0 ? 1 : (n - 1) / kTile + 1;  // no launch may be empty
  constexpr int kDepth = kEach + 8;                     // additions one after another, for the error bound
  static_assert(1 << 8 == kBlock, "one level for each halving of the block");

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_tile_sums(blocks);
  harness::Report report(options);

  report.measure_step(
      "sum_tile", bytes, [&] { sum_tile<<<blocks, kBlock>>>(d_in.data(), d_tile_sums.data(), n); },
      [&] { d_tile_sums.fill_poison(); });  // a sum that no block writes cannot look right
  report.verify(harness::verify_blocks(d_tile_sums.download(), input, kTile, kDepth));
  report.verify(harness::verify_unchanged(d_in.download(), input));
  return report.finish();
}
// SPDX-License-Identifier: MIT
