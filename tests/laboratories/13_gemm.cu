// The bounds of chapter 13's laboratory: against numbers worked out by hand, and against what the kernels read.
#include "chapters/13_gemm/bounds.h"

#include <doctest/doctest.h>

#include "harness/counters.h"
#include "harness/harness.h"
#include "solutions/13_gemm/kernels.cuh"

namespace {

constexpr Machine kSmall{"hand", 2, 1.0, 4, 32, 2, 1000, 100, 30, 4};  // 8 * 10^9 multiply-adds a second

}  // namespace

TEST_CASE("the bounds by hand") {
  CHECK(fma_rate(kSmall) == 8e9);
  CHECK(least_side(kSmall) == 2.0);  // 4 bytes * (1/2 + 1/2) * 8e9 = 32 GB/s
  const Tile tile{4, 2, 5, 2, 1, 2};
  CHECK(bandwidth_needed(kSmall, tile) == 24.0);    // 4 * (1/4 + 1/2) * 8
  CHECK(shared_words_needed(kSmall, tile) == 6.0);  // 4 * (1/2 + 1)
  CHECK(least_sums(kSmall) == 4.0);
  CHECK(shared_bytes_needed(kSmall, tile) == 240);  // 2 * 6 * 5 * 4
  CHECK(registers_needed(kSmall, tile) == 5);       // 2 + 2 + 1
  CHECK(tile.threads() == 4);
  CHECK(fits(kSmall, tile));
  CHECK_FALSE(fits(kSmall, Tile{4, 2, 5, 2, 1, 10}));  // 1200 bytes
}

TEST_CASE("doubles on Fermi: the tile of the paper, 64 x 64 x 16, is above its bound of 29") {
  const Machine& fermi = kMachines[2];
  CHECK(least_side(fermi) == doctest::Approx(28.6).epsilon(0.01));
  CHECK(fits(fermi, Tile{64, 64, 16, 4, 4, 1}));
  CHECK_FALSE(fits(fermi, Tile{64, 64, 16, 8, 8, 1}));  // 160 registers of 63
}

TEST_CASE("gemm_registers reads as many bytes of global memory a multiply-add as the bound says") {
  constexpr int kSide = 2 * kRows, kSteps = 4 * kDepth;
  harness::DeviceBuffer<float> d_a(harness::uniform_floats(kSide * kSteps, 1)),
      d_b(harness::uniform_floats(kSteps * kSide, 2)), d_c(kSide * kSide);
  const Gemm g{kSide, kSide, kSteps, 1, d_a.data(), kSteps, d_b.data(), kSide, 0, d_c.data(), kSide};
  const auto counters =
      harness::count_launches([&] { gemm_registers<<<blocks_of(g, kRows, kColumns), kThreads>>>(g); });
  if (!counters) {
    MESSAGE("not counted on a GPU");
    return;
  }
  const double bytes = counters->at("global_load_sectors") * 32, products = double(kSide) * kSide * kSteps;
  CHECK(bytes / products == bytes_per_fma(kMachines[0], kRows, kColumns));
}
// SPDX-License-Identifier: MIT
