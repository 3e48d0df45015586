// Judges chapters/02_shared_memory/kernels.cuh: the tree of chapter 01, moved to shared memory.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "given.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0xaba9c0a84d67dc64,
                                         {{"sum_tile: the tree in a tile", 4, {"sum_tile"}}}};

namespace {

using judge::Count;

// name, elements a sum, need not keep its input to be right, adds in a fixed order, has no gap in the starter
const judge::SumKernel kSumTile{
    "sum_tile", kBlock, false, true, false, [](float* d_in, float* d_sums, int n) {
      const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // an empty input gets one, too
      sum_tile<<<blocks, kBlock>>>(d_in, d_sums, n);
    }};

}  // namespace

TEST_CASE("no access leaves the arrays") {
  judge::check_given("kBlock", kBlock, 256);
  judge::check_bounds(kSumTile);
}

TEST_CASE("a sum of any length is right") { judge::check_sums(kSumTile); }

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") { judge::check_nan(kSumTile); }

TEST_CASE("a second run gives the same bits") { judge::check_repeatable(kSumTile); }

TEST_CASE("indices up to 2^30 are right") { judge::check_large_indices(kSumTile, kBlock); }

TEST_CASE("the sums are the same whichever lane comes first") { judge::check_schedules(kSumTile); }

TEST_CASE("a full block reads global memory once for each warp, and writes one sum") {
  judge::check_counts(kSumTile, {Count::global_load_requests <= 8, Count::global_load_sectors <= 32,
                                 Count::global_store_requests <= 1});
}

TEST_CASE("the input stays as it was") { judge::check_input_kept(kSumTile); }

// Lanes of one warp can pass their sums on without the whole block waiting.
TEST_CASE("stretch: the block waits three times, not nine") {
  judge::check_counts(kSumTile, {Count::barriers <= 24});
}
// SPDX-License-Identifier: MIT
