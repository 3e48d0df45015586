// Judges chapters/09_shuffle/kernels.cuh: who gets whose value, and sums that use it.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "counts.h"
#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "lane_checks.h"
#include "sum_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;

namespace {

using judge::Count;
using judge::kLaneThreads;
using judge::LaneKernel;
using judge::SumKernel;

// ---- Part one. The maps say where out[i] comes from, by arithmetic on i alone.

constexpr int kWidths[] = {32, 16, 8, 4, 2};

std::string parameters(const char* name, int value, int width) {
  return std::string(", ") + name + " " + std::to_string(value) + ", width " + std::to_string(width);
}
int group_start(int i, int width) { return i - i % width; }

// The kernels that take one parameter and a width.
struct Family {
  const char* name;
  const char* parameter;
  bool has_gap;
  void (*kernel)(const int* in, int* out, int parameter, int width);
  std::vector<int> values;
  int (*source)(int i, int value, int width);
};

const Family kFamilies[] = {
    {"shuffle_broadcast", "source", false, shuffle_broadcast, {0, 2, 7, 31, 33},
     [](int i, int source, int width) { return group_start(i, width) + source % width; }},
    {"shuffle_up", "distance", false, shuffle_up, {0, 1, 2, 8, 31},
     [](int i, int distance, int width) { return i % width >= distance ? i - distance : i; }},
    {"shuffle_down", "distance", false, shuffle_down, {0, 1, 2, 8, 31},
     [](int i, int distance, int width) { return i % width + distance < width ? i + distance : i; }},
    {"shuffle_xor", "mask", false, shuffle_xor, {0, 1, 3, 8, 16, 31},
     // A partner in a group below can be reached, one in a group above cannot.
     [](int i, int mask, int width) { return (i ^ mask) / width > i / width ? i : i ^ mask; }},
    {"shuffle_around", "offset", true, shuffle_around, {2, 1, -1, -2, 5, 0, 31, 32, -33},
     [](int i, int offset, int width) {
       return group_start(i, width) + ((i + offset) % width + width) % width;
     }},
};

std::vector<LaneKernel> families() {
  std::vector<LaneKernel> all;
  for (const Family& f : kFamilies)
    for (int width : kWidths)
      for (int value : f.values)
        all.push_back({f.name + parameters(f.parameter, value, width), 1, f.has_gap,
                       [&f, value, width](int i) { return f.source(i, value, width); },
                       [&f, value, width](const int* d_in, int* d_out) {
                         f.kernel<<<1, kLaneThreads>>>(d_in, d_out, value, width);
                       }});
  return all;
}

LaneKernel first_lanes(int count) {
  return {"shuffle_first, count " + std::to_string(count), 1, false,
          [count](int i) { return i % 32 < count ? group_start(i, 32) + (i % 32 + 1) % count : i; },
          [count](const int* d_in, int* d_out) { shuffle_first<<<1, kLaneThreads>>>(d_in, d_out, count); }};
}

LaneKernel xor_array(int mask) {
  return {"shuffle_xor_array, mask " + std::to_string(mask), kPerLane, true,
          [mask](int i) { return (i / kPerLane ^ mask) * kPerLane + i % kPerLane; },
          [mask](const int* d_in, int* d_out) { shuffle_xor_array<<<1, kLaneThreads>>>(d_in, d_out, mask); }};
}

template <int kFirst, int kSecond>
LaneKernel swap(int mask) {
  return {"shuffle_swap, elements " + std::to_string(kFirst) + " and " + std::to_string(kSecond) + ", mask " +
              std::to_string(mask),
          kPerLane, true,
          [mask](int i) {
            const int thread = i / kPerLane, partner = thread ^ mask;
            const int mine = thread < partner ? kFirst : kSecond, other = thread < partner ? kSecond : kFirst;
            return i % kPerLane == mine ? partner * kPerLane + other : i;
          },
          [mask](const int* d_in, int* d_out) {
            shuffle_swap<kFirst, kSecond><<<1, kLaneThreads>>>(d_in, d_out, mask);
          }};
}

// ---- Part two.

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
    on_grid("sum_shuffle in 264 blocks", sum_shuffle, 264),
    in_two_launches("sum_shuffle in 300 blocks, then 1", sum_shuffle, 300),
    by_atomics("sum_shuffle_atomic in 1 block", 1),
    by_atomics("sum_shuffle_atomic in 7 blocks", 7),
    on_grid("sum_butterfly in 7 blocks", sum_butterfly, 7),
    in_two_launches("sum_butterfly in 33 blocks, then 1", sum_butterfly, 33),
};

// Counted: kCountedBlocks blocks, each of whose threads adds up kCountedEach elements.
constexpr int kCountedBlocks = 4, kCountedEach = 8;

void check_block_counts(const char* name, SumBlocks kernel, const std::vector<judge::Limit>& limits) {
  constexpr int n = kCountedEach * kCountedBlocks * kBlock;
  harness::DeviceBuffer<float> d_in(harness::uniform_floats(n, 2)), d_sums(kCountedBlocks);
  d_sums.fill_zero();  // a total begins with 0
  const auto launch = [&] { kernel<<<kCountedBlocks, kBlock>>>(d_in.data(), d_sums.data(), n); };
  judge::check_counts(name, kCountedBlocks, launch, limits);
}

// One slot a warp, one wait a warp, and the levels of the tree between lanes: at least the last five, and at
// most two trees of five levels in every warp, however many elements its threads have added up before.
const std::vector<judge::Limit> kByShuffles = {
    Count::shared_store_requests <= kWarps,
    Count::barriers <= kWarps,
    Count::bank_conflicts <= 0,
    Count::global_load_requests <= kCountedEach * kWarps,
    Count::shuffles >= 5,
    Count::shuffles <= 2 * 5 * kWarps,
};

}  // namespace

TEST_CASE("every lane gets the value that the map says, with any width") { judge::check_lanes(families()); }

TEST_CASE("the first lanes of a warp pass their values round") {
  judge::check_lanes({first_lanes(1), first_lanes(2), first_lanes(20), first_lanes(31), first_lanes(32)});
}

TEST_CASE("a butterfly of arrays exchanges element by element") {
  judge::check_lanes({xor_array(1), xor_array(2), xor_array(13), xor_array(31), xor_array(0)});
}

TEST_CASE("a swap moves one element of each partner and leaves the others") {
  judge::check_lanes({swap<0, 3>(1), swap<0, 3>(2), swap<1, 2>(5), swap<3, 1>(16), swap<2, 2>(31)});
}

TEST_CASE("values go from register to register, in as few shuffles as there are values to send") {
  const Family& around = kFamilies[4];
  judge::check_lane_counts({around.name, 1, true, {}, [&](const int* d_in, int* d_out) {
                              around.kernel<<<1, kLaneThreads>>>(d_in, d_out, -2, 16);
                            }}, 1);
  judge::check_lane_counts(xor_array(1), kPerLane);
  judge::check_lane_counts(swap<0, 3>(1), 1);
}

TEST_CASE("no sum reads or writes beyond its arrays") {
  for (const SumKernel& kernel : kSums) judge::check_bounds(kernel);
}

TEST_CASE("a sum of any length is right, on any grid") {
  for (const SumKernel& kernel : kSums) judge::check_sums(kernel);
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
