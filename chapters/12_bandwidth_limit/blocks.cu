// Chapter 12, experiment: how many blocks? Tries from too few to fill the GPU up to one per round of loads.
#include <kernels.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"

namespace {

constexpr int kGrids[] = {66, 132, 264, 528, 792, 1056, 2112, 4096, 8192, 16384, 32768};
constexpr int kRound = kBlock * kLoads * 4;  // floats that a block takes at a time

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "12_bandwidth_limit.blocks", "sums n floats in one launch with more and more blocks");
  const int n = options.n;
  const std::vector<float> input = harness::small_integers(n, options.seed);  // exact in any order
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sum(1);
  harness::Report report(options);
  for (const int blocks : kGrids) {
    if (blocks > kGrids[0] && blocks > (n - 1) / kRound + 1) break;  // some would have nothing to do
    harness::DeviceBuffer<BlockWord> d_words(blocks);
    d_words.fill_zero();
    report.measure(std::to_string(blocks) + " blocks", d_in.bytes(),
                   [&] { sum_all(d_in.data(), d_sum.data(), d_words.data(), n, blocks); });
    report.verify(harness::verify_sum(d_sum.download()[0], harness::reference_sum(input), harness::kExact));
  }
  return report.finish();
}
// SPDX-License-Identifier: MIT
