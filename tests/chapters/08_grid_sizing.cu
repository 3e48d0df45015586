// Judges chapters/08_grid_sizing/kernels.cuh: a grid of any size sums an array of any length.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <string>

#include "counts.h"
#include "harness/device_buffer.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;

namespace {

using judge::Count;
using judge::Kind;
using judge::SumKernel;

// The whole sum, by sum_all, when the caller wants that many blocks.
template <int kThreads>
SumKernel sum_by(const char* name, int wanted) {
  const auto launch = [name, wanted](float* d_in, float* d_sum, int n) {
    harness::DeviceBuffer<float> d_scratch(2 * blocks_for<kThreads>(n, wanted));
    judge::fill_leftovers(d_scratch);
    sum_all<kThreads>(d_in, d_scratch.data(), d_sum, n, wanted);
    judge::check_launch(name);
    std::string message;
    if (!d_scratch.guards_intact(&message))
      judge::report(Kind::wrong_result, std::string(name) + ": outside the block sums: " + message);
  };
  // name, elements a sum, keeps its input, adds in a fixed order, has no gap in the starter
  return {name, SumKernel::kAll, true, true, false, launch};
}

// Fewer blocks than a GPU has multiprocessors, an odd number, two on each of 132; for short inputs, more
// blocks than elements.
const SumKernel kGrids[] = {
    sum_by<kBlock>("sum_grid_stride, 1 block", 1),
    sum_by<kBlock>("sum_grid_stride, 3 blocks", 3),
    sum_by<kBlock>("sum_grid_stride, 7 blocks", 7),
    sum_by<kBlock>("sum_grid_stride, 264 blocks", 264),
};
const SumKernel kBlockSizes[] = {
    sum_by<64>("sum_grid_stride<64>, 5 blocks", 5),
    sum_by<128>("sum_grid_stride<128>, 5 blocks", 5),
    sum_by<512>("sum_grid_stride<512>, 5 blocks", 5),
    sum_by<1024>("sum_grid_stride<1024>, 5 blocks", 5),
};

constexpr int kWanted = 4, kPerThread = 16;
constexpr int kCounted = kWanted * kPerThread * kBlock;  // elements of the counted launch

}  // namespace

// First: sum_all would not end.
TEST_CASE("launch after launch leaves fewer sums, and at last one") {
  constexpr int kLaunches = 8;  // twice what chapter 07's blocks need for 2^30 elements
  for (int wanted : {1, 264})
    for (int n : {0, 1, 264, 1000003, 1 << 30}) {
      int left = n, blocks = blocks_for<kBlock>(n, wanted);
      for (int launch = 1; blocks > 1 && launch < kLaunches; ++launch) {
        left = blocks;
        blocks = blocks_for<kBlock>(left, 1);
      }
      if (blocks == 1) continue;
      judge::report(Kind::wrong_result,
                    "blocks_for(" + std::to_string(left) + ", 1) is " + std::to_string(blocks) +
                        ": the last launch must be one block, or the sums never become one");
    }
}

TEST_CASE("no access leaves the arrays") {
  for (const SumKernel& kernel : kGrids) judge::check_bounds(kernel);
  for (const SumKernel& kernel : kBlockSizes) judge::check_bounds(kernel);
}

TEST_CASE("a sum of any length is right, whatever the grid") {
  for (const SumKernel& kernel : kGrids) judge::check_sums(kernel);
}

TEST_CASE("a NaN comes out") {
  for (const SumKernel& kernel : kGrids) judge::check_nan(kernel);
}

TEST_CASE("a second run gives the same bits") {
  for (const SumKernel& kernel : kGrids) judge::check_repeatable(kernel);
}

TEST_CASE("the sums are the same whichever lane comes first, in blocks of 64 to 1024 threads") {
  for (const SumKernel& kernel : kGrids) judge::check_schedules(kernel);
  for (const SumKernel& kernel : kBlockSizes) judge::check_schedules(kernel);
}

// What no test can allocate: indices near 2^30. A thread's last index before it stops is below n + stride,
// which is at most 2^30 - 1 + 2^30 = 2^31 - 1 as long as the grid has no more than 2^30 threads.
TEST_CASE("the caller gets the blocks that it wants") {
  const int blocks = blocks_for<kBlock>(kCounted, kWanted);
  if (blocks == kWanted) return;
  judge::report(Kind::unimproved, "it takes a grid of " + std::to_string(blocks) + " for " +
                                      std::to_string(kCounted) + " elements (this chapter asks for the " +
                                      std::to_string(kWanted) + " blocks that the caller wants)");
}

// A warp loads 32 neighbours: 128 bytes, 4 sectors. The tree may be another than chapter 07's (24 waits, 20
// stores, 25 loads): a level more or less is not this chapter's matter. One tree for each 512 elements would
// be 192 waits, and a running sum in shared memory 128 stores more.
TEST_CASE("a thread adds 16 elements in a register: 16 loads a warp, then one tree, then one sum a block") {
  harness::DeviceBuffer<float> d_in(kCounted), d_sums(blocks_for<kBlock>(kCounted, kWanted));
  d_in.fill_zero();
  const auto launch = [&] {
    sum_grid_stride<kBlock>
        <<<blocks_for<kBlock>(kCounted, kWanted), kBlock>>>(d_in.data(), d_sums.data(), kCounted);
  };
  constexpr int kWarps = kBlock / 32;
  judge::check_counts(
      "sum_grid_stride", kWanted, launch,
      {Count::global_load_requests <= kWarps * kPerThread,
       Count::global_load_sectors <= kWarps * kPerThread * 4, Count::global_store_requests <= 1,
       Count::global_atomics <= 0, Count::local_requests <= 0, Count::shared_store_requests <= 56,
       Count::shared_load_requests <= 96, Count::barriers <= 9 * kWarps});
}
