// Judges chapters/03_divergence/kernels.cuh: the tree of chapter 02, with its additions packed into whole
// warps, and that of rows.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "given.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0x195904dd08777d2a,
                                         {{"sum_strided: pair t for thread t", 1, {"sum_strided"}},
                                          {"sum_rows: as few warps as the additions fill", 1, {"sum_rows"}}}};

namespace {

using judge::Count;
using judge::SumKernel;

// name, elements a sum, need not keep its input to be right, adds in a fixed order, has no gap in the starter
const SumKernel kSumStrided{"sum_strided", kBlock, false, true, false, [](float* d_in, float* d_sums, int n) {
                              const int blocks =
                                  n == 0 ? 1 : (n - 1) / kBlock + 1;  // an empty input gets one, too
                              sum_strided<<<blocks, kBlock>>>(d_in, d_sums, n);
                            }};
const SumKernel kSumRows{"sum_rows",
                         kRow,
                         true,
                         true,
                         false,
                         [](float* d_in, float* d_sums, int n) {
                           sum_rows<<<n == 0 ? 1 : (n - 1) / kBlock + 1, kBlock>>>(d_in, d_sums, n);
                         },
                         "row"};
const SumKernel* const kKernels[] = {&kSumStrided, &kSumRows};

}  // namespace

TEST_CASE("no access leaves the arrays") {
  judge::check_given("kBlock", kBlock, 256);
  judge::check_given("kRow", kRow, 32);
  for (const SumKernel* kernel : kKernels) judge::check_bounds(*kernel);
}

TEST_CASE("a sum of any length is right") {
  for (const SumKernel* kernel : kKernels) judge::check_sums(*kernel);
}

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") {
  for (const SumKernel* kernel : kKernels) judge::check_nan(*kernel);
}

TEST_CASE("a second run gives the same bits") {
  for (const SumKernel* kernel : kKernels) judge::check_repeatable(*kernel);
}

TEST_CASE("indices up to 2^30 are right") {
  for (const SumKernel* kernel : kKernels) judge::check_large_indices(*kernel, kBlock);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const SumKernel* kernel : kKernels) judge::check_schedules(*kernel);
}

TEST_CASE("a block of rows reads global memory once for each warp, and writes at most once for each row") {
  judge::check_counts(kSumRows, {Count::global_load_requests <= 8, Count::global_store_requests <= 8},
                      kBlock);
}

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

// The levels of 128, 64, 32, 16 and 8 pairs fill 4 + 2 + 1 + 1 + 1 warps. At most 8 warps load the sums and split to store
// them, and 8 store the elements.
TEST_CASE("the additions of rows fill whole warps, too") {
  judge::check_counts(kSumRows,
                      {Count::shared_load_requests <= 2 * 9 + 8, Count::shared_store_requests <= 9 + 8,
                       Count::divergent_branches <= 12},
                      kBlock);
}

TEST_CASE("the input stays as it was") {
  for (const SumKernel* kernel : kKernels) judge::check_input_kept(*kernel);
}

TEST_CASE("stretch: warps that have nothing more to add no longer wait") {
  judge::check_counts(kSumStrided, {Count::barriers <= 36});
}
// SPDX-License-Identifier: MIT
