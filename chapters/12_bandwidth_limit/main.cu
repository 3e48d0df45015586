// Chapter 12, the program: starts with chapter 09's sum and makes one change at a time, up to what memory can give.
#include <kernels.cuh>

#include <vector>

#include "grid.cuh"
#include "harness/harness.h"
#include "steps.cuh"

int main(int argc, char** argv) {
  long long wanted = 0, offset = 0;
  const harness::Options options = harness::parse_options(
      argc, argv, "12_bandwidth_limit", "sums n floats, as fast as memory gives them",
      {{"--blocks", "blocks in the grid; 0: as many as grid.cuh says", &wanted, 0, 1 << 14},
       {"--offset", "floats between a 16-byte boundary and the array", &offset, 0, 3}});
  const int n = options.n;
  const int blocks = wanted > 0 ? static_cast<int>(wanted) : blocks_for<kBlock, kLoads>(n);

  // For the error bound: the most additions on an element's way. First those of its thread, then up to 10 by shuffles;
  // then the same again, in a second launch or at the end of the kernel, or one addition for each block.
  const auto additions = [](int elements, int threads) { return elements / threads + 4 + 10; };
  const int depth = additions(n, blocks * kBlock) + additions(blocks, kBlock);
  const int depth_atomic = additions(n, blocks * kBlock) + blocks;

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::Reference expected = harness::reference_sum(input);
  const harness::DeviceBuffer<float> d_aligned(input);
  std::vector<float> shifted(offset);
  if (offset > 0) shifted.insert(shifted.end(), input.begin(), input.end());
  const harness::DeviceBuffer<float> d_shifted(shifted);
  const float* const d_in = offset > 0 ? d_shifted.data() + offset : d_aligned.data();
  harness::DeviceBuffer<float> d_block_sums(blocks), d_sum(1);
  harness::DeviceBuffer<BlockWord> d_words(blocks);
  harness::DeviceBuffer<unsigned> d_ticket(1);
  d_words.fill_zero();
  d_ticket.fill_zero();
  harness::Report report(options);
  const auto verify = [&](int at_most) {
    report.verify(harness::verify_sum(d_sum.download()[0], expected, at_most));
  };

  const auto in_two_launches = [&](auto how, const float* d_from) {
    return [&, d_from] {
      using How = decltype(how);
      sum_blocks<How><<<blocks, kBlock>>>(d_from, d_block_sums.data(), n);
      sum_blocks<ByFloats><<<1, kBlock>>>(d_block_sums.data(), d_sum.data(), blocks);
    };
  };
  report.measure("floats", bytes, in_two_launches(ByFloats{}, d_in));
  verify(depth);
  report.measure("float4", bytes, in_two_launches(ByFours{}, d_aligned.data()));
  verify(depth);
  report.measure("float4, several in flight", bytes, in_two_launches(InFlight{}, d_in));
  verify(depth);
  // Clearing the sum is not part of the time.
  report.measure(
      "sum_atomic", bytes, [&] { sum_atomic<<<blocks, kBlock>>>(d_in, d_sum.data(), n); },
      [&] { d_sum.fill_zero(); });
  verify(depth_atomic);
  report.measure("sum_last_block", bytes, [&] {
    sum_last_block<<<blocks, kBlock>>>(d_in, d_sum.data(), d_block_sums.data(), d_ticket.data(), n);
  });
  verify(depth);
  report.measure_step("sum_one_launch", bytes,
                      [&] { sum_all(d_in, d_sum.data(), d_words.data(), n, blocks); });
  verify(depth);
  return report.finish();
}
// SPDX-License-Identifier: MIT
