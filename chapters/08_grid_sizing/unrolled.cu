// Chapter 08, experiment: the step's loop with 1, 2, 4 and 8 loads before the first result is needed. Between these rows
// the grid, the order of the elements and the tree stay the same. The other rows are for comparison.
#include <kernels.cuh>

#include <numeric>
#include <string>
#include <vector>

#include "harness/harness.h"
#include "variants.cuh"

namespace {

constexpr int kBlocks = 1024;  // a power of two, as n usually is: then all threads have equally many elements
constexpr int kBlockThreads = 256;

// sum_grid_stride with its loop unrolled: kLoads rounds become one, with kLoads loads.
// ANCHOR: unrolled
template <int kThreads, int kLoads>
__global__ void sum_stride_by(const float* in, float* block_sums, int n) {
  __shared__ float tile[kThreads];
  const int t = threadIdx.x;

  const int stride = gridDim.x * kThreads;
  float sum = 0.0f;
#pragma unroll kLoads
  for (int i = blockIdx.x * kThreads + t; i < n; i += stride) sum += in[i];

  tile[t] = sum;
  add_tile<kThreads>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: unrolled

using Kernel = void (*)(const float*, float*, int);

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "08_grid_sizing.unrolled", "the grid-stride loop with more and more loads in flight");
  const int n = options.n;
  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const harness::Reference expected = harness::reference_sum(input);
  const harness::DeviceBuffer<float> d_in(input);
  const int blocks_of_chapter_07 = n == 0 ? 1 : (n - 1) / (2 * kBlockThreads) + 1;
  constexpr int kTreeDepth = 8;  // levels of the tree over a tile
  static_assert(1 << kTreeDepth == kBlockThreads, "one level a halving of the tile");
  harness::Report report(options);

  const auto measure = [&](const std::string& name, Kernel kernel, int blocks) {
    harness::DeviceBuffer<float> d_sums(blocks);
    report.measure(
        name, d_in.bytes(), [&] { kernel<<<blocks, kBlockThreads>>>(d_in.data(), d_sums.data(), n); },
        [&] { d_sums.fill_poison(); });
    const std::vector<float> sums = d_sums.download();
    const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
    // An element passes through the additions of its thread and of the tree.
    const int depth = n / kBlockThreads / blocks + 1 + kTreeDepth;
    report.verify(harness::verify_sum(static_cast<float>(total), expected, depth));
  };
  const std::string on_grid = ", " + std::to_string(kBlocks) + " blocks";
  measure("2 elements a thread (chapter 07)", sum_fixed<kBlockThreads, 2>, blocks_of_chapter_07);
  measure("unroll 1" + on_grid, sum_stride_by<kBlockThreads, 1>, kBlocks);
  measure("unroll 2" + on_grid, sum_stride_by<kBlockThreads, 2>, kBlocks);
  measure("unroll 4" + on_grid, sum_stride_by<kBlockThreads, 4>, kBlocks);
  measure("unroll 8" + on_grid, sum_stride_by<kBlockThreads, 8>, kBlocks);
  measure("no pragma" + on_grid, sum_grid_stride<kBlockThreads>, kBlocks);
  measure("sum in the tile" + on_grid, sum_in_shared<kBlockThreads>, kBlocks);
  measure("unroll 1, grid of chapter 07", sum_stride_by<kBlockThreads, 1>, blocks_of_chapter_07);
  measure("unroll 4, grid of chapter 07", sum_stride_by<kBlockThreads, 4>, blocks_of_chapter_07);
  return report.finish();
}
// SPDX-License-Identifier: MIT
