// Judges chapters/04_bank_conflicts/kernels.cuh: the tree of chapter 03, with every lane of a warp in a bank
// of its own.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0xed3abf79394ce2ff,
                                         {{"sum_sequential: the tree turned round", 1, {"sum_sequential"}}}};

namespace {

using judge::Count;

// name, elements a sum, need not keep its input to be right, adds in a fixed order, has no gap in the starter
const judge::SumKernel kSumSequential{
    "sum_sequential", kBlock, false, true, false, [](float* d_in, float* d_sums, int n) {
      const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // an empty input gets one, too
      sum_sequential<<<blocks, kBlock>>>(d_in, d_sums, n);
    }};

}  // namespace

TEST_CASE("no access leaves the arrays") { judge::check_bounds(kSumSequential); }

TEST_CASE("a sum of any length is right") { judge::check_sums(kSumSequential); }

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") { judge::check_nan(kSumSequential); }

TEST_CASE("a second run gives the same bits") { judge::check_repeatable(kSumSequential); }

TEST_CASE("indices up to 2^30 are right") { judge::check_large_indices(kSumSequential, kBlock); }

TEST_CASE("the sums are the same whichever lane comes first") { judge::check_schedules(kSumSequential); }

TEST_CASE("a full block still reads global memory once for each warp, and writes one sum") {
  judge::check_counts(kSumSequential, {Count::global_load_requests <= 8, Count::global_store_requests <= 1});
}

// Chapter 02 has no bank conflict either, and four times as many warps at work.
TEST_CASE("the additions still fill whole warps") {
  judge::check_counts(kSumSequential,
                      {Count::shared_load_requests <= 25, Count::shared_store_requests <= 20});
}

TEST_CASE("no two lanes of a warp meet in a bank") {
  judge::check_counts(kSumSequential, {Count::bank_conflicts <= 0});
}

TEST_CASE("the input stays as it was") { judge::check_input_kept(kSumSequential); }

TEST_CASE("stretch: the block waits five times, not nine") {
  judge::check_counts(kSumSequential, {Count::barriers <= 40, Count::bank_conflicts <= 0});
}
