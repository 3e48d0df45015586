// Chapter 10, experiment: does waiting for earlier tiles hold the single pass back? Runs the same kernel twice: once as it is,
// and once so that every tile finds that the tile before it has published its prefix already.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"
#include "single_pass.cuh"

namespace {

constexpr int kThreads = 512, kRows = 20;  // as in main.cu

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "10_scan.waits", "scans n floats, with the prefixes of all tiles unknown and known");
  const int n = options.n, words = words_of<kThreads, kRows>(n);
  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(n);
  harness::DeviceBuffer<TileWord> d_words(words);
  d_words.fill_zero();
  harness::Report report(options);

  // Clears the first `cleared` words. The kernel leaves prefixes in all but the first, which counts its blocks.
  const auto measure = [&](const char* name, int cleared) {
    report.measure(
        name, 2 * d_in.bytes(),
        [&] {
          CUDA_CHECK(cudaMemsetAsync(d_words.data(), 0, cleared * sizeof(TileWord)));
          if (n == 0) return;
          single_pass<float, Scan::inclusive, kThreads, kRows>
              <<<words - 1, kThreads>>>(d_in.data(), d_out.data(), d_words.data(), n);
        },
        [&] { d_out.fill_poison(); });
    constexpr int kDepth = 1 << 18;  // as in `tiles`
    report.verify(harness::verify_scan(d_out.download(), input, harness::ScanKind::inclusive, kDepth));
  };
  measure("prefixes unknown", words);
  measure("prefixes known", 1);
  return report.finish();
}
// SPDX-License-Identifier: MIT
