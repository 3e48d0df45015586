// The counts of chapter 03's laboratory: against counts made by hand, and against what the kernels themselves
// do.
#include "chapters/03_divergence/working_warps.cuh"

#include <doctest/doctest.h>

#include <vector>

#include "harness/counters.h"
#include "harness/harness.h"
#include "solutions/03_divergence/kernels.cuh"

namespace chapter_02 {  // has a kBlock of its own
#include "solutions/02_shared_memory/kernels.cuh"
}

namespace {

using Counts = std::vector<int>;

Counts counts(const std::vector<Work>& levels, int Work::* what) {
  Counts list;
  for (const Work& level : levels) list.push_back(level.*what);
  return list;
}

int total(const Counts& list) {
  int sum = 0;
  for (int count : list) sum += count;
  return sum;
}

template <typename Indexing>
Counts warps_of(unsigned elements, unsigned threads, unsigned warp) {
  return counts(work_by_level<Indexing>(elements, threads, warp), &Work::warps);
}

template <typename Indexing>
void compare_with_device() {
  const std::vector<Work> expected = work_by_level<Indexing>(kBlock, kBlock, 32);
  harness::DeviceBuffer<Work> d_levels(expected.size());
  d_levels.fill_zero();
  count_work<Indexing><<<1, kBlock>>>(d_levels.data());
  CUDA_CHECK_LAUNCH();
  const std::vector<Work> got = d_levels.download();
  CHECK(counts(got, &Work::warps) == counts(expected, &Work::warps));
  CHECK(counts(got, &Work::threads) == counts(expected, &Work::threads));
}

}  // namespace

TEST_CASE("eight threads in warps of two: 11 warps against 8, as on the slide") {
  CHECK(warps_of<ThreadOfTheLeftPair>(16, 8, 2) == Counts{4, 4, 2, 1});
  CHECK(warps_of<FirstThreads>(16, 8, 2) == Counts{4, 2, 1, 1});
}

TEST_CASE("a thread for each of the 16 elements makes it 15 against 8") {
  CHECK(warps_of<ThreadOfTheLeftElement>(16, 16, 2) == Counts{8, 4, 2, 1});
  CHECK(warps_of<FirstThreads>(16, 16, 2) == Counts{4, 2, 1, 1});
}

TEST_CASE("a block of 256 has 47 working warps against 12, whether the host counts or the device") {
  CHECK(total(warps_of<ThreadOfTheLeftElement>(kBlock, kBlock, 32)) == 47);
  CHECK(total(warps_of<FirstThreads>(kBlock, kBlock, 32)) == 12);
  compare_with_device<ThreadOfTheLeftElement>();
  compare_with_device<FirstThreads>();
}

TEST_CASE("every level adds as many pairs, whichever threads do it") {
  CHECK(counts(work_by_level<ThreadOfTheLeftElement>(kBlock, kBlock, 32), &Work::threads) ==
        Counts{128, 64, 32, 16, 8, 4, 2, 1});
  CHECK(counts(work_by_level<FirstThreads>(kBlock, kBlock, 32), &Work::threads) ==
        Counts{128, 64, 32, 16, 8, 4, 2, 1});
}

TEST_CASE("the kernels load twice for each working warp and once for the sum; and both add in one order") {
  const std::vector<float> input = harness::uniform_floats(kBlock, 1);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_tile_sum(1), d_strided_sum(1);
  const auto tile = harness::count_launches(
      [&] { chapter_02::sum_tile<<<1, kBlock>>>(d_in.data(), d_tile_sum.data(), kBlock); });
  const auto strided =
      harness::count_launches([&] { sum_strided<<<1, kBlock>>>(d_in.data(), d_strided_sum.data(), kBlock); });
  CUDA_CHECK_LAUNCH();
  CHECK(d_tile_sum.download() == d_strided_sum.download());  // bit for bit
  if (!tile) {
    MESSAGE("not counted on a GPU");
    return;
  }
  const Counts tile_warps = warps_of<ThreadOfTheLeftElement>(kBlock, kBlock, 32);
  const Counts strided_warps = warps_of<FirstThreads>(kBlock, kBlock, 32);
  CHECK(tile->at("shared_load_requests") == 2 * total(tile_warps) + 1);
  CHECK(strided->at("shared_load_requests") == 2 * total(strided_warps) + 1);
  CHECK(tile->at("divergent_branches") == 48);    // every working warp, and the one that stores
  CHECK(strided->at("divergent_branches") == 6);  // where 16, 8, 4, 2 pairs and 1 are left, and to store
  CHECK(strided->at("warp_instructions") < tile->at("warp_instructions"));
}
// SPDX-License-Identifier: MIT
