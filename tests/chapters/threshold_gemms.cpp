// Counts of products whose sizes lie on both sides of the numbers with which the kernel compares: of one tile with a long k, and of chosen
// tiles of large matrices. Their elements are 0, and of large matrices few are ever touched.
#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <vector>

#include "block_stores.h"
#include "counted_once.h"
#include "gemm_checks.h"
#include "harness/device_buffer.h"
#include "large_grids.h"
#include "launch_check.h"
#include "simulated.h"
#include "thresholds.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

constexpr std::size_t kMostCounted = std::size_t(1) << 14;  // of k; counting so many takes half a second
constexpr int kSteps = 4;                                   // of k, where it is not k that is large

struct Sizes {
  std::size_t m, n, k;
  std::size_t gap = 0;  // between rows
};

// The product of matrices of zeros. They have at most 2^30 elements each.
class Zeros {
 public:
  Zeros(const GemmKernel& kernel, const Sizes& s)
      : kernel_(kernel),
        sizes_(s),
        a_(s.m * (s.k + s.gap), Guards::none),
        b_(s.k * (s.n + s.gap), Guards::none),
        c_(s.m * (s.n + s.gap), Guards::none) {
    a_.fill_zero();
    b_.fill_zero();
  }

  bool keeps(const std::vector<Limit>& limits) {
    const std::size_t blocks = std::size_t(kernel_.blocks(int(sizes_.m), int(sizes_.n))),
                      steps = sizes_.k / std::size_t(kernel_.depth);
    // The last ones: what only those do is not to vanish in the mean of others.
    const std::vector<std::uint64_t> chosen = in_grid({blocks - 2, blocks - 1}, blocks);
    const OnlyBlocks only(chosen);
    if (!only) return true;
    const WithoutChecks faster;  // products of such sizes have been checked
    return check_counts_once(
        title(), int(chosen.size() * steps), [&] { launch(); }, limits,
        "a block, for every " + std::to_string(kernel_.depth) + " of k,");
  }

 private:
  void launch() {
    const auto& [m, n, k, gap] = sizes_;
    kernel_.launch({int(m), int(n), int(k), 1, a_.data(), int(k + gap), b_.data(), int(n + gap), 0, c_.data(),
                    int(n + gap)});
  }
  std::string title() const {
    const auto& [m, n, k, gap] = sizes_;
    return kernel_.name + ", A " + std::to_string(m) + " x " + std::to_string(k) + " times B " +
           std::to_string(k) + " x " + std::to_string(n) +
           (gap == 0 ? "" : ", " + std::to_string(gap) + " elements between rows");
  }

  const GemmKernel& kernel_;
  Sizes sizes_;
  DeviceBuffer<float> a_, b_, c_;
};

}  // namespace

bool check_counts_around_thresholds(const GemmKernel& kernel, const std::vector<Limit>& limits) {
  const std::size_t tile = std::size_t(kernel.tile), depth = std::size_t(kernel.depth);
  std::vector<Sizes> all;
  for (const std::size_t k : sizes_around_thresholds(depth, kMostCounted, depth, kernel.name, Sides::above))
    all.push_back({tile, tile, k});
  const std::size_t most = kMost / (kSteps * depth) / 2;  // rows of A
  for (const std::size_t side :
       sizes_around_thresholds(tile, most / tile * tile, tile, kernel.name, Sides::above)) {
    all.push_back({side, tile, kSteps * depth});
    all.push_back({tile, side, kSteps * depth});
  }
  for (const std::size_t distance :
       sizes_around_thresholds(8 * tile, kMost / (8 * tile) / 2, 8, kernel.name, Sides::above))
    all.push_back({2 * tile, 2 * tile, kSteps * depth, distance - kSteps * depth});
  return std::ranges::all_of(all, [&](const Sizes& sizes) { return Zeros(kernel, sizes).keeps(limits); });
}

}  // namespace judge
// SPDX-License-Identifier: MIT
