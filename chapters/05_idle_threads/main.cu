// Chapter 05, the program: sums n floats by chapter 04's kernel, in three ways in which each thread adds two
// elements while it loads them, and in one in which each thread adds more.
#include <kernels.cuh>

#include <algorithm>
#include <numeric>
#include <vector>

#include "harness/harness.h"

namespace chapter_04 {  // has a kBlock of its own
#include "solutions/04_bank_conflicts/kernels.cuh"
}

namespace {

// Blocks for n elements, with `each` elements per block. At least one: a launch must not be empty.
int blocks_for(int n, int each) { return n == 0 ? 1 : (n - 1) / each + 1; }

constexpr int kDepth = 9;  // one addition while loading, 8 levels of the tree: for the error bound
static_assert(1 << kDepth == 2 * kBlock, "one level a halving of the tile");
static_assert(chapter_04::kBlock == kBlock, "its tiles are plan B's");

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(
      argc, argv, "05_idle_threads", "sums n floats, two a thread before the tree begins, in three ways");
  const int n = options.n;
  const int blocks_a = blocks_for(n, 2 * kBlock);
  const int blocks_b = blocks_for(n, kBlock);
  const int blocks_c = blocks_for(n, kElementsC);
  const int blocks_d = blocks_for(n, kElementsD);

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sums_04(blocks_b);
  harness::DeviceBuffer<float> d_sums_a(blocks_a), d_sums_b(blocks_b), d_sums_c(blocks_c), d_sums_d(blocks_d);
  harness::Report report(options);

  report.measure("sum_sequential", bytes,
                 [&] { chapter_04::sum_sequential<<<blocks_b, kBlock>>>(d_in.data(), d_sums_04.data(), n); });
  report.verify(harness::verify_blocks(d_sums_04.download(), input, kBlock, kDepth));

  // A block of plan A sums two tiles that lie far apart. To check each block's sum, the host would have to
  // repeat the kernel's index, and with it any mistake in the index. So the program checks only the total,
  // which is exact for small whole numbers.
  const std::vector<float> whole_numbers = harness::small_integers(n, options.seed);
  d_in.upload(whole_numbers);
  report.measure("sum_half_the_blocks", bytes,
                 [&] { sum_half_the_blocks<<<blocks_a, kBlock>>>(d_in.data(), d_sums_a.data(), n); });
  const std::vector<float> sums_a = d_sums_a.download();
  const float total = static_cast<float>(std::accumulate(sums_a.begin(), sums_a.end(), 0.0));
  report.verify(harness::verify_blocks({total}, whole_numbers, std::max(n, 1), harness::kExact));

  d_in.upload(input);
  report.measure("sum_half_the_threads", bytes,
                 [&] { sum_half_the_threads<<<blocks_b, kThreadsB>>>(d_in.data(), d_sums_b.data(), n); });
  report.verify(harness::verify_blocks(d_sums_b.download(), input, kBlock, kDepth));

  report.measure_step("sum_adjacent_tiles", bytes,
                      [&] { sum_adjacent_tiles<<<blocks_c, kBlock>>>(d_in.data(), d_sums_c.data(), n); });
  report.verify(harness::verify_blocks(d_sums_c.download(), input, kElementsC, kDepth));

  report.measure("sum_many_each", bytes,
                 [&] { sum_many_each<<<blocks_d, kThreadsD>>>(d_in.data(), d_sums_d.data(), n); });
  // Whatever the order, an element passes through fewer additions than its block has elements.
  report.verify(harness::verify_blocks(d_sums_d.download(), input, kElementsD, kElementsD));
  return report.finish();
}
// SPDX-License-Identifier: MIT
