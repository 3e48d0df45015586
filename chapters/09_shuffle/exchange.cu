// Chapter 09, experiment: what a shuffle saves where little else is done. First one warp passes numbers
// between its lanes, by shuffles or through shared memory; then each block sums 512 elements, with chapter
// 07's tree or with shuffles.
#include <kernels.cuh>

#include <vector>

#include "harness/harness.h"

namespace chapter_07 {  // has a kBlock of its own
#include "solutions/07_full_unroll/kernels.cuh"
}

constexpr int kRow = 2 * kBlock;  // elements per sum

// Both kernels: in every round, lane l takes the number of lane l ^ 1 and adds 1. One warp.

// ANCHOR: exchange
__global__ void pass_by_shuffle(float* numbers, int rounds) {
  float number = numbers[threadIdx.x];
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) number = __shfl_xor_sync(kAllLanes, number, 1) + 1.0f;
  numbers[threadIdx.x] = number;
}

__global__ void pass_through_shared(float* numbers, int rounds) {
  __shared__ float slots[32];
  const int lane = threadIdx.x;
  float number = numbers[lane];
#pragma unroll 4
  for (int round = 0; round < rounds; ++round) {
    slots[lane] = number;
    __syncwarp();  // both partners have written
    number = slots[lane ^ 1] + 1.0f;
    __syncwarp();  // both have read
  }
  numbers[lane] = number;
}
// ANCHOR_END: exchange

// row_sums[blockIdx.x] is the sum of kRow elements, from in[blockIdx.x * kRow] on. (Chapter 07's kernel does
// the same in a tile.)
__global__ void sum_rows(const float* in, float* row_sums, int n) {
  const int i = blockIdx.x * kRow + threadIdx.x;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  sum = block_sum(sum);
  if (threadIdx.x == 0) row_sums[blockIdx.x] = sum;
}

int main(int argc, char** argv) {
  long long rounds = harness::is_simulated() ? 64 : 65536;
  const harness::Options options =
      harness::parse_options(argc, argv, "09_shuffle.exchange",
                             "passes numbers between the lanes of a warp, then sums rows of 512 elements",
                             {{"--rounds", "times that the lanes exchange", &rounds, 0, 1 << 20}});
  harness::Report report(options);

  std::vector<float> expected(32);
  for (int lane = 0; lane < 32; ++lane) expected[lane] = float((rounds % 2 ? lane ^ 1 : lane) + rounds);
  harness::DeviceBuffer<float> d_numbers(32);
  const std::vector<float> lanes = [] {
    std::vector<float> numbers(32);
    for (int lane = 0; lane < 32; ++lane) numbers[lane] = float(lane);
    return numbers;
  }();
  const auto pass = [&](const char* name, void (*kernel)(float*, int)) {
    report.measure(
        name, 2 * d_numbers.bytes(), [&] { kernel<<<1, 32>>>(d_numbers.data(), int(rounds)); },
        [&] { d_numbers.upload(lanes); });
    report.verify(harness::verify_blocks(d_numbers.download(), expected, 1, harness::kExact));
  };
  pass("one warp, by shuffles", pass_by_shuffle);
  pass("one warp, through shared memory", pass_through_shared);

  const int n = options.n, rows = n == 0 ? 1 : (n - 1) / kRow + 1;
  const std::vector<float> input = harness::uniform_floats(n, options.seed);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sums(rows);
  const auto sum = [&](const char* name, void (*kernel)(const float*, float*, int)) {
    report.measure(
        name, d_in.bytes(), [&] { kernel<<<rows, kBlock>>>(d_in.data(), d_sums.data(), n); },
        [&] { d_sums.fill_poison(); });
    report.verify(harness::verify_blocks(d_sums.download(), input, kRow, 10));
  };
  sum("rows of 512, tree in shared memory", chapter_07::sum_unrolled<kBlock>);
  sum("rows of 512, by shuffles", sum_rows);
  return report.finish();
}
// SPDX-License-Identifier: MIT
