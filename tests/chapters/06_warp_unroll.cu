// Judges chapters/06_warp_unroll/kernels.cuh: the tree of chapter 05, finished by one warp alone.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0xf9c5e3e4a4190cfa,
                                         {{"sum_warp_tail: the last warp alone", 1, {"sum_warp_tail"}}}};

namespace {

using judge::Count;

// name, elements a sum, keeps its input, adds in a fixed order, has no gap in the starter
const judge::SumKernel kSumWarpTail{
    "sum_warp_tail", kElements, true, true, false, [](float* d_in, float* d_sums, int n) {
      const int blocks = n == 0 ? 1 : (n - 1) / kElements + 1;  // an empty input gets one, too
      sum_warp_tail<<<blocks, kBlock>>>(d_in, d_sums, n);
    }};

}  // namespace

TEST_CASE("no access leaves the arrays") { judge::check_bounds(kSumWarpTail); }

TEST_CASE("a sum of any length is right, and the input stays as it was") { judge::check_sums(kSumWarpTail); }

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") { judge::check_nan(kSumWarpTail); }

TEST_CASE("a second run gives the same bits") { judge::check_repeatable(kSumWarpTail); }

TEST_CASE("indices up to 2^30 are right") { judge::check_large_indices(kSumWarpTail, kElements); }

TEST_CASE("the sums are the same whichever lane comes first") { judge::check_schedules(kSumWarpTail); }

TEST_CASE("every element is read once, 32 lanes side by side") {
  judge::check_counts(kSumWarpTail, {Count::global_load_requests <= 16, Count::global_load_sectors <= 64,
                                     Count::global_store_requests <= 1});
}

// What the levels cost in chapter 05, where a level has no more warps at work than it needs.
TEST_CASE("the additions still fill whole warps, each lane in a bank of its own") {
  judge::check_counts(kSumWarpTail, {Count::shared_load_requests <= 25, Count::shared_store_requests <= 20,
                                     Count::bank_conflicts <= 0});
}

// Once after loading, once after level 128, once after level 64: 3 times for each of 8 warps.
TEST_CASE("the block waits only while several warps add") {
  judge::check_counts(kSumWarpTail, {Count::barriers <= 24});
}

TEST_CASE("stretch: the last warp passes its sums on without shared memory") {
  judge::check_counts(kSumWarpTail, {Count::shared_load_requests <= 14, Count::shared_store_requests <= 14});
}
