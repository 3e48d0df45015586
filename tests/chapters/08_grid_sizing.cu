// Judges chapters/08_grid_sizing/kernels.cuh: a grid of any size sums an array of any length.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "counts.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "large_grids.h"
#include "simulated.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0xa56319b8313fc3da,
    {{"sum_grid_stride: the loop", 1, {"sum_grid_stride"}}, {"blocks_for", 1, {"blocks_for"}}}};

namespace {

using judge::Count;
using judge::Kind;
using judge::SumKernel;

// The whole sum, by sum_all, when the caller wants that many blocks.
template <int kThreads>
SumKernel sum_by(const char* name, int wanted) {
  const auto launch = [name, wanted](float* d_in, float* d_sum, int n) {
    harness::DeviceBuffer<float> d_scratch(2 * blocks_for<kThreads>(n, wanted));
    judge::fill_leftovers(d_scratch);
    sum_all<kThreads>(d_in, d_scratch.data(), d_sum, n, wanted);
    judge::check_launch(std::string(name) + ", n = " + std::to_string(n));
    std::string message;
    if (!d_scratch.guards_intact(&message))
      judge::report(Kind::wrong_result, std::string(name) + ": outside the block sums: " + message);
  };
  // name, elements a sum, keeps its input, adds in a fixed order, has no gap in the starter
  return {name, SumKernel::kAll, true, true, false, launch};
}

// Fewer blocks than a GPU has multiprocessors, an odd number, two on each of 132; for short inputs, more
// blocks than elements.
const SumKernel kGrids[] = {
    sum_by<kBlock>("sum_grid_stride, by sum_all with 1 block", 1),
    sum_by<kBlock>("sum_grid_stride, by sum_all with 3 blocks", 3),
    sum_by<kBlock>("sum_grid_stride, by sum_all with 7 blocks", 7),
    sum_by<kBlock>("sum_grid_stride, by sum_all with 264 blocks", 264),
};
const SumKernel kBlockSizes[] = {
    sum_by<64>("sum_grid_stride<64>, by sum_all with 5 blocks", 5),
    sum_by<128>("sum_grid_stride<128>, by sum_all with 5 blocks", 5),
    sum_by<512>("sum_grid_stride<512>, by sum_all with 5 blocks", 5),
    sum_by<1024>("sum_grid_stride<1024>, by sum_all with 5 blocks", 5),
};

constexpr int kWanted = 4, kPerThread = 16;
constexpr int kCounted =
    kWanted * kPerThread * kBlock;  // elements of the counted launch, in blocks of kBlock

// How many of kCounted elements the kernel sums, if it gets kWanted blocks.
int summed_by_a_grid() {
  harness::DeviceBuffer<float> d_in(std::vector<float>(kCounted, 1.0f)), d_sums(kWanted);
  sum_grid_stride<kBlock><<<kWanted, kBlock>>>(d_in.data(), d_sums.data(), kCounted);
  judge::check_launch("sum_grid_stride, 4 blocks");
  const std::vector<float> sums = d_sums.download();
  return static_cast<int>(std::accumulate(sums.begin(), sums.end(), 0.0));
}

// As many as wanted, but blocks without an element need not be there.
template <int kThreads>
void check_wanted() {
  for (int n : {kCounted, 0, 1, 1000, 1000003, 1 << 30})
    for (int wanted : {kWanted, 1, 2, 3, 7, 100, 264, 1000, 65536, (1 << 30) / kThreads}) {
      const int blocks = blocks_for<kThreads>(n, wanted), needed = n == 0 ? 1 : (n - 1) / kThreads + 1;
      if (blocks <= wanted && blocks >= std::min(wanted, needed)) continue;
      return judge::report({Kind::unimproved,
                            "it takes a grid of " + std::to_string(blocks) + " for " + std::to_string(n) +
                                " elements (this chapter asks for the " + std::to_string(wanted) +
                                " blocks that the caller wants)",
                            "", "blocks_for"});
    }
}

// The sums that `blocks` blocks leave, added up.
void check_grid_sum(const harness::DeviceBuffer<float>& d_in, std::size_t n, int blocks,
                    const harness::Reference& expected) {
  const std::string what =
      "sum_grid_stride, n = " + std::to_string(n) + ", " + std::to_string(blocks) + " blocks";
  harness::DeviceBuffer<float> d_sums(blocks);
  d_sums.fill_poison();
  sum_grid_stride<kBlock><<<blocks, kBlock>>>(d_in.data(), d_sums.data(), static_cast<int>(n));
  judge::check_launch(what);
  const std::vector<float> sums = d_sums.download();
  const float total = static_cast<float>(std::accumulate(sums.begin(), sums.end(), 0.0));
  if (const auto right = harness::verify_sum(total, expected, harness::kExact); !right)
    judge::report(Kind::wrong_result, what + ": together, the blocks' sums are wrong: " + right.message);
}

constexpr int kMostLaunches = 4;  // sums may be added up in more than one step

// The block sums lie in d_scratch, and a launch on the device has made one sum of them.
void check_sum_all(const std::vector<float>& input, int wanted) {
  const int n = static_cast<int>(input.size()), blocks = blocks_for<kBlock>(n, wanted);
  harness::DeviceBuffer<float> d_in(input), d_scratch(2 * blocks), d_sum(1);
  d_scratch.fill_poison();
  d_sum.fill_poison();
  const auto launch = [&] { sum_all<kBlock>(d_in.data(), d_scratch.data(), d_sum.data(), n, wanted); };
  const std::string what = "sum_all, " + std::to_string(wanted) + " blocks wanted";
  // As the program does, whose copy waits for the default stream, and for no other that was made not to wait for that.
  float sum_read = 0.0f;
  launch();
  (void)cudaMemcpy(&sum_read, d_sum.data(), sizeof sum_read, cudaMemcpyDeviceToHost);
  judge::check_launch(what);
  const int launches = judge::launches_in(launch);
  const std::vector<float> sums = d_scratch.download();
  const double left = std::accumulate(sums.begin(), sums.begin() + blocks, 0.0);
  const harness::Reference expected = harness::reference_sum(input);
  if (left != expected.sum)
    judge::report(Kind::wrong_result, what + ": the " + std::to_string(blocks) +
                                          " sums in d_scratch add up to " + std::to_string(left) +
                                          ", expected " + std::to_string(expected.sum));
  if (launches == 1)
    judge::report(Kind::wrong_result, what + ": one kernel is launched for " + std::to_string(blocks) +
                                          " blocks: nothing on the device adds up their sums");
  if (const auto sum = harness::verify_sum(sum_read, expected, harness::kExact); !sum)
    judge::report(Kind::wrong_result, what + ": " + sum.message);
  if (launches > kMostLaunches)
    return judge::report(Kind::unimproved, what + ": it launches " + std::to_string(launches) +
                                               " kernels (this chapter asks for one grid of " +
                                               std::to_string(blocks) + " blocks, and one that adds up)");
  judge::check_counts(what + ", the last launch", 1, launch,
                      {Count::global_load_requests <= blocks / 32 + kBlock / 32 + 1});
}

}  // namespace

