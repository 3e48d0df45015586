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
#include "simulated.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0x1874435c3d1e6eec,
    {{"parts_of: fours from a boundary of 16 bytes on", 1, {"parts_of"}},
     {"thread_sum: several loads of 16 bytes at once", 1, {"thread_sum"}},
     {"collect: one launch", 2, {"sum_all"}}}};

namespace {

using harness::DeviceBuffer;
using harness::Guards;
using judge::Count;
using judge::Kind;
using judge::SumKernel;

constexpr int kFour = 4, kBoundary = 16;  // floats and bytes of a load

// The word of a block that has come, with this sum.
BlockWord word_of(float sum) {
  unsigned bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return kNothing | bits;
}

// Reports unless every word is empty, as it was before.
void check_empty(const std::string& what, const DeviceBuffer<BlockWord>& d_words) {
  const std::vector<BlockWord> words = d_words.download();
  for (std::size_t b = 0; b < words.size(); ++b)
    if (words[b] != 0)
      judge::report(
          Kind::wrong_result,
          what + ": the word of block " + std::to_string(b) +
              " is not empty afterwards, and the next launch would take it for a sum that has come: either nobody "
              "cleared it, or somebody did before the block had stored its sum, for which it has not waited");
}

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
        judge::report(Kind::fault, "the array cannot be copied");
      d_from = d_shifted.data() + offset;
    }
    sum_all(d_from, d_sum, d_words.data(), n, blocks);
    judge::check_launch(std::string(name) + ", n = " + std::to_string(n));
    check_empty(name, d_words);
  };
  return {name, SumKernel::kAll, true, true, false, launch};
}

const SumKernel kSums[] = {
    summed("sum_all, 3 blocks", 0, 3),
    summed("sum_all of in + 1, 8 blocks", 1, 8),
    summed("sum_all of in + 2, 1 block", 2, 1),
    summed("sum_all of in + 3, 20 blocks", 3, 20),
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

const SumKernel kFew[] = {kSums[0], kSums[1]};  // where the address makes no difference

bool parts_are_missing = false, fours_are_missing = false;
// Nothing else can be right then.
bool waits_for_fours() {
  if (parts_are_missing) judge::leave_out("thread_sum");
  if (parts_are_missing || fours_are_missing) judge::leave_out("sum_all");
  return parts_are_missing || fours_are_missing;
}

// Blocks and floats of a counted launch, each of whose threads has `each` fours.
constexpr int kBlocks = 8;
constexpr int counted(int each, int blocks = kBlocks) { return blocks * kBlock * kFour * each; }

}  // namespace

TEST_CASE("an array has at most 3 floats before its fours, and 3 after them") {
  bool is_open = false;
  for (const std::uintptr_t place : {std::uintptr_t(4096), std::uintptr_t(0x7fff12345670)})
    for (std::uintptr_t offset = 0; offset < 4; ++offset)
      for (int n : {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1000, 1001, 1002, 1003, (1 << 30) - 1, 1 << 30}) {
        const float* in = reinterpret_cast<const float*>(place + offset * sizeof(float));
        const Parts parts = parts_of(in, n);
        const auto call = "parts_of(in, " + std::to_string(n) + "), in being " + std::to_string(offset) +
                          " floats beyond a multiple of 16 bytes, has head " + std::to_string(parts.head) +
                          ", " + std::to_string(parts.fours) + " fours, tail " + std::to_string(parts.tail);
        const long long covered = parts.head + static_cast<long long>(kFour) * parts.fours + parts.tail;
        if (parts.head < 0 || parts.fours < 0 || parts.tail < 0 || covered != n)
          judge::report(Kind::wrong_result, call + ": that is not all of the array");
        if (parts.fours > 0 && (place + (offset + parts.head) * sizeof(float)) % kBoundary != 0)
          judge::report(Kind::wrong_result, call + ": the fours do not begin at a multiple of 16 bytes");
        if ((parts.head > 3 || parts.tail > 3) && !is_open)
          judge::report({Kind::unimproved,
                         "it adds floats that could be part of a four; head and tail have at most 3 each (" +
                             call + ")",
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
  judge::check_launch("thread_sum, n = " + std::to_string(n));
  const std::vector<float> sums = d_sums.download();
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  double ends = 0, all = 0;
  for (int i = 0; i < n; ++i) {
    all += input[i];
    if (i < parts.head || i >= n - parts.tail) ends += input[i];
  }
  fours_are_missing = sum == ends && sum != all;
  parts_are_missing = sum != all && judge::is_open("parts_of");
  if (parts_are_missing)
    judge::report(Kind::as_shipped, "parts_of: it calls " + std::to_string(parts.head) + " of " +
                                        std::to_string(n) + " floats head and " + std::to_string(parts.tail) +
                                        " tail, and thread_sum adds " + harness::digits(float(sum)) +
                                        " in place of " + harness::digits(float(all)) + ": parts_of first");
  else if (fours_are_missing)
    judge::report(Kind::as_shipped, "thread_sum: it adds head and tail, " +
                                        std::to_string(parts.head + parts.tail) + " of " + std::to_string(n) +
                                        " floats: the fours between them are missing");
}

TEST_CASE("no access leaves the array, wherever it begins") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kSums) judge::check_bounds(kernel);
}

TEST_CASE("a sum of any length is right, wherever the array begins") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kSums) judge::check_sums(kernel);
}

