// Chapter 07, experiment: instruction-level parallelism. Every thread holds 8 numbers in registers and adds
// them up `rounds` times over, into 1, 2, 4 or 8 accumulators. The number of additions is the same; what
// differs is how many of them must wait for the addition before.
#include <kernels.cuh>

#include <cstdint>
#include <string>
#include <vector>

#include "harness/harness.h"

constexpr int kNumbers = 8;     // per thread
constexpr int kWarpsAlone = 4;  // in a small block: one for each scheduler of a multiprocessor

// sums[id] is rounds * (in[id * kNumbers] + … + in[id * kNumbers + 7]), where id numbers the threads of the
// grid. Accumulator k adds the numbers k, k + kChains, k + 2 * kChains …
// ANCHOR: kernel
template <int kChains>
__global__ void sum_chains(const float* in, float* sums, int rounds) {
  static_assert(kNumbers % kChains == 0, "every accumulator adds as many numbers");
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  float numbers[kNumbers];  // in registers: unrolling makes every index below a constant
  float sum[kChains] = {};
#pragma unroll
  for (int k = 0; k < kNumbers; ++k) numbers[k] = in[id * kNumbers + k];

#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < kNumbers; ++k) sum[k % kChains] += numbers[k];  // the compiler keeps this order
  }

#pragma unroll
  for (int k = 1; k < kChains; ++k) sum[0] += sum[k];
  sums[id] = sum[0];
}
// ANCHOR_END: kernel

// A grid of `blocks` blocks, each of `threads` threads.
struct Grid {
  const char* name;
  int blocks, threads;
};

int main(int argc, char** argv) {
  const bool counting = harness::is_simulated();
  long long rounds = counting ? 16 : 4096;
  const harness::Options options = harness::parse_options(
      argc, argv, "07_full_unroll.chains", "adds up 8 numbers, over and over, in 1 to 8 chains, whatever --n",
      {{"--rounds", "times that each number is added", &rounds, 0, 1 << 16}});
  // One warp for each scheduler of an H200 (132 multiprocessors), then as many warps as fit on it.
  const int multiprocessors = counting && !options.predict ? 2 : 132;
  const Grid grids[] = {{"one warp a scheduler", multiprocessors, kWarpsAlone * 32},
                        {"16 warps a scheduler", 2 * multiprocessors, 1024}};

  harness::Report report(options);
  for (const Grid& grid : grids) {
    const int threads = grid.blocks * grid.threads;
    // Whole numbers -8 … 8 other than 0: every partial sum is a whole number below 2^24, so each is exact in
    // any order.
    std::vector<float> input(static_cast<std::size_t>(threads) * kNumbers), expected(threads);
    harness::Random random(options.seed);
    for (float& value : input) value = float(random.below(8) + 1) * (random.below(2) ? 1.0f : -1.0f);
    for (std::size_t i = 0; i < input.size(); ++i) expected[i / kNumbers] += input[i] * float(rounds);

    harness::DeviceBuffer<float> d_in(input), d_sums(threads);
    const auto measure = [&](const std::string& name, void (*kernel)(const float*, float*, int)) {
      report.measure(
          name + ", " + grid.name, d_in.bytes() + d_sums.bytes(),
          [&] { kernel<<<grid.blocks, grid.threads>>>(d_in.data(), d_sums.data(), int(rounds)); },
          [&] { d_sums.fill_poison(); });
      report.verify(harness::verify_blocks(d_sums.download(), expected, 1, harness::kExact));
    };
    measure("1 chain", sum_chains<1>);
    measure("2 chains", sum_chains<2>);
    measure("4 chains", sum_chains<4>);
    measure("8 chains", sum_chains<8>);
  }
  return report.finish();
}
// SPDX-License-Identifier: MIT