// First: sum_all would not end.
TEST_CASE("launch after launch leaves fewer sums, and at last one") {
  constexpr int kLaunches = 8;  // twice what chapter 07's blocks need for 2^30 elements
  for (int wanted : {1, 264})
    for (int n : {0, 1, 264, 1000003, 1 << 30}) {
      int left = n, blocks = blocks_for<kBlock>(n, wanted);
      for (int launch = 1; blocks > 1 && launch < kLaunches; ++launch) {
        left = blocks;
        blocks = blocks_for<kBlock>(left, 1);
      }
      if (blocks == 1) continue;
      judge::report(Kind::wrong_result,
                    "blocks_for(" + std::to_string(left) + ", 1) is " + std::to_string(blocks) +
                        ": the last launch must be one block, or the sums never become one");
    }
}

TEST_CASE("no access leaves the arrays") {
  for (const SumKernel& kernel : kGrids) judge::check_bounds(kernel);
  for (const SumKernel& kernel : kBlockSizes) judge::check_bounds(kernel);
}

TEST_CASE("a sum of any length is right, whatever the grid") {
  for (const SumKernel& kernel : kGrids) judge::check_sums(kernel);
}

// A block gets its share of whole tiles, of 4 elements a thread where a thread loads 4 at once, and what is left of
// them; 0 comes out where it has none.
TEST_CASE("every block of a grid has its share of the elements, and a sum") {
  for (int wanted : {1, 3, 7, 264})
    for (int n : {1, 257, 4099, 100003}) {
      const int blocks = blocks_for<kBlock>(n, wanted);
      const int share = ((n - 1) / (blocks * 4 * kBlock) + 1) * 4 * kBlock + 3;
      judge::check_shares("sum_grid_stride", blocks, share, n, [&](float* d_in, float* d_sums, int items) {
        sum_grid_stride<kBlock><<<blocks, kBlock>>>(d_in, d_sums, items);
      });
    }
}

