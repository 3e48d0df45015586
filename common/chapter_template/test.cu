// Judges chapters/NN_topic/kernels.cuh: the sums of tiles, loaded by neighbouring lanes.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "given.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0x0000000000000000, {{"sum_tile: neighbouring lanes load neighbouring elements", 1, {"sum_tile"}}}};

namespace {

using judge::Count;

const judge::SumKernel kSumTile{.name = "sum_tile",
                                .per_sum = kTile,
                                .keeps_input = true,
                                .fixed_order = true,
                                .has_gap = false,  // the starter's sums are right
                                .launch = [](float* d_in, float* d_sums, int n) {
                                  const int blocks =
                                      n == 0 ? 1 : (n - 1) / kTile + 1;  // no launch may be empty
                                  sum_tile<<<blocks, kBlock>>>(d_in, d_sums, n);
                                }};

}  // namespace

TEST_CASE("no access leaves the arrays") {
  judge::check_given("kBlock", kBlock, 256);
  judge::check_given("kEach", kEach, 4);
  judge::check_bounds(kSumTile);
}

TEST_CASE("a sum of any length is right") { judge::check_sums(kSumTile); }

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") { judge::check_nan(kSumTile); }

TEST_CASE("a second run gives the same bits") { judge::check_repeatable(kSumTile); }

TEST_CASE("indices up to 2^30 are right") { judge::check_large_indices(kSumTile, kTile); }

TEST_CASE("the sums are the same whichever lane comes first") { judge::check_schedules(kSumTile); }

TEST_CASE("a full block loads each sector of its tile once") {
  judge::check_counts(kSumTile, {Count::global_load_sectors <= kTile / 8, Count::global_store_requests <= 1});
}

// Lanes of one warp can pass their sums on without the whole block waiting.
TEST_CASE("stretch: the block waits once, not nine times") {
  judge::check_counts(kSumTile, {Count::barriers <= kBlock / 32});
}
// SPDX-License-Identifier: MIT
