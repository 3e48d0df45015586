// Judges chapters/15_softmax/kernels.cuh: the softmax of each row of a matrix, in one pass, by shuffles, and
// in registers.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "given.h"
#include "softmax_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0x7e7347f81bec02b2,
    {{"softmax_online: one pass for maximum and sum", 1, {"softmax_online"}},
     {"merge_warp: by shuffles", 1, {"softmax_warp"}},
     {"softmax_block: the row in registers", 1, {"softmax_block"}}}};

namespace {

using judge::Count;
using judge::SoftmaxKernel;

struct Kernels {
  SoftmaxKernel three_passes, online, warp, block;
};
template <typename T> Kernels kernels_for() {
  return {judge::softmax_kernel<T>("softmax_three_passes", 1, kBlock, launch_three_passes<T>),
          judge::softmax_kernel<T>("softmax_online", 1, kBlock, launch_online<T>),
          judge::softmax_kernel<T>("softmax_warp", 32, kWarps, launch_warp<T>),
          judge::softmax_kernel<T>("softmax_block", kBlock, 1, launch_block<T>, kColumnsInBlock)};
}
const Kernels kFloat = kernels_for<float>(), kBfloat16 = kernels_for<__nv_bfloat16>();

constexpr int kLongRow = (1 << 16) + 64;  // more columns than 16 bits count

// Those that learners write. Of the numbers of two bytes only what may differ is tried.
const SoftmaxKernel* const kAll[] = {&kFloat.online,    &kFloat.warp,    &kFloat.block,
                                     &kBfloat16.online, &kBfloat16.warp, &kBfloat16.block};
const SoftmaxKernel* const kOfFloats[] = {&kFloat.online, &kFloat.warp, &kFloat.block};

}  // namespace

TEST_CASE("no kernel reads or writes beyond its matrices") {
  judge::check_given("kBlock", kBlock, 256);
  judge::check_given("kEach", kEach, 16);
  judge::check_bounds(kFloat.three_passes);
  for (const SoftmaxKernel* kernel : kAll) judge::check_bounds(*kernel);
}

TEST_CASE("a row of any length is right, whatever it holds") {
  for (const SoftmaxKernel* kernel : kOfFloats) judge::check_rows(*kernel, {1, 2, 31, 32, 33, 100, 255, 257});
  for (const SoftmaxKernel* kernel : {&kBfloat16.online, &kBfloat16.warp, &kBfloat16.block})
    judge::check_rows(*kernel, {5, 64, 257});
  judge::check_rows(kFloat.block, {1000, kColumnsInBlock - 1, kColumnsInBlock, kColumnsInBlock + 1});
  judge::check_rows(kBfloat16.block, {kColumnsInBlock});
  for (const SoftmaxKernel* kernel : kOfFloats) judge::check_long_rows(*kernel, kLongRow);
}

TEST_CASE("any number of rows is right, and none") {
  for (const SoftmaxKernel* kernel : kOfFloats) judge::check_row_counts(*kernel);
}

TEST_CASE("out may be in") {
  for (const SoftmaxKernel* kernel : kAll) judge::check_in_place(*kernel, 100);
}

TEST_CASE("other rows in the same memory give other results") {
  for (const SoftmaxKernel* kernel : kOfFloats) judge::check_repeatable(*kernel, 70);
}

TEST_CASE("the result is the same whichever lane comes first") {
  for (const SoftmaxKernel* kernel : kOfFloats) judge::check_schedules(*kernel, 300);
}

TEST_CASE("indices up to 2^30 are right") {
  for (const SoftmaxKernel* kernel : kOfFloats) judge::check_large_indices(*kernel, {31});
  judge::check_large_indices(kFloat.block, {kColumnsInBlock});
}