TEST_CASE("a NaN comes out") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kFew) judge::check_nan(kernel);
}

TEST_CASE("a second run gives the same bits") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kFew) judge::check_repeatable(kernel);
}

TEST_CASE("the sums are the same whichever lane and whichever block comes first") {
  if (waits_for_fours()) return;
  for (const SumKernel& kernel : kFew) judge::check_schedules(kernel);
}

// The checks above have few elements. Here every block has some, and their sums need rounding.
TEST_CASE("the same bits in whichever order the blocks run") {
  if (waits_for_fours()) return;
  constexpr int kMany = 7;
  const int n = counted(kLoads, kMany) - 1000;
  const DeviceBuffer<float> d_in(harness::uniform_floats(n, 2));
  DeviceBuffer<float> d_sum(1);
  DeviceBuffer<BlockWord> d_words(kMany);
  d_words.fill_zero();
  const auto sum_in = [&](const std::string& order) {
    d_sum.fill_poison();
    sum_all(d_in.data(), d_sum.data(), d_words.data(), n, kMany);
    judge::check_launch("sum_all, " + std::to_string(kMany) + " blocks, " + order);
    return d_sum.download()[0];
  };
  const float first = sum_in("one after another");
  for (const std::string& schedule : judge::other_schedules()) {
    const judge::InSchedule other(schedule);
    const float now = sum_in(schedule);
    if (std::memcmp(&now, &first, sizeof now) == 0) continue;
    judge::report(Kind::wrong_result,
                  "sum_all, n = " + std::to_string(n) + ", " + std::to_string(kMany) +
                      " blocks, in schedule " + schedule + " is " + harness::digits(now) + ", and " +
                      harness::digits(first) +
                      " where they run one after another: it depends on which block comes first");
  }
}

TEST_CASE("the words serve one launch after another, of any size") {
  if (waits_for_fours()) return;
  struct Launch {
    int n, blocks;
  };
  constexpr Launch kLaunches[] = {{4099, 20}, {1000, 3}, {0, 1}, {70000, 17}, {31, 20}, {4099, 20}};
  DeviceBuffer<BlockWord> d_words(20, Guards::none);
  d_words.fill_zero();
  for (const Launch& launch : kLaunches) {
    const std::vector<float> input = harness::small_integers(launch.n, launch.n + 1);
    const DeviceBuffer<float> d_in(input, Guards::none);
    DeviceBuffer<float> d_sum(1);
    d_sum.fill_poison();
    sum_all(d_in.data(), d_sum.data(), d_words.data(), launch.n, launch.blocks);
    const std::string what = "sum_all, one of several in a row: n = " + std::to_string(launch.n) + ", " +
                             std::to_string(launch.blocks) + " blocks";
    judge::check_launch(what);
    const harness::Verdict sum =
        harness::verify_sum(d_sum.download()[0], harness::reference_sum(input), harness::kExact);
    if (!sum) judge::report(Kind::wrong_result, what + ": " + sum.message);
    check_empty(what, d_words);
  }
}

