// Chapter 12, experiment: does a hint to the caches help an array that is read once?
#include <kernels.cuh>

#include <vector>

#include "grid.cuh"
#include "harness/harness.h"
#include "loads.cuh"
#include "steps.cuh"

namespace {

template <typename Way>
void measure(harness::Report& report, const std::vector<float>& input,
             const harness::DeviceBuffer<float>& d_in) {
  const int n = static_cast<int>(input.size()), blocks = blocks_for<kBlock, kLoads>(n);
  harness::DeviceBuffer<float> d_sums(blocks);
  d_sums.fill_poison();
  report.measure(Way::kWhat, d_in.bytes(), [&] {
    sum_blocks<Batches<kLoads, Way>><<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n);
  });
  report.verify(verify_together(d_sums.download(), input));
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(argc, argv, "12_bandwidth_limit.hints",
                                                          "sums n floats with different hints to the caches");
  const std::vector<float> input = harness::small_integers(options.n, options.seed);  // exact in any order
  const harness::DeviceBuffer<float> d_in(input);
  harness::Report report(options);
  measure<Plain>(report, input, d_in);
  measure<Streaming>(report, input, d_in);
  measure<OnlyL2>(report, input, d_in);
  measure<ReadOnly>(report, input, d_in);
  measure<NotInL1>(report, input, d_in);
  measure<Prefetching>(report, input, d_in);
  return report.finish();
}
// SPDX-License-Identifier: MIT
