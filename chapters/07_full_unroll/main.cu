// Chapter 07, the program: sums n floats, first with the kernel for 256 threads, then for --threads threads.
#include <kernels.cuh>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/harness.h"

// ANCHOR: sizes
// A template is not a kernel yet: the compiler makes a kernel only for the sizes that are named here.
struct Size {
  int threads;  // per block, which sums twice as many elements
  void (*kernel)(const float* in, float* block_sums, int n);
};
constexpr Size kSizes[] = {
    {64, sum_unrolled<64>},   {128, sum_unrolled<128>},   {256, sum_unrolled<256>},
    {512, sum_unrolled<512>}, {1024, sum_unrolled<1024>},
};
// ANCHOR_END: sizes

int main(int argc, char** argv) {
  long long threads = kBlock;
  const harness::Options options = harness::parse_options(
      argc, argv, "07_full_unroll", "sums n floats, with every level of the tree written out",
      {{"--threads", "threads a block: 64, 128, 256, 512 or 1024", &threads, 64, 1024, true}});
  const Size& size = *std::find_if(std::begin(kSizes), std::end(kSizes),
                                   [&](const Size& known) { return known.threads == threads; });
  const int n = options.n;
  const auto blocks_for = [n](int per_block) { return n == 0 ? 1 : (n - 1) / per_block + 1; };  // never 0
  constexpr int kMostAdditions = 11;  // for each element: one before the tile, 10 levels with 1024 threads

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  harness::DeviceBuffer<float> d_in(input);
  harness::Report report(options);

  harness::DeviceBuffer<float> d_by_hand(blocks_for(2 * kBlock));
  report.measure("sum_unrolled_by_hand", bytes, [&] {
    sum_unrolled_by_hand<<<blocks_for(2 * kBlock), kBlock>>>(d_in.data(), d_by_hand.data(), n);
  });
  report.verify(harness::verify_blocks(d_by_hand.download(), input, 2 * kBlock, kMostAdditions));

  harness::DeviceBuffer<float> d_block_sums(blocks_for(2 * size.threads));
  report.measure_step("sum_unrolled<" + std::to_string(size.threads) + ">", bytes, [&] {
    size.kernel<<<blocks_for(2 * size.threads), size.threads>>>(d_in.data(), d_block_sums.data(), n);
  });
  report.verify(harness::verify_blocks(d_block_sums.download(), input, 2 * size.threads, kMostAdditions));
  return report.finish();
}
// SPDX-License-Identifier: MIT
