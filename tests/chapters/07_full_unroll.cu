// Judges chapters/07_full_unroll/kernels.cuh: the tree with its levels written out, for every number of
// threads.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>

#include "counts.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0xbc0690b5f9d9d0ba,
    {{"sum_unrolled_by_hand", 1, {"sum_unrolled_by_hand"}}, {"sum_unrolled", 1, {"sum_unrolled"}}}};

namespace {

using judge::Count;

// A kernel for one number of threads, and what the check asks of a full block of it.
struct Case {
  int threads;
  judge::SumKernel kernel;

  int warps() const { return threads / 32; }
  // Levels that take the whole block: those with more than 32 pairs.
  int block_levels() const {
    int levels = 0;
    for (int pairs = threads / 2; pairs > 32; pairs /= 2) ++levels;
    return levels;
  }
};

template <void (*kKernel)(const float*, float*, int), int kThreads>
Case case_of(const char* name) {
  // name, elements a sum, need not keep its input to be right, adds in a fixed order, has no gap in the
  // starter
  return {kThreads, {name, 2 * kThreads, false, true, false, [](float* d_in, float* d_sums, int n) {
                       const int blocks = n == 0 ? 1 : (n - 1) / (2 * kThreads) + 1;  // of nothing, too
                       kKernel<<<blocks, kThreads>>>(d_in, d_sums, n);
                     }}};
}

const Case kCases[] = {
    case_of<sum_unrolled_by_hand, 256>("sum_unrolled_by_hand"),
    case_of<sum_unrolled<64>, 64>("sum_unrolled<64>"),
    case_of<sum_unrolled<128>, 128>("sum_unrolled<128>"),
    case_of<sum_unrolled<256>, 256>("sum_unrolled<256>"),
    case_of<sum_unrolled<512>, 512>("sum_unrolled<512>"),
    case_of<sum_unrolled<1024>, 1024>("sum_unrolled<1024>"),
};

}  // namespace

TEST_CASE("no access leaves the arrays") {
  for (const Case& c : kCases) judge::check_bounds(c.kernel);
}

TEST_CASE("a sum of any length is right with every number of threads") {
  for (const Case& c : kCases) judge::check_sums(c.kernel);
}

TEST_CASE("a NaN comes out in the sum that covers it, and in no other") {
  for (const Case& c : kCases) judge::check_nan(c.kernel);
}

TEST_CASE("a second run gives the same bits") {
  for (const Case& c : kCases) judge::check_repeatable(c.kernel);
}

TEST_CASE("indices up to 2^30 are right") {
  for (const Case& c : kCases) judge::check_large_indices(c.kernel, 2 * c.threads);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const Case& c : kCases) judge::check_schedules(c.kernel);
}

TEST_CASE("a full block reads its elements once, without conflicts, and writes one sum") {
  for (const Case& c : kCases)
    judge::check_counts(
        c.kernel, {Count::global_load_requests <= 2 * c.warps(), Count::global_load_sectors <= 8 * c.warps(),
                   Count::global_store_requests <= 1, Count::bank_conflicts <= 0});
}

// One barrier for the tile and one for each level of the whole block, as in chapter 06. There and here a tree reads two
// elements for each pair of a level, and the last warp reads seven times; 06 has room for six more.
TEST_CASE("a block waits no more often than chapter 06's, and reads its tile no more often") {
  for (const Case& c : kCases)
    judge::check_counts(c.kernel, {Count::barriers <= c.warps() * (1 + c.block_levels()),
                                   Count::shared_load_requests <= 2 * (c.warps() - 2) + 7 + 6});
  for (const Case& c : kCases) judge::check_last_warp_alone(c.kernel);
}

// A warp that knows its levels decides four times at most (has it its first element, its second, is it the
// last warp, does it store the sum) and once on each level. One that counts them decides once more on each
// level, and once to end. The limit lies between, with room for six decisions of the last warp: other
// compilers, and other ways to write the same, differ by a few. So it tells the two apart from 256 threads
// on.
TEST_CASE("no warp executes a branch to find out whether there is another level") {
  for (const Case& c : kCases) {
    const int known = c.warps() * (4 + c.block_levels());
    judge::check_counts(c.kernel, {Count::branches <= known + std::max(6, c.warps() * c.block_levels() / 2)});
  }
}

// Whatever it saves elsewhere, by warps that leave for instance.
TEST_CASE("no warp goes round a loop over the levels") {
  for (const Case& c : kCases) judge::check_levels_written_out(c.kernel);
}

TEST_CASE("the input stays as it was") {
  for (const Case& c : kCases) judge::check_input_kept(c.kernel);
}

TEST_CASE("stretch: 256 threads wait twice, not three times") {
  judge::check_counts(kCases[3].kernel, {Count::barriers <= 16});
}
// SPDX-License-Identifier: MIT