// Few blocks of a large grid run, the first and the last among them, since one of these collects; the words of the others
// hold their sums already. So who collects waits for words anywhere in the array. (Blocks that draw tickets wait for
// nothing, and store no sum, as not all have come.)
TEST_CASE("thousands of blocks are waited for, and added up") {
  if (waits_for_fours()) return;
  constexpr int kManyBlocks = 9 * kBlock + 3;
  const std::vector<std::uint64_t> late = {0, kManyBlocks - 1, 3, 700, 2100, 4200, kManyBlocks - 2};
  const judge::OnlyBlocks only(late);
  if (!only) return;
  std::vector<BlockWord> words(kManyBlocks);
  double expected = 0;
  for (int b = 0; b < kManyBlocks; ++b) {
    if (std::find(late.begin(), late.end(), std::uint64_t(b)) != late.end()) continue;
    const float sum = static_cast<float>(b % 19 + 1);
    words[b] = word_of(sum);
    expected += sum;
  }
  DeviceBuffer<float> d_in(0), d_sum(1);
  DeviceBuffer<BlockWord> d_words(words, Guards::none);
  d_sum.fill_poison();
  const float poison = d_sum.download()[0];
  const std::string what = "sum_all, " + std::to_string(kManyBlocks) + " blocks of which some come late";
  sum_all(d_in.data(), d_sum.data(), d_words.data(), 0, kManyBlocks);
  judge::check_launch(what);
  const float sum = d_sum.download()[0];
  if (std::memcmp(&sum, &poison, sizeof sum) == 0) return;
  if (const auto right = harness::verify_sum(sum, {expected, expected}, harness::kExact); !right)
    judge::report(Kind::wrong_result, what + ": " + right.message);
  check_empty(what, d_words);
}

// Who collects gives each of its threads several words. Of three of them, neighbours or kBlock apart, the second takes from
// the first what the third does not give back: the sum tells in which order they were added. Once they are all there,
// then the one of block 0 comes last.
TEST_CASE("words are added in the same order, whoever comes first") {
  if (waits_for_fours()) return;
  constexpr int kManyBlocks = 9 * kBlock + 4;  // of which the last has an odd number, for turns of its own
  const std::vector<float> input = {3.0f, 0.5f, 12345.0f};  // block 0 adds up all of it
  const DeviceBuffer<float> d_in(input);
  DeviceBuffer<float> d_sum(1);
  d_sum.fill_poison();
  const float poison = d_sum.download()[0];
  const auto sum_with = [&](int apart, const std::vector<std::uint64_t>& late, const std::string& what) {
    const judge::OnlyBlocks only(late);
    std::vector<BlockWord> words(kManyBlocks, kNothing);
    words[0] = word_of(std::accumulate(input.begin(), input.end(), 0.0f));
    words[apart] = word_of(0x1p28f);
    words[2 * apart] = word_of(-0x1p28f);
    for (const std::uint64_t b : late) words[b] = 0;
    DeviceBuffer<BlockWord> d_words(words, Guards::none);
    d_sum.fill_poison();
    sum_all(d_in.data(), d_sum.data(), d_words.data(), int(input.size()), kManyBlocks);
    judge::check_launch(what);
    return d_sum.download()[0];
  };
  const std::string what = "sum_all, " + std::to_string(kManyBlocks) + " blocks";
  if (!judge::OnlyBlocks({kManyBlocks - 1})) return;
  for (const int apart : {1, kBlock}) {
    const float first = sum_with(apart, {kManyBlocks - 1}, what + " whose sums are there before");
    if (std::memcmp(&first, &poison, sizeof first) == 0)
      return;  // two launches: of the second no block was chosen
    const judge::InTurns block_0_is_slow({1, 5003});
    const float now = sum_with(apart, {0, kManyBlocks - 1}, what + ", of which block 0 comes last");
    if (std::memcmp(&now, &first, sizeof now) != 0)
      judge::report(
          Kind::wrong_result,
          what + ", is " + harness::digits(now) + " where block 0 comes last, and " + harness::digits(first) +
              " where all have come: collect adds words as they come, not always in the same order");
  }
}

