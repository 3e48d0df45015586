// Judges chapters/12_bandwidth_limit/kernels.cuh: a sum of any length from any address, in one launch.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "counts.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "judge.h"
#include "large_grids.h"
#include "one_launch_checks.h"
#include "sum_checks.h"
#include "thresholds.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0xa2b9a2e73f45b87a,
    {{"parts_of: fours from a boundary of 16 bytes on", 1, {"parts_of"}},
     {"thread_sum: several loads of 16 bytes at once", 1, {"thread_sum"}},
     {"collect: one launch", 2, {"sum_all"}}}};

// Names of the judge hide those that a kernels.cuh gives to things of its own.
namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::Guards;

constexpr int kFour = 4, kBoundary = 16;  // floats and bytes of a load

// sum_all on a copy of the array that begins `offset` floats beyond a boundary. Nothing ever wrote what is before.
SumKernel summed(const char* name, int offset, int blocks) {
  const auto launch = [=](float* d_in, float* d_sum, int n) {
    DeviceBuffer<float> d_shifted(n + offset, Guards::none);
    DeviceBuffer<BlockWord> d_words(blocks, Guards::none);
    d_words.fill_zero();
    const float* d_from = d_in;
    if (offset > 0) {
      if (cudaMemcpy(d_shifted.data() + offset, d_in, n * sizeof(float), cudaMemcpyDeviceToDevice) !=
          cudaSuccess)
        report(Kind::fault, "the array cannot be copied");
      d_from = d_shifted.data() + offset;
    }
    sum_all(d_from, d_sum, d_words.data(), n, blocks);
    const std::string what = std::string(name) + ", n = " + std::to_string(n);
    check_launch(what);
    check_empty(what, d_words);
  };
  return {name, SumKernel::kAll, true, true, false, launch};
}

const SumKernel kSums[] = {
    summed("sum_all, 3 blocks", 0, 3),
    summed("sum_all of in + 1, 8 blocks", 1, 8),
    summed("sum_all of in + 2, 1 block", 2, 1),
    summed("sum_all of in + 3, 20 blocks", 3, 20),
};

// On one boundary of 16 bytes, and on none of 32, 64, 128 or 256.
const SumKernel kFurther[] = {
    summed("sum_all of in + 4, 2 blocks", 4, 2),
    summed("sum_all of in + 8, 2 blocks", 8, 2),
    summed("sum_all of in + 16, 2 blocks", 16, 2),
    summed("sum_all of in + 32, 2 blocks", 32, 2),
};

// The sum of what a block's threads add up.
__global__ void __launch_bounds__(kBlock) block_sums(const float* in, float* sums, int n) {
  const float sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// thread_sum by itself, each thread's for itself.
__global__ void __launch_bounds__(kBlock) thread_sums(const float* in, float* sums, int n) {
  sums[blockIdx.x * kBlock + threadIdx.x] = thread_sum(in, n);
}

constexpr OneLaunch kOneSum = {kLoads * kBlock * kFour,
                               [](const float* d_in, float* d_sum, BlockWord* d_words, int n, int blocks) {
                                 sum_all(d_in, d_sum, d_words, n, blocks);
                               }};
const SumKernel kFew[] = {kSums[0], kSums[1]};  // where the address makes no difference

// Whether thread_sum, launched on `n` floats that begin `offset` floats beyond a boundary, keeps the limits.
bool count_loads(const std::string& what, int blocks, int offset, int n, const std::vector<Limit>& limits) {
  DeviceBuffer<float> d_in(n + offset), d_sums(blocks * kBlock);
  d_in.fill_zero();
  return check_counts(
      what + " of " + std::to_string(n) + " floats, " + std::to_string(blocks) +
          (blocks == 1 ? " block" : " blocks") + (offset == 0 ? "" : ", from in + " + std::to_string(offset)),
      blocks, [&] { thread_sums<<<blocks, kBlock>>>(d_in.data() + offset, d_sums.data(), n); }, limits);
}
constexpr double kInFlight = 4, kInLastRound = 2.5;  // loads

bool parts_are_missing = false, fours_are_missing = false;
// Nothing else can be right then.
bool waits_for_fours() {
  if (parts_are_missing) leave_out("thread_sum");
  if (parts_are_missing || fours_are_missing) leave_out("sum_all");
  return parts_are_missing || fours_are_missing;
}

// Blocks and floats of a counted launch, each of whose threads has `each` fours.
constexpr int kBlocks = 8;
constexpr int counted(int each, int blocks = kBlocks) { return blocks * kBlock * kFour * each; }

}  // namespace