// A warp has 32 rows, so each of its requests reads one element of each.
TEST_CASE("softmax_online reads a row twice") {
  for (const SoftmaxKernel* kernel : {&kFloat.online, &kBfloat16.online})
    if (!judge::check_counts(*kernel, 48,
                             {Count::global_load_requests <= 2 * 48 * kWarps, Count::local_requests <= 0}))
      return;  // the other type says the same
  const auto limits_of = [](int columns) -> std::vector<judge::Limit> {
    return {Count::global_load_requests <= 2.0 * columns, Count::local_requests <= 0};
  };
  if (!judge::check_counts(kFloat.online, kLongRow, limits_of(kLongRow), 1)) return;
  judge::check_counts_of_lengths(kFloat.online, 1, kLongRow, limits_of);
}

TEST_CASE("softmax_warp reads whole sectors and merges without shared memory") {
  constexpr int kColumns = 320;  // of each row, 10 for every lane
  for (const SoftmaxKernel* kernel : {&kFloat.warp, &kBfloat16.warp}) {
    const double sectors = 2.0 * kWarps * kColumns * double(kernel->element_bytes()) / 32;
    if (!judge::check_counts(
            *kernel, kColumns,
            {Count::global_load_requests <= 2 * kWarps * kColumns / 32, Count::global_load_sectors <= sectors,
             Count::shared_load_requests <= 0, Count::shared_store_requests <= 0, Count::barriers <= 0,
             Count::local_requests <= 0}))
      return;
  }
  const auto limits_of = [](int columns) -> std::vector<judge::Limit> {
    return {Count::global_load_requests <= 2.0 * columns / 32,
            Count::global_load_sectors <= 2.0 * columns / 8, Count::shared_load_requests <= 0,
            Count::shared_store_requests <= 0, Count::barriers <= 0};
  };
  if (!judge::check_counts(kFloat.warp, kLongRow, limits_of(kLongRow), 1)) return;
  judge::check_counts_of_lengths(kFloat.warp, 32, kLongRow, limits_of);
}

// A warp may read a constant as well.
TEST_CASE("softmax_block reads a row once and waits at two barriers at most") {
  for (const SoftmaxKernel* kernel : {&kFloat.block, &kBfloat16.block}) {
    const double sectors = double(kColumnsInBlock) * double(kernel->element_bytes()) / 32;
    if (!judge::check_counts(*kernel, kColumnsInBlock,
                             {Count::global_load_requests <= kColumnsInBlock / 32 + kWarps,
                              Count::global_load_sectors <= sectors + kWarps, Count::local_requests <= 0,
                              Count::barriers <= 2 * kWarps}))
      return;
  }
  const auto limits_of = [](int columns) -> std::vector<judge::Limit> {
    return {Count::global_load_requests <= columns / 32 + 1 + kWarps,
            Count::global_load_sectors <= columns / 8 + kWarps, Count::local_requests <= 0,
            Count::barriers <= 2 * kWarps};
  };
  constexpr int kPartly = 1000;  // columns: the last elements of some threads do not exist
  if (!judge::check_counts(kFloat.block, kPartly, limits_of(kPartly))) return;
  if (!judge::check_counts_of_lengths(kFloat.block, 8, kColumnsInBlock, limits_of)) return;
  if (judge::is_open("softmax_warp")) return;  // it uses the same shuffles, or what stands in their place
  judge::check_counts(
      kFloat.block, kColumnsInBlock,
      {Count::shared_store_requests <= 3 * kWarps, Count::shared_load_requests <= 4 * kWarps * kWarps});
}

// A pack is 16 bytes: 4 floats, 8 bfloat16 numbers.
TEST_CASE("stretch: softmax_block moves 16 bytes a lane") {
  for (const SoftmaxKernel* kernel : {&kFloat.block, &kBfloat16.block}) {
    const double packs = double(kColumnsInBlock) * double(kernel->element_bytes()) / 16;
    judge::check_counts(
        *kernel, kColumnsInBlock,
        {Count::global_load_requests <= packs / 32, Count::global_store_requests <= packs / 32});
  }
}
// SPDX-License-Identifier: MIT
