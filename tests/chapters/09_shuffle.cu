// Judges chapters/09_shuffle/kernels.cuh: who gets whose value, and sums that use it.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "counts.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "shuffle_maps.cuh"
#include "sum_checks.h"
#include "warp_helpers.cuh"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0xfd601334831eddf3,
    {{"shuffle_around", 1, {"shuffle_around"}},
     {"shuffle_xor_array", 1, {"shuffle_xor_array"}},
     {"shuffle_swap", 1, {"shuffle_swap"}},
     {"warp_sum", 1, {"warp_sum"}},
     {"block_sum", 1, {"block_sum", "sum_shuffle", "sum_shuffle_atomic"}},
     {"block_sum_for_all", 1, {"block_sum_for_all", "sum_butterfly"}}}};

namespace {

using judge::Count;
using judge::SumKernel;

using SumBlocks = void (*)(const float* in, float* block_sums, int n);

// `blocks` blocks leave a sum each, which the host adds up: right for any grid, the pieces need not be equal.
SumKernel on_grid(const char* name, SumBlocks kernel, int blocks) {
  return {name, SumKernel::kAll, true, true, false, [=](float* d_in, float* d_total, int n) {
            judge::add_up(blocks, d_total,
                          [=](float* d_sums) { kernel<<<blocks, kBlock>>>(d_in, d_sums, n); });
          }};
}

// The whole sum on the device: a second launch, of one block, adds the sums of the first.
SumKernel in_two_launches(const char* name, SumBlocks kernel, int blocks) {
  return {name, SumKernel::kAll, true, true, false, [=](float* d_in, float* d_total, int n) {
            harness::DeviceBuffer<float> d_sums(blocks);
            judge::fill_leftovers(d_sums);
            kernel<<<blocks, kBlock>>>(d_in, d_sums.data(), n);
            kernel<<<1, kBlock>>>(d_sums.data(), d_total, blocks);
            judge::check_launch(name);
          }};
}

// One atomic addition a block, to a total that the caller has cleared.
SumKernel by_atomics(const char* name, int blocks) {
  return {name, SumKernel::kAll, true, false, false, [=](float* d_in, float* d_total, int n) {
            CUDA_CHECK(cudaMemset(d_total, 0, sizeof(float)));
            sum_shuffle_atomic<<<blocks, kBlock>>>(d_in, d_total, n);
          }};
}

const SumKernel kSums[] = {
    on_grid("sum_shuffle in 1 block", sum_shuffle, 1),
    on_grid("sum_shuffle in 7 blocks", sum_shuffle, 7),
    by_atomics("sum_shuffle_atomic in 1 block", 1),
    by_atomics("sum_shuffle_atomic in 7 blocks", 7),
    on_grid("sum_butterfly in 7 blocks", sum_butterfly, 7),
    in_two_launches("sum_butterfly in 33 blocks, then 1", sum_butterfly, 33),
};
// Most of whose threads have nothing to add: to run these lane by lane takes long, and shows nothing more.
const SumKernel kManyBlocks[] = {
    on_grid("sum_shuffle in 264 blocks", sum_shuffle, 264),
    in_two_launches("sum_shuffle in 300 blocks, then 1", sum_shuffle, 300),
};

// Counted: kCountedBlocks blocks, each of whose threads adds up kCountedEach elements, or one less where n is not a
// multiple of anything.
constexpr int kCountedBlocks = 4, kCountedEach = 8, kCountedElements = kCountedEach * kCountedBlocks * kBlock;

void check_block_counts(const char* name, SumBlocks kernel, const std::vector<judge::Limit>& limits) {
  for (const int n : {kCountedElements, kCountedElements - 77}) {
    harness::DeviceBuffer<float> d_in(harness::uniform_floats(n, 2)), d_sums(kCountedBlocks);
    d_sums.fill_zero();  // a total begins with 0
    const auto launch = [&] { kernel<<<kCountedBlocks, kBlock>>>(d_in.data(), d_sums.data(), n); };
    if (!judge::check_counts(name + (", n = " + std::to_string(n)), kCountedBlocks, launch, limits)) return;
  }
}

// Of ones, a block's sum is the number of elements that it has added. Which ones is its own affair; but no block does
// the work of another, as long as all have the same number of threads.
void check_shares(const char* name, SumBlocks kernel) {
  harness::DeviceBuffer<float> d_in(std::vector<float>(kCountedElements, 1.0f)), d_sums(kCountedBlocks);
  d_sums.fill_poison();
  kernel<<<kCountedBlocks, kBlock>>>(d_in.data(), d_sums.data(), kCountedElements);
  judge::check_launch(name);
  constexpr float kShare = kCountedEach * kBlock;
  const std::vector<float> sums = d_sums.download();
  for (int b = 0; b < kCountedBlocks; ++b) {
    if (sums[b] == kShare) continue;
    judge::report(judge::Kind::unimproved,
                  name + (": of " + std::to_string(kCountedElements)) + " elements block " +
                      std::to_string(b) + " of " + std::to_string(kCountedBlocks) + " adds up " +
                      std::to_string(static_cast<int>(sums[b])) + " (this chapter asks that each adds up " +
                      std::to_string(static_cast<int>(kShare)) + ")");
    return;
  }
}

// One slot a warp, one wait a warp, and the levels of the tree between lanes: at least the last five, and at
// most two trees of five levels in every warp, however many elements its threads have added up before.
const std::vector<judge::Limit> kByShuffles = {
    Count::shared_store_requests <= kWarps,
    Count::barriers <= kWarps,
    Count::bank_conflicts <= 0,
    Count::global_load_requests <= kCountedEach* kWarps,
    Count::shuffles >= 5,
    Count::shuffles <= 2 * 5 * kWarps,
};

}  // namespace

