// Chapter 09, the program: sums n floats with shuffles, and joins the blocks' sums in two ways.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

int main(int argc, char** argv) {
  long long blocks = 1024;  // about 8 for each of an H200's 132 multiprocessors; chapter 08 tries others
  const harness::Options options =
      harness::parse_options(argc, argv, "09_shuffle", "sums n floats, in a warp from register to register",
                             {{"--blocks", "blocks in the grid", &blocks, 1, 1 << 16}});
  const int n = options.n;
  const int grid = static_cast<int>(blocks);

  // Additions that an element passes through: its thread's, 5 shuffles and up to 5 more; in both launches.
  const auto additions = [](int elements, int threads) { return elements / threads + 1 + 10; };
  const int depth = additions(n, grid * kBlock) + additions(grid, kBlock);
  const int depth_atomic = additions(n, grid * kBlock) + grid;  // blocks' sums are added one by one

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_block_sums(grid), d_total(1);
  harness::Report report(options);

  // A second launch, of one block, adds up the sums that the first launch has left.
  const auto in_two_launches = [&](auto kernel) {
    return [&, kernel] {
      kernel<<<grid, kBlock>>>(d_in.data(), d_block_sums.data(), n);
      kernel<<<1, kBlock>>>(d_block_sums.data(), d_total.data(), grid);
    };
  };
  report.measure_step("sum_shuffle", bytes, in_two_launches(sum_shuffle));
  report.verify(harness::verify_blocks(d_total.download(), input, n, depth));

  report.measure("sum_butterfly", bytes, in_two_launches(sum_butterfly));
  report.verify(harness::verify_blocks(d_total.download(), input, n, depth));

  // One launch: each block adds its sum to the total. Clearing the total before is not timed.
  report.measure(
      "sum_shuffle_atomic", bytes,
      [&] { sum_shuffle_atomic<<<grid, kBlock>>>(d_in.data(), d_total.data(), n); },
      [&] { d_total.fill_zero(); });
  report.verify(harness::verify_blocks(d_total.download(), input, n, depth_atomic));
  return report.finish();
}
// SPDX-License-Identifier: MIT
