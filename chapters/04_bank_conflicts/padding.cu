// Chapter 04, experiment: what do bank conflicts cost? From chapter 03's tree to this chapter's in steps of one change each. Of
// the first step both kernels execute the same instructions: an argument says how many floats of shared memory stay unused
// after every 32, none or one. One keeps the lanes apart.
#include <kernels.cuh>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/harness.h"

namespace chapter_03 {  // has a kBlock of its own
#include "solutions/03_divergence/kernels.cuh"
}

namespace {

constexpr int kBanks = 32, kMostPadding = 1;
constexpr int kTreeDepth = 8;  // levels
static_assert(1 << kTreeDepth == kBlock, "each level halves the number of sums");

// Where element i of the tile lies, with `padding` unused floats after every 32 elements.
// ANCHOR: kernel
__device__ unsigned slot(unsigned i, int padding) { return i + i / kBanks * padding; }

// Sums each tile of kBlock elements of in[0, n) into block_sums[blockIdx.x], in chapter 03's order.
__global__ void sum_padded(const float* in, float* block_sums, int n, int padding) {
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  __shared__ float tile[kBlock + kBlock / kBanks * kMostPadding];
  tile[slot(t, padding)] = i < n ? in[i] : 0.0f;
  __syncthreads();  // the tile is complete before any thread reads another's element

  for (unsigned len = 1; len < blockDim.x; len *= 2) {
    const unsigned left = 2 * len * t;
    if (left < blockDim.x) tile[slot(left, padding)] += tile[slot(left + len, padding)];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: kernel

// sum_sequential, but the first level follows from the launch.
__global__ void sum_unknown_levels(const float* in, float* block_sums, int n) {
  const int t = threadIdx.x, i = blockIdx.x * kBlock + t;
  __shared__ float tile[kBlock];
  tile[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // the tile is complete before any thread reads another's element

  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) tile[t] += tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options =
      harness::parse_options(argc, argv, "04_bank_conflicts.padding",
                             "sums with chapter 03's tree, with and without bank conflicts");
  const int n = static_cast<int>(options.n), blocks = std::max(1, (n + kBlock - 1) / kBlock);
  const std::vector<float> input = harness::uniform_floats(options.n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sums(blocks);

  harness::Report report(options);
  const auto measure = [&](const char* name, const auto& launch) {
    report.measure(name, d_in.bytes() + d_sums.bytes(), launch, [&] { d_sums.fill_poison(); });
    report.verify(harness::verify_blocks(d_sums.download(), input, kBlock, kTreeDepth));
  };
  const auto padded = [&](int padding) {
    return [&, padding] { sum_padded<<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n, padding); };
  };
  measure("chapter 03", [&] { chapter_03::sum_strided<<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n); });
  measure("chapter 03, padding 0", padded(0));
  measure("chapter 03, padding 1", padded(kMostPadding));
  measure("sum_unknown_levels",
          [&] { sum_unknown_levels<<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n); });
  measure("sum_sequential", [&] { sum_sequential<<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n); });
  return report.finish();
}
// SPDX-License-Identifier: MIT