TEST_CASE("every lane gets the value that the map says, with any width") {
  judge::check_lanes(judge::all_families());
}

TEST_CASE("the first lanes of a warp pass their values round") {
  judge::check_lanes(judge::all_first_lanes());
}

TEST_CASE("a butterfly of arrays exchanges element by element") {
  judge::check_lanes(judge::all_xor_arrays());
}

TEST_CASE("a swap moves one element of each partner and leaves the others") {
  judge::check_lanes(judge::all_swaps());
}

TEST_CASE("values go from register to register, in as few shuffles as there are values to send") {
  judge::check_lane_counts(judge::in_family(judge::kAround, -2, 16), 1);
  judge::check_lane_counts(judge::xor_array(1), kPerLane);
  judge::check_lane_counts(judge::swap(judge::kSwap<0, 3>, 1), 1);
}

TEST_CASE("the sum of a warp is in lane 0 of any warp, the sum of a block in thread 0 or in every thread") {
  judge::check_helpers();
}

TEST_CASE("no sum reads or writes beyond its arrays") {
  for (const SumKernel& kernel : kSums) judge::check_bounds(kernel);
  for (const SumKernel& kernel : kManyBlocks) judge::check_bounds(kernel);
}

TEST_CASE("a sum of any length is right, on any grid") {
  for (const SumKernel& kernel : kSums) judge::check_sums(kernel);
  for (const SumKernel& kernel : kManyBlocks) judge::check_sums(kernel);
}

// Chosen ones, of which most have no elements. A block of any number waits as block 0 does.
TEST_CASE("blocks of a large grid add up their own elements") {
  for (const auto& [name, kernel] :
       {std::pair<std::string, SumBlocks>{"sum_shuffle", sum_shuffle}, {"sum_butterfly", sum_butterfly}}) {
    const judge::GridSums sums = {name,
                                  [kernel = kernel](float* d_in, float* d_sums, int n, int blocks) {
                                    kernel<<<blocks, kBlock>>>(d_in, d_sums, n);
                                  },
                                  [](std::size_t b, std::size_t blocks, std::size_t n) {
                                    std::vector<judge::Stretch> all;
                                    for (std::size_t first = b * kBlock; first < n; first += blocks * kBlock)
                                      all.push_back({first, std::min(n, first + kBlock)});
                                    return all;
                                  }};
    judge::check_large_grid(sums, 1000003, 70001);
  }
}

TEST_CASE("a NaN comes out in the sum") {
  for (const SumKernel& kernel : kSums) judge::check_nan(kernel);
}

TEST_CASE("a second run gives the same bits, except by atomics") {
  for (const SumKernel& kernel : kSums) judge::check_repeatable(kernel);
}

TEST_CASE("the sums are the same whichever lane comes first") {
  for (const SumKernel& kernel : kSums) judge::check_schedules(kernel);
}

TEST_CASE("every block adds up its share, and leaves the sum in its own place") {
  check_shares("sum_shuffle", sum_shuffle);
  check_shares("sum_butterfly", sum_butterfly);
}

TEST_CASE("a block writes one slot a warp and waits once, and lanes do the rest") {
  std::vector<judge::Limit> limits = kByShuffles;
  limits.push_back(Count::global_store_requests <= 1);
  check_block_counts("sum_shuffle", sum_shuffle, limits);
}

TEST_CASE("one atomic addition a block") {
  std::vector<judge::Limit> limits = kByShuffles;
  limits.push_back(Count::global_atomics <= 1);
  check_block_counts("sum_shuffle_atomic", sum_shuffle_atomic, limits);
}

TEST_CASE("every thread has the sum after one wait") {
  check_block_counts("sum_butterfly", sum_butterfly, kByShuffles);
}

TEST_CASE("stretch: eight sums need fewer shuffles than 32") {
  check_block_counts("sum_shuffle", sum_shuffle, {Count::shuffles <= 5 * kWarps + 3});
}
// SPDX-License-Identifier: MIT
