// Judges chapters/03_divergence/kernels.cuh: the tree of chapter 02, with its additions packed into whole
// warps.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0x0bcfb43b30608fa6,
                                         {{"sum_strided: pair t for thread t", 1, {"sum_strided"}}}};

namespace {

using judge::Count;

// name, elements a sum, need not keep its input to be right, adds in a fixed order, has no gap in the starter
const judge::SumKernel kSumStrided{
    "sum_strided", kBlock, false, true, false, [](float* d_in, float* d_sums, int n) {
      const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // an empty input gets one, too
      sum_strided<<<blocks, kBlock>>>(d_in, d_sums, n);
    }};

}  // namespace

TEST_CASE("no access leaves the arrays") { judge::check_bounds(kSumStrided); }

TEST_CASE("a sum of any length is right") { judge::check_sums(kSumStrided); }

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") { judge::check_nan(kSumStrided); }

TEST_CASE("a second run gives the same bits") { judge::check_repeatable(kSumStrided); }

TEST_CASE("indices up to 2^30 are right") { judge::check_large_indices(kSumStrided, kBlock); }

TEST_CASE("the sums are the same whichever lane comes first") { judge::check_schedules(kSumStrided); }

TEST_CASE("a full block still reads global memory once for each warp, and writes one sum") {
  judge::check_counts(kSumStrided, {Count::global_load_requests <= 8, Count::global_store_requests <= 1});
}

// 12 warps have pairs to add, 4 + 2 + 1 + 1 + 1 + 1 + 1 + 1 by level; each loads twice and stores once.
// Thread 0 loads the sum, 8 warps store the elements. A branch splits a warp on the last five levels and at
// the end: 6 times, or 11 if a level asks twice. Chapter 02's splits one 48 times.
TEST_CASE("the additions fill whole warps") {
  judge::check_counts(kSumStrided, {Count::shared_load_requests <= 25, Count::shared_store_requests <= 20,
                                    Count::divergent_branches <= 12});
}

TEST_CASE("the input stays as it was") { judge::check_input_kept(kSumStrided); }

TEST_CASE("stretch: warps that have nothing more to add no longer wait") {
  judge::check_counts(kSumStrided, {Count::barriers <= 36});
}
