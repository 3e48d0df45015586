// Judges chapters/06_warp_unroll/kernels.cuh: the tree of chapter 05, finished by one warp alone; and sums
// that warps make by themselves.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "given.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0x750a3a87cb343113,
                                         {{"sum_warp_tail: the last warp alone", 1, {"sum_warp_tail"}},
                                          {"sum_by_warps: every warp alone", 1, {"sum_by_warps"}}}};

namespace {

using judge::Count;
using judge::SumKernel;

int blocks_for(int n) { return n == 0 ? 1 : (n - 1) / kElements + 1; }  // an empty input gets one, too

// name, elements a sum, keeps its input, adds in a fixed order, has no gap in the starter
const SumKernel kSumWarpTail{
    "sum_warp_tail", kElements, true, true, false, [](float* d_in, float* d_sums, int n) {
      sum_warp_tail<<<blocks_for(n), kBlock>>>(d_in, d_sums, n);
    }};
const SumKernel kSumByWarps{
    "sum_by_warps",
    kWarpElements,
    true,
    true,
    false,
    [](float* d_in, float* d_sums, int n) { sum_by_warps<<<blocks_for(n), kBlock>>>(d_in, d_sums, n); },
    "stretch"};
const SumKernel* const kKernels[] = {&kSumWarpTail, &kSumByWarps};

}  // namespace

TEST_CASE("no access leaves the arrays") {
  judge::check_given("kBlock", kBlock, 256);
  for (const SumKernel* kernel : kKernels) judge::check_bounds(*kernel);
}

TEST_CASE("a sum of any length is right, and the input stays as it was") {
  for (const SumKernel* kernel : kKernels) judge::check_sums(*kernel);
}

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") {
  for (const SumKernel* kernel : kKernels) judge::check_nan(*kernel);
}

TEST_CASE("a second run gives the same bits") {
  for (const SumKernel* kernel : kKernels) judge::check_repeatable(*kernel);
}

TEST_CASE("indices up to 2^30 are right") {
  for (const SumKernel* kernel : kKernels) judge::check_large_indices(*kernel, kElements);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const SumKernel* kernel : kKernels) judge::check_schedules(*kernel);
}

TEST_CASE("every element is read once, 32 lanes side by side") {
  judge::check_counts(kSumWarpTail, {Count::global_load_requests <= 16, Count::global_load_sectors <= 64,
                                     Count::global_store_requests <= 1});
  judge::check_counts(kSumByWarps,
                      {Count::global_load_requests <= 16, Count::global_load_sectors <= 64,
                       Count::global_store_requests <= kWarps},
                      kElements);
}

// What the levels cost in chapter 05, where a level has no more warps at work than it needs.
TEST_CASE("the additions still fill whole warps, each lane in a bank of its own") {
  judge::check_counts(kSumWarpTail, {Count::shared_load_requests <= 25, Count::shared_store_requests <= 20,
                                     Count::bank_conflicts <= 0});
}

// Once after loading, once after level 128, once after level 64: 3 times for each of 8 warps.
TEST_CASE("the block waits only while several warps add") {
  judge::check_counts(kSumWarpTail, {Count::barriers <= 24});
  judge::check_last_warp_alone(kSumWarpTail);
}

// Five levels, on each of which a warp loads once and stores once.
TEST_CASE("no warp waits for another where each has a stretch of its own") {
  judge::check_counts(kSumByWarps,
                      {Count::barriers <= 0, Count::shared_load_requests <= 5 * kWarps,
                       Count::shared_store_requests <= 5 * kWarps, Count::bank_conflicts <= 0},
                      kElements);
}

TEST_CASE("stretch: the last warp passes its sums on without shared memory, by shuffles (chapter 09)") {
  judge::check_counts(kSumWarpTail, {Count::shared_load_requests <= 14, Count::shared_store_requests <= 14});
}
// SPDX-License-Identifier: MIT
