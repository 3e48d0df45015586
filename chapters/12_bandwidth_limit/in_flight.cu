// Chapter 12, experiment: how many bytes must be in flight? The same sum, with 1, 2, 4 … loads of 16 bytes before the
// first is used, in grids of several sizes.
#include <kernels.cuh>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/harness.h"
#include "loads.cuh"
#include "steps.cuh"

namespace {

constexpr int kGrids[] = {132, 264, 528, 1056};  // 1, 2, 4 and 8 blocks for each of an H200's multiprocessors

template <int kInFlight>
void measure(harness::Report& report, const std::vector<float>& input,
             const harness::DeviceBuffer<float>& d_in) {
  const int n = static_cast<int>(input.size());
  for (const int blocks : kGrids) {
    harness::DeviceBuffer<float> d_sums(blocks);
    d_sums.fill_poison();
    const auto launch = [&] {
      sum_blocks<Batches<kInFlight, Streaming>><<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n);
    };
    const std::string name =
        std::to_string(kInFlight) + " loads a round, " + std::to_string(blocks) + " blocks";
    report.measure(name, d_in.bytes(), launch);
    report.verify(verify_together(d_sums.download(), input));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(argc, argv, "12_bandwidth_limit.in_flight",
                                                          "sums n floats with more and more loads in flight");
  const std::vector<float> input = harness::small_integers(options.n, options.seed);  // exact in any order
  const harness::DeviceBuffer<float> d_in(input);
  harness::Report report(options);
  measure<1>(report, input, d_in);
  measure<2>(report, input, d_in);
  measure<4>(report, input, d_in);
  measure<8>(report, input, d_in);
  measure<16>(report, input, d_in);
  return report.finish();
}
// SPDX-License-Identifier: MIT
