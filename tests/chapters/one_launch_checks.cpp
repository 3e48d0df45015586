#include "one_launch_checks.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "block_stores.h"
#include "counts.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "judge.h"
#include "large_grids.h"
#include "simulated.h"
#include "sum_checks.h"
#include "thresholds.h"
#include "time_limit.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::digits;
using harness::Guards;

constexpr int kThreads = 512;                  // of a block, as block_sum.cuh has it
constexpr int kThree = 3 * kThreads + 9;       // blocks: each thread of the collecting one reads three words
constexpr int kMoreThanFit = 600;              // blocks, on a GPU at once
constexpr int kManyRounds = 300;               // of one block, more than 8 bits count
constexpr int kManyWords = 8 * kThreads + 39;  // more than it reads in one turn
constexpr int kMostBlocks = 1 << 14;           // of 512 threads: a grid has 2^23 at most
constexpr std::uint64_t kFewInstructions = 5'000'000;  // of a launch of one block: one that waits ends soon

std::string name_of(int n, int blocks) {
  return "sum_all, n = " + std::to_string(n) + ", " + std::to_string(blocks) +
         (blocks == 1 ? " block" : " blocks");
}

// What the sum is; reports what stops it, and words that are not empty afterwards.
float sum_of(const OneLaunch& sum, const std::string& what, const DeviceBuffer<float>& d_in, int n,
             int blocks) {
  DeviceBuffer<float> d_sum(1);
  DeviceBuffer<WordBits> d_words(blocks, Guards::none);
  d_sum.fill_poison();
  d_words.fill_zero();
  sum.launch(d_in.data(), d_sum.data(), d_words.data(), n, blocks);
  check_launch(what);
  check_empty(what, d_words);
  return d_sum.download()[0];
}

void check_exact(const std::string& what, float got, const harness::Reference& expected) {
  const harness::Verdict verdict = harness::verify_sum(got, expected, harness::kExact);
  if (!verdict) report(Kind::wrong_result, what + ": " + verdict.message);
}

// An array of so many rounds that is 0 but for one element a round: `value(r)`, at another place in each. A kernel that divides
// the array in another way finds them elsewhere, but has as many.
template <typename Value> DeviceBuffer<float> one_a_round(int rounds, int round, Value value) {
  DeviceBuffer<float> d_in(std::size_t(rounds) * round, Guards::none);
  d_in.fill_zero();
  for (int r = 0; r < rounds; ++r) {
    const std::size_t place = std::size_t(r) * round + std::size_t(r) * 37 % round;
    copy_in(d_in.data() + place, std::vector<float>{value(r)});
  }
  return d_in;
}

// What comes of a launch of which one block alone gets its turn.
struct Alone {
  bool has_ended = false;
  std::optional<float> stored;  // the sum
  std::string fault;
};
Alone run_alone(const OneLaunch& sum, std::uint64_t block, const std::vector<float>& input, int blocks) {
  Alone result;
  {
    const OnlyBlocks only({block});
    const WithoutChecks faster;
    const InstructionBudget brief(kFewInstructions);
    const DeviceBuffer<float> d_in(input, Guards::none);
    DeviceBuffer<float> d_sum(1);
    DeviceBuffer<WordBits> d_words(blocks, Guards::none);
    d_words.fill_zero();
    d_sum.fill_poison();
    const float poison = d_sum.download()[0];
    sum.launch(d_in.data(), d_sum.data(), d_words.data(), int(input.size()), blocks);
    result.has_ended = cudaDeviceSynchronize() == cudaSuccess;
    if (!result.has_ended) result.fault = last_fault();
    else if (const float now = d_sum.download()[0]; std::memcmp(&now, &poison, sizeof now) != 0)
      result.stored = now;
  }
  reload_kernels();  // the block may have counted itself, or never ended
  return result;
}

bool is_one_launch(const OneLaunch& sum) {
  DeviceBuffer<float> d_in(0), d_sum(1);
  DeviceBuffer<WordBits> d_words(1);
  d_words.fill_zero();
  return launches_in([&] { sum.launch(d_in.data(), d_sum.data(), d_words.data(), 0, 1); }) == 1;
}

