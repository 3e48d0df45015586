// The bank use that chapter 04's laboratory works out: against examples made by hand, and against what the
// simulated GPU counts while the kernels run.
#include "chapters/04_bank_conflicts/bank_use.h"

#include <doctest/doctest.h>

#include <functional>

#include "harness/counters.h"
#include "harness/harness.h"
#include "solutions/04_bank_conflicts/kernels.cuh"

namespace chapter_03 {  // has a kBlock of its own
#include "solutions/03_divergence/kernels.cuh"
}

namespace {

// Lane t touches element step * t.
Access evenly_spaced(int lanes, int step) {
  Access access;
  for (int t = 0; t < lanes; ++t) access.push_back(step * t);
  return access;
}

// Wavefronts and conflicts of one full block.
void compare_with_counters(const std::vector<Level>& levels,
                           const std::function<void(const float* d_in, float* d_sum)>& launch) {
  const harness::DeviceBuffer<float> d_in(harness::uniform_floats(kBlock, 1));
  harness::DeviceBuffer<float> d_sum(1);
  const auto counters = harness::count_launches([&] { launch(d_in.data(), d_sum.data()); });
  CUDA_CHECK_LAUNCH();
  if (!counters) {
    MESSAGE("not counted on a GPU");
    return;
  }
  const Conflicts expected = conflicts_of(levels);
  int working_warps = 0;
  for (const Level& level : levels) working_warps += level.warps();
  CHECK(counters->at("shared_load_bank_conflicts") == expected.loads);
  CHECK(counters->at("shared_store_bank_conflicts") == expected.stores);
  CHECK(counters->at("shared_load_wavefronts") == 2 * working_warps + 1 + expected.loads);  // 1: the sum
  CHECK(counters->at("shared_store_wavefronts") == working_warps + kBlock / 32 + expected.stores);
}

}  // namespace

TEST_CASE("an access takes as many passes as one bank has different elements to serve") {
  CHECK(wavefronts(evenly_spaced(32, 1)) == 1);
  CHECK(wavefronts(evenly_spaced(32, 2)) == 2);
  CHECK(wavefronts(evenly_spaced(32, 32)) == 32);
  CHECK(wavefronts(evenly_spaced(32, 33)) == 1);
  CHECK(wavefronts(evenly_spaced(8, 32)) == 8);
  CHECK(wavefronts(evenly_spaced(32, 0)) == 1);  // one element for all: a broadcast
}

TEST_CASE("the lanes that meet lane 0 are named") {
  CHECK(lanes_that_meet_lane_0(evenly_spaced(32, 2)) == "0 16");
  CHECK(lanes_that_meet_lane_0(evenly_spaced(32, 1)) == "0");
  CHECK(lanes_that_meet_lane_0(evenly_spaced(32, 16), 3) == "0 2 4 ...");
}

TEST_CASE("neighbours first: 70 conflicts of loads and 35 of stores a block, as counted") {
  const std::vector<Level> levels = strided_levels(kBlock);
  CHECK(conflicts_of(levels).loads == 70);
  CHECK(conflicts_of(levels).stores == 35);
  compare_with_counters(levels, [](const float* d_in, float* d_sum) {
    chapter_03::sum_strided<<<1, kBlock>>>(d_in, d_sum, kBlock);
  });
}

TEST_CASE("half a tile apart first: no conflict, as counted") {
  const std::vector<Level> levels = sequential_levels(kBlock);
  CHECK(conflicts_of(levels).loads == 0);
  CHECK(conflicts_of(levels).stores == 0);
  compare_with_counters(
      levels, [](const float* d_in, float* d_sum) { sum_sequential<<<1, kBlock>>>(d_in, d_sum, kBlock); });
}
// SPDX-License-Identifier: MIT
