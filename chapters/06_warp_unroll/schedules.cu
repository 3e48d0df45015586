// Chapter 06, experiment: three last warps, in the order in which this device happens to run the lanes. On
// the simulated GPU GPUSIM_SCHEDULE=ascending or descending chooses another legal order; a GPU has its own.
#include <kernels.cuh>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "harness/harness.h"
#include "old_tails.cuh"

namespace {

constexpr int kBlocks = 16;

struct Tail {
  const char* name;
  void (*kernel)(const float* in, float* block_sums, int n);
};
constexpr Tail kTails[] = {
    {"no barrier, plain tile", sum_without_waiting<float>},
    {"no barrier, volatile tile", sum_without_waiting<volatile float>},
    {"__syncwarp (sum_warp_tail)", sum_warp_tail},  // last: the one that must be right
};

const char* schedule() {
  if (!harness::is_simulated()) return "this GPU's own";
  const char* chosen = std::getenv("GPUSIM_SCHEDULE");
  return chosen && *chosen ? chosen : "lockstep";
}

}  // namespace

int main(int argc, char** argv) {
  harness::parse_no_options(argc, argv, "06_warp_unroll.schedules",
                            "runs three last warps in the order of lanes that GPUSIM_SCHEDULE names");
  // Whole numbers, so that sums are exact and a wrong one is no rounding error.
  const std::vector<float> input = harness::small_integers(kBlocks * kElements, 1);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_block_sums(kBlocks);
  std::vector<float> expected;
  for (int b = 0; b < kBlocks; ++b)
    expected.push_back(static_cast<float>(harness::reference_sum(&input[b * kElements], kElements).sum));

  std::printf("Order of lanes: %s. %d blocks; block 0 must give %g.\n\n", schedule(), kBlocks, expected[0]);
  std::printf("%-28s%14s%14s\n", "last warp", "blocks right", "block 0");
  int right = 0;
  for (const Tail& tail : kTails) {
    d_block_sums.fill_poison();  // so no kernel passes with another's leftover sums
    tail.kernel<<<kBlocks, kBlock>>>(d_in.data(), d_block_sums.data(), kBlocks * kElements);
    CUDA_CHECK_LAUNCH();
    const std::vector<float> sums = d_block_sums.download();
    right = 0;
    for (int b = 0; b < kBlocks; ++b) right += sums[b] == expected[b];
    std::printf("%-28s%8d of %2d%14g\n", tail.name, right, kBlocks, sums[0]);
  }
  if (right == kBlocks) return 0;
  std::fprintf(stderr,
               "06_warp_unroll.schedules: sum_warp_tail is wrong in %d of %d blocks; its lanes must "
               "wait for each other whatever their order\n",
               kBlocks - right, kBlocks);
  return harness::kExitFailed;
}
// SPDX-License-Identifier: MIT