// Whether its loads are too slow for a sum of very many blocks, which can wait until they are not. The verdict will be about them in any
// case, unless a smaller sum goes wrong.
bool waits_for_thread_sum(const std::string& what) {
  if (!is_open("thread_sum")) return false;
  std::printf("    sum_all: %s: not tried before thread_sum is done\n", what.c_str());
  return true;
}

// Whether a block stores the sum: only a simulated GPU tells.
bool check_sum_is_stored(const OneLaunch& sum) {
  if (!OnlyBlocks({0})) return true;
  constexpr int kFew = 7;
  DeviceBuffer<float> d_in(std::size_t(kFew) * sum.round), d_sum(1);
  DeviceBuffer<WordBits> d_words(kFew);
  d_in.fill_zero();
  d_words.fill_zero();
  const auto launch = [&] { sum.launch(d_in.data(), d_sum.data(), d_words.data(), kFew * sum.round, kFew); };
  if (!stores_of_blocks(d_sum.data(), 1, sizeof(float), launch).empty()) return true;
  report({Kind::unimproved,
          "no block stores the sum, so the host adds it up (this chapter asks for one launch that leaves the "
          "sum): sum_all",
          "", "sum_all"});
  return false;
}

}  // namespace

void check_empty(const std::string& what, const DeviceBuffer<WordBits>& d_words) {
  const std::vector<WordBits> words = d_words.download();
  const auto left = std::ranges::find_if(words, [](WordBits word) { return word != 0; });
  if (left == words.end()) return;
  char bits[20];
  std::snprintf(bits, sizeof bits, "0x%llx", *left);
  report(
      Kind::wrong_result,
      what + ": words[" + std::to_string(left - words.begin()) + "] is not empty afterwards, it holds " +
          bits +
          ": the next launch would take that for a sum that has come. The block that reads a word clears it, "
          "but not before its sum has come");
}

void check_launches_in_a_row(const OneLaunch& sum) {
  struct Launch {
    int n, blocks;
  };
  constexpr Launch kLaunches[] = {{4099, 20}, {1000, 3}, {0, 1}, {70000, 17}, {31, kThree}, {4099, 20}};
  DeviceBuffer<WordBits> d_words(kThree, Guards::none);
  d_words.fill_zero();
  for (const auto& [n, blocks] : kLaunches) {
    const std::vector<float> input = harness::small_integers(n, n + 1);
    const DeviceBuffer<float> d_in(input, Guards::none);
    DeviceBuffer<float> d_sum(1);
    d_sum.fill_poison();
    sum.launch(d_in.data(), d_sum.data(), d_words.data(), n, blocks);
    const std::string what = name_of(n, blocks) + ", one of several launches with the same words";
    check_launch(what);
    check_exact(what, d_sum.download()[0], harness::reference_sum(input));
    check_empty(what, d_words);
  }
}

void check_slow_block(const OneLaunch& sum) {
  constexpr unsigned kLong = 5003;
  const int n = 2 * sum.round;
  const std::vector<float> input = harness::small_integers(n, 3);
  const DeviceBuffer<float> d_in(input);
  const std::string what = name_of(n, 2) + " of which one is slow";
  for (const std::vector<unsigned>& lengths : {std::vector<unsigned>{1, kLong}, {kLong, 1}}) {
    const InTurns turns(lengths);
    check_exact(what, sum_of(sum, what, d_in, n, 2), harness::reference_sum(input));
  }
}