TEST_CASE("an array has at most 3 floats before its fours, and 3 after them") {
  bool is_open = false;
  // As an int, the last of these is negative.
  for (const std::uintptr_t place :
       {std::uintptr_t(4096), std::uintptr_t(0x7fff12345670), std::uintptr_t(0x7fff92345670)})
    for (std::uintptr_t offset = 0; offset < 4; ++offset)
      for (int n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 1001, 1002, 1003, (1 << 30) - 1, 1 << 30}) {
        const float* in = reinterpret_cast<const float*>(place + offset * sizeof(float));
        const Parts parts = parts_of(in, n);
        const auto call = "parts_of(in, " + std::to_string(n) + "), in being " + std::to_string(offset) +
                          " floats beyond a multiple of 16 bytes, has head " + std::to_string(parts.head) +
                          ", " + std::to_string(parts.fours) + " fours, tail " + std::to_string(parts.tail);
        const long long covered = parts.head + static_cast<long long>(kFour) * parts.fours + parts.tail;
        if (parts.head < 0 || parts.fours < 0 || parts.tail < 0 || covered != n)
          report(Kind::wrong_result, call + ": that is not all of the array");
        if (parts.fours > 0 && (place + (offset + parts.head) * sizeof(float)) % kBoundary != 0)
          report(Kind::wrong_result, call + ": the fours do not begin at a multiple of 16 bytes");
        if ((parts.head > 3 || parts.tail > 3) && !is_open)
          report({Kind::unimproved,
                  "it adds floats that could be part of a four; head and tail have at most 3 each (" + call +
                      ")",
                  "", "parts_of"});
        is_open = is_open || parts.head > 3 || parts.tail > 3;
      }
}

// The starter's thread_sum adds head and tail. Once parts_of is right these are not all of the array, so that nothing else is
// right before thread_sum is, too.
TEST_CASE("the fours are added, too") {
  const int n = counted(1) + 5;
  const std::vector<float> input = harness::small_integers(n, 4);
  const DeviceBuffer<float> d_in(input);
  const Parts parts = parts_of(d_in.data(), n);
  DeviceBuffer<float> d_sums(kBlocks * kBlock);
  thread_sums<<<kBlocks, kBlock>>>(d_in.data(), d_sums.data(), n);
  check_launch("thread_sum, n = " + std::to_string(n));
  const std::vector<float> sums = d_sums.download();
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  double ends = 0, all = 0;
  for (int i = 0; i < n; ++i) {
    all += input[i];
    if (i < parts.head || i >= n - parts.tail) ends += input[i];
  }
  fours_are_missing = sum == ends && sum != all;
  parts_are_missing = sum != all && is_open("parts_of");
  if (parts_are_missing)
    report(Kind::as_shipped, "parts_of: it calls " + std::to_string(parts.head) + " of " + std::to_string(n) +
                                 " floats head and " + std::to_string(parts.tail) +
                                 " tail, and thread_sum adds " + harness::digits(float(sum)) +
                                 " in place of " + harness::digits(float(all)) + ": parts_of first");
  else if (fours_are_missing)
    report(Kind::as_shipped, "thread_sum: it adds head and tail, " + std::to_string(parts.head + parts.tail) +
                                 " of " + std::to_string(n) + " floats: the fours between them are missing");
}

TEST_CASE("no access leaves the array, wherever it begins") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kSums) check_bounds(kernel);
}

TEST_CASE("a sum of any length is right, wherever the array begins") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kSums) check_sums(kernel);
  const std::vector<float> input = harness::small_integers(20'003, 5);
  for (const SumKernel& kernel : kFurther) {
    const Run result = run(kernel, kernel.name, input);
    const harness::Verdict verdict =
        harness::verify_sum(result.sums[0], harness::reference_sum(input), harness::kExact);
    if (!verdict) report(Kind::wrong_result, kernel.name + std::string(": ") + verdict.message);
  }
}