// The sums above are of few grids. Here each thread has two elements or three: of any number of blocks, small and round ones.
TEST_CASE("a grid of any number of blocks sums all elements, and so do many rounds") {
  if (summed_by_a_grid() != kCounted) return judge::leave_out("sum_grid_stride");
  const judge::WithoutChecks faster;
  std::vector<int> grids(66);
  std::iota(grids.begin(), grids.end(), 1);
  grids.insert(grids.end(), {100, 127, 128, 132, 255, 256, 257, 500, 512, 1000, 1024, 1025, 2048});
  for (const int blocks : grids) {
    const std::vector<float> input = harness::small_integers(2 * blocks * kBlock + 77, blocks);
    check_grid_sum(harness::DeviceBuffer<float>(input), input.size(), blocks, harness::reference_sum(input));
  }
  // More rounds than 16 bits count: 0 everywhere, but for some elements near the ends and where the bits end.
  const std::size_t rounds = (1 << 16) + 9, n = rounds * kBlock;
  harness::DeviceBuffer<float> d_in(n, harness::Guards::none);
  d_in.fill_zero();
  const std::vector<float> values = {3.0f, 5.0f, 7.0f};
  for (const std::size_t place :
       {std::size_t(1), n / 2, (std::size_t(1) << 16) * kBlock - 2, n - values.size()})
    judge::copy_in(d_in.data() + place, values);
  check_grid_sum(d_in, n, 1, {60.0, 60.0});
}

TEST_CASE("sum_all adds up on the device what the first launch leaves in d_scratch") {
  check_sum_all(harness::small_integers(4099, 2), 7);
  check_sum_all(harness::small_integers(80021, 2),
                301);  // more sums than a block has threads, all with elements
  check_sum_all(harness::small_integers(2100 * kBlock - 13, 2), 2100);  // more than the program wants
}

// Grids of 2^30 threads at most: a thread's last index before it stops is below n + stride, at most 2^31 - 1.
TEST_CASE("indices up to 2^30 are right, in grids of any size") {
  const judge::GridSums sums = {"sum_grid_stride",
                                [](float* d_in, float* d_sums, int n, int blocks) {
                                  sum_grid_stride<kBlock><<<blocks, kBlock>>>(d_in, d_sums, n);
                                },
                                [](std::size_t b, std::size_t blocks, std::size_t n) {
                                  std::vector<judge::Stretch> all;
                                  for (std::size_t first = b * kBlock; first < n; first += blocks * kBlock)
                                    all.push_back({first, std::min(n, first + kBlock)});
                                  return all;
                                }};
  if (summed_by_a_grid() != kCounted) return judge::leave_out(sums.name);
  constexpr std::size_t kMost = std::size_t(1) << 30;
  for (std::size_t n : {kMost, kMost - 133})
    for (std::size_t blocks :
         {kMost / kBlock, kMost / kBlock / 2 + 1, kMost / kBlock / 4, kMost / kBlock / 48})
      judge::check_large_grid(sums, n, blocks);
  // One element more than whole rounds, which a float cannot tell from n.
  judge::check_large_grid(sums, kMost / 4 * 3 + 1, kMost / kBlock / 4);
  judge::check_large_grid(sums, 1000003, kMost / kBlock);  // most blocks have no element
}

