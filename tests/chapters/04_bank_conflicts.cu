// Judges chapters/04_bank_conflicts/kernels.cuh: the tree of chapter 03, with every lane of a warp in a bank
// of its own; and rows, one a lane.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "given.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0x3aad1e95c3c12c5a,
                                         {{"sum_sequential: the tree turned round", 1, {"sum_sequential"}},
                                          {"sum_rows: a row for every lane", 1, {"sum_rows"}}}};

namespace {

using judge::Count;
using judge::SumKernel;

constexpr int kRowsElements = kRowsPerBlock * kRow;  // of a block of rows

// name, elements a sum, need not keep its input to be right, adds in a fixed order, has no gap in the starter
const SumKernel kSumSequential{
    "sum_sequential", kBlock, false, true, false, [](float* d_in, float* d_sums, int n) {
      const int blocks = n == 0 ? 1 : (n - 1) / kBlock + 1;  // an empty input gets one, too
      sum_sequential<<<blocks, kBlock>>>(d_in, d_sums, n);
    }};
const SumKernel kSumRows{"sum_rows",
                         kRow,
                         true,
                         true,
                         false,
                         [](float* d_in, float* d_sums, int n) {
                           const int blocks = n == 0 ? 1 : (n - 1) / kRowsElements + 1;
                           sum_rows<<<blocks, kRowsPerBlock>>>(d_in, d_sums, n);
                         },
                         "row"};
const SumKernel* const kKernels[] = {&kSumSequential, &kSumRows};

}  // namespace

TEST_CASE("no access leaves the arrays") {
  judge::check_given("kBlock", kBlock, 256);
  judge::check_given("kRow", kRow, 32);
  judge::check_given("kRowsPerBlock", kRowsPerBlock, 64);
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
  judge::check_large_indices(kSumSequential, kBlock);
  judge::check_large_indices(kSumRows, kRowsElements);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const SumKernel* kernel : kKernels) judge::check_schedules(*kernel);
}

TEST_CASE("a full block still reads global memory once for each warp, and writes one sum") {
  judge::check_counts(kSumSequential, {Count::global_load_requests <= 8, Count::global_store_requests <= 1});
}

// Chapter 02 has no bank conflict either, and four times as many warps at work.
TEST_CASE("the additions still fill whole warps") {
  judge::check_counts(kSumSequential,
                      {Count::shared_load_requests <= 25, Count::shared_store_requests <= 20});
}

// 2048 elements: 32 a request, once from global memory and at most once more to the tile and from it.
TEST_CASE("a block of rows loads every element once, 32 lanes side by side") {
  judge::check_counts(
      kSumRows,
      {Count::global_load_requests <= kRowsElements / 32, Count::global_load_sectors <= kRowsElements / 8,
       Count::local_requests <= 0, Count::shared_load_requests <= kRowsElements / 32,
       Count::shared_store_requests <= kRowsElements / 32},
      kRowsElements);
}

TEST_CASE("no two lanes of a warp meet in a bank") {
  judge::check_counts(kSumSequential, {Count::bank_conflicts <= 0});
  judge::check_counts(kSumRows, {Count::bank_conflicts <= 0}, kRowsElements);
}

TEST_CASE("the input stays as it was") {
  for (const SumKernel* kernel : kKernels) judge::check_input_kept(*kernel);
}

TEST_CASE("stretch: the block waits five times, not nine") {
  judge::check_counts(kSumSequential, {Count::barriers <= 40, Count::bank_conflicts <= 0});
}
// SPDX-License-Identifier: MIT