// Before blocks run in other orders, in which a wait that gives up may look millions of times.
TEST_CASE("no sum is stored before all blocks have come") {
  if (!waits_for_fours()) check_missing_block(kOneSum);
}

TEST_CASE("a NaN comes out") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kFew) check_nan(kernel);
}

TEST_CASE("a second run gives the same bits") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kFew) check_repeatable(kernel);
}

TEST_CASE("the sums are the same whichever lane and whichever block comes first") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kFew) check_schedules(kernel);
}

// Full rounds: one, a few, and so many that it shows if only the first ones are right. A warp's request is 32 neighbours, 16
// sectors, or 17 where the fours begin between two. (Half of kLoads is asked for: a compiler may wait for the first load by itself.) A kernel with 16 loads at once has full
// rounds where a thread has a multiple of 16 fours. Head and tail are a few requests of one block.
TEST_CASE("requests of 512 bytes, several of them in flight") {
  if (waits_for_fours()) return;
  constexpr int kWarps = kBlock / 32, kEnds = 6;
  struct Shape {
    int blocks, rounds, offset;
  };
  for (const auto& [blocks, rounds, offset] :
       {Shape{8, 2, 0}, {1, 1, 0}, {3, 3, 1}, {2, 5, 2}, {5, 4, 3}, {1, 300, 0}, {75, 2, 0}}) {
    const int each = rounds * kLoads, ends = offset == 0 ? 0 : kEnds;
    const int n = counted(each, blocks) + (offset == 0 ? 0 : 4 - offset + 3);
    // Who waits for an element of the head or the tail has one load in flight.
    std::vector<Limit> limits = {
        Limit{Count::loads_in_flight, false, offset == 0 ? kInFlight : 3.5, kInFlight},
        Count::local_requests <= 0};
    if (each % 16 == 0) {
      const double requests = each * kWarps + double(ends) / blocks;
      limits.insert(limits.begin(), {Count::global_load_requests <= requests,
                                     Count::global_load_sectors <= requests * (offset == 0 ? 16 : 17)});
    }
    if (!count_loads("thread_sum", blocks, offset, n, limits)) return;
  }
}

// Also of more than a thousand blocks, with the check for races: before the orders of blocks are compared without it.
TEST_CASE("the words serve one launch after another, of any size") {
  if (!waits_for_fours()) check_launches_in_a_row(kOneSum);
}

// For short arrays the checks above launch few blocks, and most of them have no elements.
TEST_CASE("the same bits in whichever order the blocks run") {
  if (!waits_for_fours()) check_order_of_blocks(kOneSum);
}

TEST_CASE("thousands of blocks are waited for, and added up") {
  if (!waits_for_fours()) check_many_blocks(kOneSum);
}

TEST_CASE("blocks of the largest grid leave no array") {
  if (!waits_for_fours()) check_largest_grid(kOneSum);
}

TEST_CASE("who waits waits as long as it takes") {
  if (!waits_for_fours()) check_slow_block(kOneSum);
}

TEST_CASE("indices up to 2^30 are right") {
  if (waits_for_fours()) return;
  constexpr int kRound = kLoads * kBlock * kFour;  // floats
  const GridSums sums = {
      "thread_sum",
      [](float* d_in, float* d_sums, int n, int blocks) { block_sums<<<blocks, kBlock>>>(d_in, d_sums, n); },
      [](std::size_t b, std::size_t blocks, std::size_t n) {
        const std::size_t end = n - n % kFour;
        std::vector<Stretch> all;
        for (std::size_t first = b * kRound; first < end; first += blocks * kRound)
          all.push_back({first, std::min<std::size_t>(end, first + kRound)});
        if (b == 0 && end < n) all.push_back({end, n});
        return all;
      },
      // Of the ten blocks that share these, block 4 has what is left after the full rounds: block 0, which has the ends, tells apart
      // a kernel whose block 0 takes more than them.
      (3 * 10 + 4) * kRound + kRound / 2 + 3};
  check_large_grid(sums, kMost, std::size_t(1) << 14);
  check_large_grid(sums, kMost - 133, (std::size_t(1) << 13) + 1);
  // One four more than whole rounds, which a float cannot tell from the number of fours.
  check_large_grid(sums, kMost / 4 * 3 + 5, std::size_t(1) << 13);
}

