// Judges chapters/05_idle_threads/kernels.cuh: three sums whose threads add two elements while they load,
// and one whose threads add more.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "counts.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0xabbfc96c52d0196e,
                                         {{"plan B: sum_half_the_threads", 2, {"sum_half_the_threads"}},
                                          {"plan C: sum_adjacent_tiles", 2, {"sum_adjacent_tiles"}},
                                          {"plan D: sum_many_each", 2, {"sum_many_each"}}}};

namespace {

using judge::Count;
using judge::SumKernel;

// Blocks for n elements, `each` a block; an empty input gets one, too.
int blocks_for(int n, int each) { return n == 0 ? 1 : (n - 1) / each + 1; }

// Which elements a block of plan A sums is not judged, only that all are summed once: a check that repeated
// the kernel's index would repeat its mistakes.
void launch_a(float* d_in, float* d_sum, int n) {
  const int blocks = blocks_for(n, 2 * kBlock);
  judge::add_up(blocks, d_sum,
                [&](float* d_sums) { sum_half_the_blocks<<<blocks, kBlock>>>(d_in, d_sums, n); });
}
void launch_b(float* d_in, float* d_sums, int n) {
  sum_half_the_threads<<<blocks_for(n, kBlock), kThreadsB>>>(d_in, d_sums, n);
}
void launch_c(float* d_in, float* d_sums, int n) {
  sum_adjacent_tiles<<<blocks_for(n, kElementsC), kBlock>>>(d_in, d_sums, n);
}

void launch_d(float* d_in, float* d_sums, int n) {
  sum_many_each<<<blocks_for(n, kElementsD), kThreadsD>>>(d_in, d_sums, n);
}

// name, elements a sum, keeps its input, adds in a fixed order, has no gap in the starter
const SumKernel kPlanA{"sum_half_the_blocks", SumKernel::kAll, true, true, false, launch_a};
const SumKernel kPlanB{"sum_half_the_threads", kBlock, true, true, false, launch_b};
const SumKernel kPlanC{"sum_adjacent_tiles", kElementsC, true, true, false, launch_c};
const SumKernel kPlanD{"sum_many_each", kElementsD, true, true, false, launch_d};
const SumKernel* const kPlans[] = {&kPlanA, &kPlanB, &kPlanC, &kPlanD};

// Counts for every 512 elements, so that plans with blocks of different sizes compare.
void check_counts_per_512(const SumKernel& plan, const std::vector<judge::Limit>& limits) {
  judge::check_counts(plan, limits, 512, "for every 512 elements");
}

static_assert(kThreadsD > 0 && kElementsD > 0, "a block of plan D has threads and elements");

}  // namespace

TEST_CASE("no access leaves the arrays") {
  for (const SumKernel* plan : kPlans) judge::check_bounds(*plan);
}

TEST_CASE("a sum of any length is right, and the input stays as it was") {
  for (const SumKernel* plan : kPlans) judge::check_sums(*plan);
}

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") {
  for (const SumKernel* plan : kPlans) judge::check_nan(*plan);
}

TEST_CASE("a second run gives the same bits") {
  for (const SumKernel* plan : kPlans) judge::check_repeatable(*plan);
}

TEST_CASE("each block of plan A sums two tiles") {
  for (int n : {1, 513, 4096, 4099, 100003}) {
    const int blocks = blocks_for(n, 2 * kBlock);
    judge::check_shares("sum_half_the_blocks", blocks, 2 * kBlock, n,
                        [&](float* d_in, float* d_sums, int items) {
                          sum_half_the_blocks<<<blocks, kBlock>>>(d_in, d_sums, items);
                        });
  }
}

TEST_CASE("indices up to 2^30 are right") {
  const judge::GridSums plan_a = {"sum_half_the_blocks",
                                  [](float* d_in, float* d_sums, int n, int blocks) {
                                    sum_half_the_blocks<<<blocks, kBlock>>>(d_in, d_sums, n);
                                  },
                                  [](std::size_t b, std::size_t blocks, std::size_t n) {
                                    std::vector<judge::Stretch> two;
                                    for (std::size_t first : {b * kBlock, (b + blocks) * kBlock})
                                      if (first < n) two.push_back({first, std::min(n, first + kBlock)});
                                    return two;
                                  }};
  for (int n : {1 << 30, (1 << 30) - 133}) judge::check_large_grid(plan_a, n, blocks_for(n, 2 * kBlock));
  judge::check_large_indices(kPlanB, kBlock);
  judge::check_large_indices(kPlanC, kElementsC);
  judge::check_large_indices(kPlanD, kElementsD);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const SumKernel* plan : kPlans) judge::check_schedules(*plan);
}

TEST_CASE("every element is read once, 32 lanes side by side") {
  for (const SumKernel* plan : {&kPlanA, &kPlanB, &kPlanC})
    check_counts_per_512(*plan, {Count::global_load_requests <= 16, Count::global_load_sectors <= 64,
                                 Count::global_store_requests <= 2});
}

// A tree over 256 sums takes 9 barriers of 8 warps, 25 shared loads and 20 shared stores. One is enough; and
// whoever adds the second element in the tile may load and store it there once more a warp. (Plan A, which is given, is asked
// for no more than right sums: its tree may serve blocks of another size.)
TEST_CASE("one tree of 256 threads serves 512 elements") {
  check_counts_per_512(kPlanC, {Count::barriers <= 72, Count::shared_load_requests <= 25 + 8,
                                Count::shared_store_requests <= 20 + 8});
}

// A tree over 128 sums takes 8 barriers of 4 warps, 17 shared loads and 12 shared stores.
TEST_CASE("one tree of 128 threads serves 256 elements") {
  check_counts_per_512(kPlanB, {Count::barriers <= 2 * 32, Count::shared_load_requests <= 2 * (17 + 4),
                                Count::shared_store_requests <= 2 * (12 + 4)});
}

// The sums live in a register until the one tree: of 128 sums for every 1024 elements, of 256 for 2048, or less. What
// a tree of 32 sums for 512 elements takes leaves room for other trees.
TEST_CASE("plan D's warps wait a quarter as often as plan C's, and blocks stay small") {
  if (kElementsD > 4096)
    judge::report({judge::Kind::unimproved,
                   "it sums " + std::to_string(kElementsD) +
                       " elements a block (this chapter asks for 4096 at most): sum_many_each",
                   "", "sum_many_each"});
  const double stretches = kElementsD / 512.0;
  judge::check_counts(
      kPlanD,
      {Count::global_load_requests <= 16 * stretches, Count::global_load_sectors <= 64 * stretches,
       Count::barriers <= 72 / 4 * stretches, Count::local_requests <= 0,
       Count::shared_load_requests <= 12 * stretches, Count::shared_store_requests <= 12 * stretches});
}

TEST_CASE("stretch: plan C waits half as often for every 512 elements") {
  check_counts_per_512(kPlanC, {Count::barriers <= 36});
}
// SPDX-License-Identifier: MIT