void check_missing_block(const OneLaunch& sum) {
  if (!OnlyBlocks({0}) || !is_one_launch(sum)) return;  // of two launches, one block of each would run
  const int n = 2 * sum.round;
  const std::vector<float> ones(n, 1.0f);
  const std::optional<float> stored[] = {run_alone(sum, 0, ones, 2).stored,
                                         run_alone(sum, 1, ones, 2).stored};
  leave_out_time();  // a wait that counts its looks is stopped late, and is right
  for (const int block : {0, 1}) {
    const auto& now = stored[block];
    if (!now || *now == float(n) || stored[1 - block]) continue;  // if both store, each may add its part
    report(Kind::wrong_result, name_of(n, 2) + ": block " + std::to_string(block) + " stores the sum " +
                                   digits(*now) + " of " + digits(float(n)) + " ones before block " +
                                   std::to_string(1 - block) +
                                   " has run: it must wait for that block's sum, as long as it takes");
  }
}

void check_many_blocks(const OneLaunch& sum) {
  if (waits_for_thread_sum("thousands of blocks")) return;
  const WithoutChecks faster;
  // Whole numbers, so sums are exact. With more blocks than run at once, the one that waits must not keep others away.
  for (const auto& [rounds, blocks] :
       {std::pair{kMoreThanFit, kMoreThanFit}, {kManyWords, kManyWords}, {kManyRounds, 1}}) {
    const DeviceBuffer<float> d_in = one_a_round(rounds, sum.round, [](int r) { return float(r % 19 + 1); });
    double expected = 0;
    for (int r = 0; r < rounds; ++r) expected += r % 19 + 1;
    const int n = rounds * sum.round;
    std::optional<WithBlocksShuffled>
        shuffled;  // so that the block that collects comes before some of the others
    if (blocks == kManyWords) shuffled.emplace();
    const std::string what = name_of(n, blocks) + (shuffled ? ", with the blocks shuffled" : "");
    check_exact(what, sum_of(sum, what, d_in, n, blocks), {expected, expected});
  }
}

void check_largest_grid(const OneLaunch& sum) {
  if (!OnlyBlocks({0}) || !is_one_launch(sum)) return;
  for (const std::uint64_t block : {kMostBlocks - 1, kMostBlocks - 2, kMostBlocks / 2})
    if (const Alone alone = run_alone(sum, block, {}, kMostBlocks);
        alone.fault.find("out of bounds") != std::string::npos)
      report(Kind::fault, alone.fault + "; met by " + name_of(0, kMostBlocks));
}

namespace {

// The sum of `blocks` blocks one after another, and `in_another_order`, which calls what it is given with the name of each order.
template <typename InAnotherOrder>
void compare_orders(const OneLaunch& sum, const DeviceBuffer<float>& d_in, int n, int blocks,
                    const InAnotherOrder& in_another_order) {
  const std::string what = name_of(n, blocks);
  const float first = sum_of(sum, what, d_in, n, blocks);
  in_another_order([&](const std::string& how) {
    const float now = sum_of(sum, what + ", " + how, d_in, n, blocks);
    if (std::memcmp(&now, &first, sizeof now) != 0)
      report(Kind::wrong_result, what + " " + how + ", is " + digits(now) + ", and " + digits(first) +
                                     " where they run one after another: the order in which it adds depends "
                                     "on which block comes first");
  });
}

// Three words of each thread, if 512 threads add up words in turn: the sum of two numbers, and its negative. So nothing is left but
// what roundings lose, which depends on the order.
constexpr int kOfThreads = 3 * kThreads;
float triple(int r) {
  const int thread = r % kThreads, all = r / kOfThreads * kThreads + thread;
  const float x = harness::uniform_floats(1, std::uint64_t(2 * all))[0],
              y = harness::uniform_floats(1, std::uint64_t(2 * all + 1))[0];
  const int which = r / kThreads % 3;
  return which == 0 ? x : which == 1 ? y : -(x + y);
}

// Of one element a round, and a round for each of `blocks` blocks.
template <typename Value> void check_order_of_many(const OneLaunch& sum, int blocks, Value value) {
  const WithoutChecks faster;
  const DeviceBuffer<float> d_in = one_a_round(blocks, sum.round, value);
  compare_orders(sum, d_in, blocks * sum.round, blocks, [](const auto& again) {
    {
      const WithBlocksShuffled other;
      again("with the blocks shuffled");
    }
    const WithBlocks other(BlockOrder::last_to_first);
    again("with the last block first");
  });
}

// Large numbers that cancel out take from a small one what they do not give back, in doubles, too: the sum tells in which order
// they came. But of several after one another only the last tell.
float cancelling(int r) {
  return r % 3 == 0 ? 0x1p100f : r % 3 == 1 ? -0x1p100f : 0.37f * float(r % 101 + 1);
}

// Blocks on both sides of the numbers with which the kernel compares, with the check for races; and so many that each thread that adds
// words has several from beyond a number.
void check_blocks_around_thresholds(const OneLaunch& sum) {
  constexpr int kMostChecked = 6000;  // blocks; so many take a second
  const std::vector<Threshold> all = thresholds(1, kMostBlocks - 1);
  if (all.empty()) return;
  for (const std::size_t size : sizes_around_thresholds(1, kMostChecked)) {
    const int blocks = int(size);
    const std::vector<float> input = harness::small_integers(4099, blocks);
    const DeviceBuffer<float> d_in(input, Guards::none);
    const std::string what = name_of(int(input.size()), blocks);
    check_exact(what, sum_of(sum, what, d_in, int(input.size()), blocks), harness::reference_sum(input));
  }
  const int first = int(all.front().last), last = int(all.back().last);
  check_order_of_many(sum, std::min(first + kThree, kMostBlocks),
                      [&](int r) { return r <= first || r > first + 3 * kThreads ? 0.0f : cancelling(r); });
  const int blocks = std::min(last + 2 * kThree, kMostBlocks);
  check_order_of_many(sum, blocks,
                      [&](int r) { return r < blocks / kOfThreads * kOfThreads ? triple(r) : 0.0f; });
}

}  // namespace