TEST_CASE("one launch") { check_one_launch(kOneSum); }

// A round of which each thread has r fours. The kernel that loads no more than these has r in flight, one that loads them one by one
// has 1.
TEST_CASE("several loads in flight in a last round that is not full") {
  if (waits_for_fours()) return;
  struct Shape {
    int blocks, fours, offset;
  };
  for (const auto& [blocks, fours, offset] : {Shape{1, 15 * kBlock, 1},
                                              {1, 7 * kBlock, 0},
                                              {1, 4 * kBlock, 2},
                                              {1, 3 * kBlock, 0},
                                              {1, 8 * kBlock - 20, 0},
                                              {3, 20 * kBlock - 1, 3}})
    if (!count_loads(
            "thread_sum, with a last round that is not full", blocks, offset,
            kFour * fours + (4 - offset) % 4,
            {Limit{Count::loads_in_flight, false, kInLastRound, kInFlight}, Count::local_requests <= 0}))
      return;
}

// Grids, and rounds of a block, on both sides of the numbers with which the kernel compares; the last blocks run, since a mean over
// others would hide them. And arrays that begin on a boundary of 16 bytes, but on none of 32, 64, 128 or 256.
TEST_CASE("as many loads in flight whatever the size, and whatever else the address is a multiple of") {
  if (waits_for_fours()) return;
  constexpr std::size_t kRound = std::size_t(kLoads) * kBlock * kFour, kMostBlocks = std::size_t(1) << 14,
                        kMostRounds = 2000;
  struct Shape {
    std::size_t blocks, rounds, offset = 0;
  };
  std::vector<Shape> shapes = {{1, 2, 4}, {1, 2, 8}, {1, 2, 16}, {1, 2, 32}};
  for (const std::size_t blocks : sizes_around_thresholds(2, kMostBlocks)) shapes.push_back({blocks, 2});
  for (const std::size_t n : sizes_around_thresholds(2 * kRound, kMost, 2 * kRound)) {
    const std::size_t rounds = n / kRound, blocks = (rounds - 1) / kMostRounds + 1;
    shapes.push_back({blocks, rounds / blocks});
  }
  for (const Shape& shape : shapes) {
    const std::size_t blocks = shape.blocks, n = blocks * shape.rounds * kRound;
    const std::vector<std::uint64_t> chosen = in_grid({blocks - 2, blocks - 1}, blocks);
    const OnlyBlocks only(chosen);
    if (!only || n > kMost) continue;
    DeviceBuffer<float> d_in(n + shape.offset, Guards::none), d_sums(blocks * kBlock, Guards::none);
    d_in.fill_zero();
    const std::string what = "thread_sum of " + std::to_string(n) + " floats, " + std::to_string(blocks) +
                             " blocks" +
                             (shape.offset == 0 ? "" : ", from in + " + std::to_string(shape.offset));
    const auto launch = [&] {
      thread_sums<<<unsigned(blocks), kBlock>>>(d_in.data() + shape.offset, d_sums.data(), int(n));
    };
    if (!check_counts(what, int(chosen.size()), launch,
                      {Limit{Count::loads_in_flight, false, kInFlight}, Count::local_requests <= 0}))
      return;
  }
}

TEST_CASE("stretch: sixteen loads in flight") {
  DeviceBuffer<float> d_in(harness::uniform_floats(counted(16), 2));
  DeviceBuffer<float> d_sums(kBlocks * kBlock);
  check_counts("thread_sum", kBlocks,
               [&] { thread_sums<<<kBlocks, kBlock>>>(d_in.data(), d_sums.data(), counted(16)); },
               {Count::loads_in_flight >= 12, Count::local_requests <= 0});
}

}  // namespace judge
// SPDX-License-Identifier: MIT
