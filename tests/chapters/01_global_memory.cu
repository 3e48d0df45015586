// Judges chapters/01_global_memory/kernels.cuh: four ways to sum what lies in global memory.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "counts.h"
#include "given.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0xd379db2564c7f8cb,
                                         {{"sum_in_place: the tree", 1, {"sum_in_place"}},
                                          {"sum_out_of_place: the same tree", 1, {"sum_out_of_place"}}}};

namespace {

using judge::Count;
using judge::SumKernel;

// Blocks for one thread per item; an empty input gets one, too.
int blocks_for(int items) { return items == 0 ? 1 : (items - 1) / kBlock + 1; }

void launch_atomic(float* d_in, float* d_sum, int n) {
  CUDA_CHECK(cudaMemset(d_sum, 0, sizeof(float)));
  sum_atomic<<<blocks_for(n), kBlock>>>(d_in, d_sum, n);
}
void launch_runs(float* d_in, float* d_sums, int n) {
  const int runs = n == 0 ? 1 : (n - 1) / kRun + 1;
  sum_runs<<<blocks_for(runs), kBlock>>>(d_in, d_sums, n);
}
void launch_in_place(float* d_in, float* d_sums, int n) {
  sum_in_place<<<blocks_for(n), kBlock>>>(d_in, d_sums, n);
}
void launch_out_of_place(float* d_in, float* d_sums, int n) {
  harness::DeviceBuffer<float> d_scratch(n);
  judge::fill_leftovers(d_scratch);
  sum_out_of_place<<<blocks_for(n), kBlock>>>(d_in, d_scratch.data(), d_sums, n);
  judge::check_launch("sum_out_of_place");
  std::string message;
  if (!d_scratch.guards_intact(&message)) judge::report(judge::Kind::wrong_result, "scratch: " + message);
}

// name, elements a sum, keeps its input, adds in a fixed order, has a gap in the starter
const SumKernel kAtomic{"sum_atomic", SumKernel::kAll, true, false, false, launch_atomic};
const SumKernel kRuns{"sum_runs", kRun, true, true, false, launch_runs, "thread"};
const SumKernel kInPlace{"sum_in_place", kBlock, false, true, true, launch_in_place};
const SumKernel kOutOfPlace{"sum_out_of_place", kBlock, true, true, true, launch_out_of_place};
const SumKernel* const kKernels[] = {&kAtomic, &kRuns, &kInPlace, &kOutOfPlace};

}  // namespace

TEST_CASE("no kernel reads or writes beyond its arrays") {
  judge::check_given("kBlock", kBlock, 256);
  judge::check_given("kRun", kRun, 1024);
  for (const SumKernel* kernel : kKernels) judge::check_bounds(*kernel);
}

TEST_CASE("a sum of any length is right, and only sum_in_place may destroy its input") {
  for (const SumKernel* kernel : kKernels) judge::check_sums(*kernel);
}

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") {
  for (const SumKernel* kernel : kKernels) judge::check_nan(*kernel);
}

TEST_CASE("a second run gives the same bits") {
  for (const SumKernel* kernel : kKernels) judge::check_repeatable(*kernel);
}

TEST_CASE("indices up to 2^30 are right") {
  judge::check_large_indices(kAtomic, kBlock);
  judge::check_large_indices(kRuns, kBlock * kRun);
  judge::check_large_indices(kInPlace, kBlock);
  judge::check_large_indices(kOutOfPlace, kBlock, 2);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const SumKernel* kernel : kKernels) judge::check_schedules(*kernel);
}

// On level len, kBlock / (2 * len) threads load two elements and store one. They are spread over all 8 warps
// up to len = 16, over 4, 2 and 1 warps above: 47 stores and twice as many loads, and one each for the sum.
TEST_CASE("a full block of the tree reads at most 95 times and writes at most 48 times") {
  judge::check_counts(kInPlace, {Count::global_load_requests <= 95, Count::global_store_requests <= 48});
  // 8 more of each copy the tile to scratch.
  judge::check_counts(kOutOfPlace, {Count::global_load_requests <= 103, Count::global_store_requests <= 56});
}

// Who adds elements half a tile apart keeps whole warps at work, as chapter 04 will.
TEST_CASE("stretch: less than half the requests of the tree in place") {
  judge::check_counts(kInPlace, {Count::global_load_requests <= 40, Count::global_store_requests <= 24});
}
// SPDX-License-Identifier: MIT