TEST_CASE("a NaN comes out") {
  for (const SumKernel& kernel : kGrids) judge::check_nan(kernel);
}

TEST_CASE("a second run gives the same bits") {
  for (const SumKernel& kernel : kGrids) judge::check_repeatable(kernel);
}

TEST_CASE("the sums are the same whichever lane comes first, in blocks of 64 to 1024 threads") {
  for (const SumKernel& kernel : kGrids) judge::check_schedules(kernel);
  for (const SumKernel& kernel : kBlockSizes) judge::check_schedules(kernel);
}

TEST_CASE("the caller gets the blocks that it wants") {
  check_wanted<kBlock>();
  check_wanted<64>();
  check_wanted<1024>();
}

// A warp loads 32 neighbours: 128 bytes, 4 sectors. The tree may be another than chapter 07's (24 waits, 20
// stores, 25 loads): a level more or less is not this chapter's matter. One tree for each 512 elements would
// be 192 waits, and a running sum in shared memory 128 stores more.
template <int kThreads>
bool check_loop(const std::string& name) {
  constexpr int kWarps = kThreads / 32, kElements = kWanted * kPerThread * kThreads;
  constexpr double kTrees = std::max(1.0, kThreads / double(kBlock));  // how much larger than that of kBlock
  // Whole tiles, one element less, and one more than all but one round.
  for (int n : {kElements, kElements - 1, kElements - kWanted * kThreads + 1}) {
    harness::DeviceBuffer<float> d_in(n), d_sums(kWanted);
    d_in.fill_zero();
    const auto launch = [&] {
      sum_grid_stride<kThreads><<<kWanted, kThreads>>>(d_in.data(), d_sums.data(), n);
    };
    // The warp in which the input ends may go two ways, with as many loads each. And a stretch that does not begin at a
    // sector takes one sector more a load.
    const bool whole = n == kElements;
    const double loads = kWarps * kPerThread + (whole ? 0 : kPerThread / double(kWanted));
    const bool kept = judge::check_counts(
        whole ? name : name + ", n = " + std::to_string(n), kWanted, launch,
        {Count::global_load_requests <= loads, Count::global_load_sectors <= loads * (whole ? 4 : 5),
         Count::global_store_requests <= 1, Count::global_atomics <= 0, Count::local_requests <= 0,
         Count::shared_store_requests <= 56 * kTrees, Count::shared_load_requests <= 96 * kTrees,
         Count::barriers <= std::max(9.0, 1 + std::log2(kThreads)) * kWarps});
    if (!kept) return false;
  }
  return true;
}

TEST_CASE("a thread adds 16 elements in a register: 16 loads a warp, then one tree, then one sum a block") {
  if (const int summed = summed_by_a_grid(); summed != kCounted)
    return judge::report({Kind::unimproved,
                          "it sums " + std::to_string(summed) + " of " + std::to_string(kCounted) +
                              " elements with " + std::to_string(kWanted) +
                              " blocks (this chapter asks for all, with any grid): sum_grid_stride",
                          "", "sum_grid_stride"});
  if (check_loop<kBlock>("sum_grid_stride") && check_loop<64>("sum_grid_stride<64>"))
    check_loop<1024>("sum_grid_stride<1024>");
}

TEST_CASE("stretch: a third of the load requests") {
  harness::DeviceBuffer<float> d_in(kCounted), d_sums(kWanted);
  d_in.fill_zero();
  judge::check_counts(
      "sum_grid_stride", kWanted,
      [&] { sum_grid_stride<kBlock><<<kWanted, kBlock>>>(d_in.data(), d_sums.data(), kCounted); },
      {Count::global_load_requests <= 42});
}
// SPDX-License-Identifier: MIT
