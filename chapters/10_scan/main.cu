// Chapter 10, the program: scans n floats in three ways.
#include <kernels.cuh>

#include <algorithm>
#include <vector>

#include "harness/harness.h"
#include "single_pass.cuh"

namespace {

constexpr int kOneBlock = 1024;            // elements, for the scan by a single block
constexpr int kThreads = 512, kRows = 20;  // for the single pass: 80 elements a thread, 40960 a tile
constexpr int kTile = kThreads * kRows * 4;

constexpr harness::ScanKind kInclusive = harness::ScanKind::inclusive;

// For the error bound: the most additions between an element and an output. Within a block, each of these
// kernels makes fewer than 64. `steps` are the others: one for each earlier tile, if each block waits for the
// one before it, or 64 for each further level.
int depth_of(int steps) { return 64 + steps; }

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options =
      harness::parse_options(argc, argv, "10_scan", "scans n floats, inclusively");
  const int n = options.n;
  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes =
      2 * input.size() * sizeof(float);  // useful bytes: each element is read and written once
  harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_out(n);
  harness::Report report(options);

  // One block scans as many elements as it can.
  const int few = std::min(n, kOneBlock);
  const std::vector<float> start(input.begin(), input.begin() + few);
  harness::DeviceBuffer<float> d_start(start);
  harness::DeviceBuffer<float> d_scanned(few);
  report.measure("scan_kogge_stone (one block)", 2 * few * sizeof(float), [&] {
    scan_kogge_stone<float, kOneBlock, Scan::inclusive>
        <<<1, kOneBlock>>>(d_start.data(), d_scanned.data(), few);
  });
  report.verify(harness::verify_scan(d_scanned.download(), start, kInclusive, depth_of(0)));

  // Sections, their totals, and the totals added back.
  harness::DeviceBuffer<float> d_totals(totals_of(n));
  d_out.fill_poison();
  report.measure("scan_hierarchical", bytes, [&] {
    scan_hierarchical<float, Scan::inclusive>(d_in.data(), d_out.data(), d_totals.data(), n);
  });
  report.verify(harness::verify_scan(d_out.download(), input, kInclusive, depth_of(3 * 64)));

  // Each element read once and written once.
  harness::DeviceBuffer<TileWord> d_words(words_of<kThreads, kRows>(n));
  d_out.fill_poison();
  report.measure_step("single_pass", bytes, [&] {
    CUDA_CHECK((scan_single_pass<float, Scan::inclusive, kThreads, kRows>(d_in.data(), d_out.data(),
                                                                          d_words.data(), n)));
  });
  report.verify(harness::verify_scan(d_out.download(), input, kInclusive, depth_of(n / kTile)));
  return report.finish();
}
// SPDX-License-Identifier: MIT
