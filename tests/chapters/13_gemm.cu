// Judges chapters/13_gemm/kernels.cuh: products of matrices, through tiles of shared memory and of registers.
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "gemm_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {
    0x7d1cb6e8bd6ac471, {{"gemm_tile", 1, {"gemm_tile"}}, {"gemm_registers", 1, {"gemm_registers"}}}};

namespace {

using judge::Count;
using judge::GemmKernel;

Gemm gemm_of(const judge::GemmArguments& x) {
  return {x.m, x.n, x.k, x.alpha, x.a, x.lda, x.b, x.ldb, x.beta, x.c, x.ldc};
}
GemmKernel kernel(const char* name, int tile, int depth, void (*launch)(const Gemm&)) {
  return {name, tile, depth, [launch](const judge::GemmArguments& x) { launch(gemm_of(x)); }};
}

const GemmKernel kTiled = kernel("gemm_tile", kTile, kTile, [](const Gemm& g) {
  gemm_tile<<<blocks_of(g, kTile, kTile), dim3(kTile, kTile)>>>(g);
});
const GemmKernel kInRegisters = kernel("gemm_registers", kRows, kDepth, [](const Gemm& g) {
  gemm_registers<<<blocks_of(g, kRows, kColumns), kThreads>>>(g);
});
// Those that the learner does not write: they use what stands in kernels.cuh.
const GemmKernel kNaive = kernel("gemm_naive", kTile, 1, [](const Gemm& g) {
  gemm_naive<<<blocks_of(g, kTile, kTile), dim3(kTile, kTile)>>>(g);
});
const GemmKernel kColumn = kernel("gemm_column", kColumnTile, kColumnDepth, [](const Gemm& g) {
  gemm_column<<<blocks_of(g, kColumnTile, kColumnTile), kColumnThreads>>>(g);
});
const GemmKernel* const kAll[] = {&kNaive, &kTiled, &kColumn, &kInRegisters};
const GemmKernel* const kTheirs[] = {&kTiled, &kInRegisters};

// A warp counts once for each request.
constexpr int kTileWarps = kTile * kTile / 32, kWarps = kThreads / 32;

}  // namespace

TEST_CASE("no kernel reads or writes beyond its matrices, and all are right") {
  for (const GemmKernel* k : kAll) judge::check_bounds(*k);
}

TEST_CASE("a product of any shape is right, with any alpha and beta, rows side by side or apart") {
  for (const GemmKernel* k : kTheirs) judge::check_products(*k);
}

TEST_CASE("matrices may begin at any float, and rows of any distance are right") {
  for (const GemmKernel* k : kTheirs) judge::check_alignment(*k);
}

TEST_CASE("nothing is read between rows that lie apart") {
  for (const GemmKernel* k : kTheirs) judge::check_gaps(*k);
}

TEST_CASE("a NaN or an infinity reaches its row or column of C, and no other") {
  for (const GemmKernel* k : kTheirs) judge::check_specials(*k);
}

TEST_CASE("indices up to 2^30 are right") {
  for (const GemmKernel* k : kTheirs) judge::check_large_indices(*k);
}

TEST_CASE("other contents in the same memory give another product") {
  for (const GemmKernel* k : kTheirs) judge::check_repeatable(*k);
}

TEST_CASE("the product is the same whichever lane comes first") {
  for (const GemmKernel* k : kTheirs) judge::check_schedules(*k);
}

// Each warp fetches 32 floats of A and 32 of B, 4 sectors each, 8 where a row does not begin with a sector.
TEST_CASE("the tile: the block reads each element once") {
  judge::check_counts(kTiled, {Count::global_load_requests <= 2 * kTileWarps,
                               Count::global_load_sectors <= 2 * kTileWarps * 5.0});
}

TEST_CASE("the tile: a multiply-add takes at most two shared loads, and no bank conflict") {
  judge::check_counts(kTiled, {Count::shared_load_requests <= 2 * kTile * kTileWarps,
                               Count::shared_store_requests <= 2 * kTileWarps, Count::bank_conflicts <= 0});
}

TEST_CASE("the registers: one shared load serves a whole row or column of sums") {
  judge::check_counts(kInRegisters, {Count::shared_load_requests <= 2 * kSums * kDepth * kWarps,
                                     Count::bank_conflicts <= 0, Count::local_requests <= 0});
}

TEST_CASE("the registers: the block still reads each element once") {
  if (judge::is_open(kInRegisters.name))
    return judge::leave_out(kInRegisters.name);  // its shared loads come first
  judge::check_counts(kInRegisters, {Count::global_load_requests <= 2.0 * kRows * kDepth / 32});
}

// Behind what is counted: a kernel that is as shipped takes minutes.
TEST_CASE("a k that 16 bits do not count is right") {
  for (const GemmKernel* k : kTheirs) judge::check_long_sums(*k);
}

TEST_CASE("stretch: half as many shared loads for as many products") {
  judge::check_counts(kInRegisters,
                      {Count::shared_load_requests <= kSums * kDepth * kWarps, Count::bank_conflicts <= 0});
}
// SPDX-License-Identifier: MIT
