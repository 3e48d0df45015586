// How long the L1 cache takes for the lines of an access.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "counting/banks.h"
#include "timing/caches.h"

namespace gpusim::timing {

// Of four kinds of lines, by the bits of their numbers: the L1 cache looks up one of each kind in a cycle. Measured on an H200: two lines
// of a load take another cycle if these sums of their bits are the same. 360 loads of up to 32 lines, 1 to 4096 lines apart, take the
// cycles that follow from it.
inline u32 kind_of(u64 line) {
  constexpr u64 kFirst = 0x77ab5, kSecond = 0x6d5da;
  return u32(std::popcount(line & kFirst) & 1) | u32(std::popcount(line & kSecond) & 1) << 1;
}

// Cycles of an access in the L1 cache. The lines that are looked up together deliver their words together, a word from each bank
// in a cycle. As measured: of lanes that lie 9, 17 and 33 words apart, 3, 5 and 9 cycles; of 32 words on one bank, 32.
inline u32 cycles_in_l1(const TouchedLines& lines) {
  u32 of_kind[4] = {};
  std::array<std::array<u8, kBanks>, kWarpSize * 2> on_bank{};  // by turn of the look-up
  u32 turns = 0, cycles = 0;
  for (u32 k = 0; k < lines.count; ++k) {
    const u32 turn = of_kind[kind_of(lines.at[k].line)]++;
    turns = std::max(turns, turn + 1);
    for (u32 words = lines.at[k].words; words != 0; words &= words - 1)
      ++on_bank[turn][u32(std::countr_zero(words))];
  }
  for (u32 turn = 0; turn < turns; ++turn) cycles += *std::ranges::max_element(on_bank[turn]);
  return std::max(cycles, turns);
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