void check_order_of_blocks(const OneLaunch& sum) {
  constexpr int kFew = 7;
  const int few = kFew * sum.round - 1000;
  const DeviceBuffer<float> d_few(harness::uniform_floats(few, 2));
  compare_orders(sum, d_few, few, kFew, [](const auto& again) {
    for (const std::string& schedule : other_schedules()) {
      const InSchedule other(schedule);
      again("in schedule " + schedule);
    }
  });
  if (waits_for_thread_sum("the order of " + std::to_string(kThree) + " blocks")) return;
  check_order_of_many(sum, kThree, cancelling);
  check_blocks_around_thresholds(sum);
}

void check_one_launch(const OneLaunch& sum) {
  constexpr int kBlocks = 100;  // all with elements
  const int n = kBlocks * sum.round;
  const WithoutChecks faster;
  const DeviceBuffer<float> d_in = one_a_round(kBlocks, sum.round, [](int) { return 1.0f; });
  DeviceBuffer<float> d_sum(1);
  DeviceBuffer<WordBits> d_words(kBlocks);
  d_words.fill_zero();
  const auto launch = [&] { sum.launch(d_in.data(), d_sum.data(), d_words.data(), n, kBlocks); };
  if (!check_launches("sum_all", 1, launch) || !check_grid("sum_all", kBlocks, launch)) return;
  if (!check_sum_is_stored(sum)) return;
  struct Launch {
    int n, blocks;
  };
  std::vector<Launch> launches = {{0, 1}, {0, 7}, {0, kMostBlocks}};  // which have nothing to add
  for (const std::size_t size : sizes_around_thresholds(1, kMostBlocks)) launches.push_back({0, int(size)});
  for (const std::size_t size : sizes_around_thresholds(1, std::size_t(n)))
    launches.push_back({int(size), 8});
  for (const Launch& size : launches) {
    DeviceBuffer<WordBits> d_these(size.blocks);
    d_these.fill_zero();
    const std::string what = name_of(size.n, size.blocks);
    const auto launch_it = [&] {
      sum.launch(d_in.data(), d_sum.data(), d_these.data(), size.n, size.blocks);
    };
    if (!check_launches(what, 1, launch_it) || !check_grid(what, size.blocks, launch_it)) return;
  }
}

}  // namespace judge
// SPDX-License-Identifier: MIT
