// Chapter 10, experiment: how large should a tile be? The single pass with tiles of several shapes.
#include <kernels.cuh>

#include <string>
#include <vector>

#include "harness/harness.h"
#include "single_pass.cuh"

namespace {

struct Bench {
  harness::Report& report;
  const std::vector<float>& input;
  harness::DeviceBuffer<float> d_in, d_out;

  int n() const { return static_cast<int>(input.size()); }

  template <typename Launch>
  void measure(const std::string& name, const Launch& launch) {
    d_out.fill_poison();
    report.measure(name, 2 * d_in.bytes(), launch);
    constexpr int kDepth = 1 << 18;  // generous: enough for any tile shape, and a step for each earlier tile
    report.verify(harness::verify_scan(d_out.download(), input, harness::ScanKind::inclusive, kDepth));
  }

  template <int kThreads, int kRows>
  void tile() {
    harness::DeviceBuffer<TileWord> d_words(words_of<kThreads, kRows>(n()));
    measure(std::to_string(kThreads) + " threads x " + std::to_string(4 * kRows), [&] {
      CUDA_CHECK((scan_single_pass<float, Scan::inclusive, kThreads, kRows>(d_in.data(), d_out.data(),
                                                                            d_words.data(), n())));
    });
  }
};

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "10_scan.tiles", "scans n floats, in tiles of threads x floats a thread");
  const std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  harness::Report report(options);
  Bench bench{report, input, harness::DeviceBuffer<float>(input), harness::DeviceBuffer<float>(options.n)};
  bench.tile<128, 4>();
  bench.tile<256, 4>();
  bench.tile<256, 8>();
  bench.tile<512, 8>();
  bench.tile<512, 10>();
  bench.tile<512, 18>();
  bench.tile<512, 20>();
  bench.tile<768, 12>();
  bench.tile<1024, 4>();
  bench.tile<1024, 8>();
  bench.tile<1024, 9>();
  bench.tile<1024, 10>();
  bench.tile<1024, 12>();
  return report.finish();
}
// SPDX-License-Identifier: MIT
