// Tests what chapter 13 gives whole: the kernels of warp_tiles.cuh and chosen.cuh.
#include <chosen.cuh>
#include <kernels.cuh>

#include <doctest/doctest.h>

#include "gemm_checks.h"

const char* const judge::kernels_file = KERNELS_FILE;
const judge::Exercise judge::exercise = {0, {}};  // nothing is left to do

namespace {

judge::GemmKernel kernel(const char* name, void (*launch)(const Gemm&)) {
  const auto run = [launch](const judge::GemmArguments& x) {
    launch({x.m, x.n, x.k, x.alpha, x.a, x.lda, x.b, x.ldb, x.beta, x.c, x.ldc});
  };
  return {name, kRows, kDepth, run};
}

template <typename P, typename Places, int kVector, bool kPrefetch> void launch_plan(const Gemm& g) {
  if (is_small(g)) return;
  if (kVector == 4 && !is_in_fours(g)) return launch_gemm_buffered(g);
  launch_two_tiles<P, Places, kVector>(g, kPrefetch);
}
template <typename P> void launch_copied(const Gemm& g) {
  if (!is_small(g)) launch_two_tiles<P, AcrossTheBlock, 4>(with_copies(g));
}

const judge::GemmKernel kAll[] = {
    kernel("gemm_vector", launch_gemm_vector),
    kernel("gemm_buffered", launch_gemm_buffered),
    kernel("gemm_warp_tiles", launch_gemm_warp_tiles),
    kernel("gemm_chosen", launch_gemm),
    // gemm_chosen takes these for large products only
    kernel("gemm_two_tiles, square, copies", launch_copied<Square>),
    kernel("gemm_two_tiles, slender", launch_plan<Slender, WarpTiles, 4, false>),
    kernel("gemm_two_tiles, small, prefetched", launch_plan<Small, AcrossTheBlock, 4, true>),
    kernel("gemm_two_tiles, tiny, copies", launch_copied<Tiny>),
};

}  // namespace

TEST_CASE("no kernel reads or writes beyond its matrices, and all are right") {
  for (const judge::GemmKernel& k : kAll) judge::check_bounds(k);
}

TEST_CASE("a product of any shape is right, with any alpha and beta, rows side by side or apart") {
  for (const judge::GemmKernel& k : kAll) judge::check_products(k);
}

TEST_CASE("matrices may begin at any float, and rows of any distance are right") {
  for (const judge::GemmKernel& k : kAll) judge::check_alignment(k);
}

TEST_CASE("a NaN or an infinity reaches its row or column of C, and no other") {
  for (const judge::GemmKernel& k : kAll) judge::check_specials(k);
}

TEST_CASE("other contents in the same memory give another product") {
  for (const judge::GemmKernel& k : kAll) judge::check_repeatable(k);
}

TEST_CASE("the product is the same whichever lane comes first") {
  for (const judge::GemmKernel& k : kAll) judge::check_schedules(k);
}
// SPDX-License-Identifier: MIT