// One of two blocks executes one instruction while the other executes thousands: who collects looks many thousand times.
TEST_CASE("who waits waits as long as it takes") {
  if (waits_for_fours()) return;
  judge::reload_kernels();  // tickets that few blocks have drawn, where others never came
  constexpr unsigned kLong = 5003;
  const int n = counted(kLoads, 2);
  const std::vector<float> input = harness::small_integers(n, 3);
  const DeviceBuffer<float> d_in(input);
  DeviceBuffer<float> d_sum(1);
  DeviceBuffer<BlockWord> d_words(2);
  for (const std::vector<unsigned>& lengths : {std::vector<unsigned>{1, kLong}, {kLong, 1}}) {
    const judge::InTurns turns(lengths);
    d_words.fill_zero();
    d_sum.fill_poison();
    sum_all(d_in.data(), d_sum.data(), d_words.data(), n, 2);
    const std::string what = "sum_all, 2 blocks of which one is slow";
    judge::check_launch(what);
    const auto sum = harness::verify_sum(d_sum.download()[0], harness::reference_sum(input), harness::kExact);
    if (!sum) judge::report(Kind::wrong_result, what + ": " + sum.message);
    check_empty(what, d_words);
  }
}

TEST_CASE("indices up to 2^30 are right") {
  if (waits_for_fours()) return;
  constexpr int kRound = kLoads * kBlock * kFour;  // floats
  const judge::GridSums sums = {
      "thread_sum",
      [](float* d_in, float* d_sums, int n, int blocks) { block_sums<<<blocks, kBlock>>>(d_in, d_sums, n); },
      [](std::size_t b, std::size_t blocks, std::size_t n) {
        const std::size_t end = n - n % kFour;
        std::vector<judge::Stretch> all;
        for (std::size_t first = b * kRound; first < end; first += blocks * kRound)
          all.push_back({first, std::min<std::size_t>(end, first + kRound)});
        if (b == 0 && end < n) all.push_back({end, n});
        return all;
      },
      3 * 10 * kRound + kRound / 2 + 3};
  judge::check_large_grid(sums, judge::kMost, std::size_t(1) << 14);
  judge::check_large_grid(sums, judge::kMost - 133, (std::size_t(1) << 13) + 1);
}

TEST_CASE("one launch") {
  const DeviceBuffer<float> d_in(harness::uniform_floats(counted(1), 2));
  DeviceBuffer<float> d_sum(1);
  DeviceBuffer<BlockWord> d_words(kBlocks);
  d_words.fill_zero();
  judge::check_launches("sum_all", 1,
                        [&] { sum_all(d_in.data(), d_sum.data(), d_words.data(), counted(1), kBlocks); });
}

// A thread has 16 fours, two rounds of 8: as many requests a warp, and 2 waits. In the ragged array, of one block, it
// has 15, and two warps load floats besides: whoever adds what is left of the second round one by one waits 7 times for
// it. (Half of kLoads is asked for: a compiler may wait for the first load by itself.)
TEST_CASE("requests of 512 bytes, several of them in flight") {
  if (waits_for_fours()) return;
  constexpr int kEach = 16, kWarps = kBlock / 32;
  DeviceBuffer<float> d_sums(kBlocks * kBlock);
  const auto count = [&](const char* what, int blocks, int offset, int n,
                         const std::vector<judge::Limit>& limits) {
    const DeviceBuffer<float> d_in(harness::uniform_floats(n + offset, 2));
    judge::check_counts(
        what, blocks, [&] { thread_sums<<<blocks, kBlock>>>(d_in.data() + offset, d_sums.data(), n); },
        limits);
  };
  count("thread_sum", kBlocks, 0, counted(kEach),
        {Count::global_load_requests <= kEach * kWarps, Count::loads_in_flight >= 4,
         Count::local_requests <= 0});
  count("thread_sum of in + 1, with a last round that is not full", 1, 1, counted(kEach - 1, 1) + 3,
        {judge::Limit{Count::loads_in_flight, false, 2.5, 4}, Count::local_requests <= 0});
}

TEST_CASE("stretch: sixteen loads in flight") {
  DeviceBuffer<float> d_in(harness::uniform_floats(counted(16), 2));
  DeviceBuffer<float> d_sums(kBlocks * kBlock);
  judge::check_counts("thread_sum", kBlocks,
                      [&] { thread_sums<<<kBlocks, kBlock>>>(d_in.data(), d_sums.data(), counted(16)); },
                      {Count::loads_in_flight >= 12, Count::local_requests <= 0});
}
