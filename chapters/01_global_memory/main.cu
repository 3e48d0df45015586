// Chapter 01, the program: sums n floats in global memory in four ways and shows what each costs.
#include <kernels.cuh>

#include <cstdio>
#include <numeric>
#include <vector>

#include "harness/harness.h"

namespace {

// Blocks needed for one thread per item. Zero items still get one block, since a launch must not be empty.
int blocks_for(int items) { return items == 0 ? 1 : (items - 1) / kBlock + 1; }

constexpr int kTreeDepth = 8;  // levels of the tree over a tile, for the error bound
static_assert(1 << kTreeDepth == kBlock, "one level a halving of the tile");

double total(const std::vector<float>& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options =
      harness::parse_options(argc, argv, "01_global_memory", "sums n floats in global memory, in four ways");
  const int n = options.n;
  const int blocks = blocks_for(n);
  const int runs = n == 0 ? 1 : (n - 1) / kRun + 1;

  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const std::size_t bytes = input.size() * sizeof(float);  // useful bytes: every element is read once
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_work(n);
  harness::DeviceBuffer<float> d_total(1), d_run_sums(runs), d_block_sums(blocks);
  harness::Report report(options);

  // In n additions in a row, rounding errors could hide a mistake.
  // So this kernel sums small whole numbers, which is exact in any order.
  const std::vector<float> whole_numbers = harness::small_integers(n, options.seed);
  d_work.upload(whole_numbers);
  report.measure(
      "sum_atomic", bytes, [&] { sum_atomic<<<blocks, kBlock>>>(d_work.data(), d_total.data(), n); },
      [&] { d_total.fill_zero(); });
  report.verify(harness::verify_blocks(d_total.download(), whole_numbers, n, harness::kExact));

  report.measure("sum_runs", bytes,
                 [&] { sum_runs<<<blocks_for(runs), kBlock>>>(d_in.data(), d_run_sums.data(), n); });
  report.verify(harness::verify_blocks(d_run_sums.download(), input, kRun, kRun - 1));

  // sum_in_place destroys its input, so every run gets a fresh copy. The copying is not timed.
  const auto sum_work = [&] { sum_in_place<<<blocks, kBlock>>>(d_work.data(), d_block_sums.data(), n); };
  report.measure_step("sum_in_place", bytes, sum_work, [&] {
    CUDA_CHECK(cudaMemcpy(d_work.data(), d_in.data(), bytes, cudaMemcpyDeviceToDevice));
  });
  const std::vector<float> first = d_block_sums.download();
  report.verify(harness::verify_blocks(first, input, kBlock, kTreeDepth));
  if (!options.predict) sum_work();  // once more, without a fresh copy
  CUDA_CHECK_LAUNCH();
  const std::vector<float> second = d_block_sums.download();

  report.measure("sum_out_of_place", bytes, [&] {
    sum_out_of_place<<<blocks, kBlock>>>(d_in.data(), d_work.data(), d_block_sums.data(), n);
  });
  report.verify(harness::verify_blocks(d_block_sums.download(), input, kBlock, kTreeDepth));
  report.verify(harness::verify_unchanged(d_in.download(), input));

  const int status = report.finish();
  if (!options.json && !options.predict && second != first) {
    std::printf("\nsum_in_place destroys its input: on the same array it first gives %.9g, then %.9g.\n",
                total(first), total(second));
  }
  return status;
}
// SPDX-License-Identifier: MIT
