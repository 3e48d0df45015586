// Where the lanes of a warp reach: the rows of the calibration set.
#pragma once

#include <cstdint>

namespace calibration {

// Memories that a pattern is for.
enum : unsigned { kShared = 1, kGlobal = 2, kLocal = 4, kShort = 8 /* also for elements of 1 and 2 bytes */ };

struct Pattern {
  const char* name;
  unsigned use;
  int (*element)(int lane);  // that the lane reaches, below 1024 (local: below 32), or -1: the lane is off
};

// A pseudo-random number, the same everywhere.
inline std::uint32_t random_bits(std::uint32_t seed, int lane) {
  std::uint32_t x = seed * 0x9e3779b9u + std::uint32_t(lane) * 0x85ebca6bu;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
inline int gather(std::uint32_t seed, int lane, int window) {
  return int(random_bits(seed, lane) % std::uint32_t(window));
}
inline int some(std::uint32_t seed, int lane, int window) {  // about half the lanes are on
  return random_bits(seed + 100, lane) >> 31 ? gather(seed, lane, window) : -1;
}

constexpr unsigned kBoth = kShared | kGlobal, kAll = kBoth | kLocal;

// clang-format off
inline const Pattern kPatterns[] = {
    {"stride 1", kAll | kShort, [](int l) { return l; }},
    {"stride 2", kBoth | kShort, [](int l) { return 2 * l; }},
    {"stride 4", kBoth | kShort, [](int l) { return 4 * l; }},
    {"stride 8", kBoth | kShort, [](int l) { return 8 * l; }},
    {"stride 16", kBoth | kShort, [](int l) { return 16 * l; }},
    {"stride 32", kBoth | kShort, [](int l) { return 32 * l; }},
    {"stride 3", kBoth, [](int l) { return 3 * l; }},
    {"stride 33", kBoth, [](int l) { return 33 * l; }},
    {"backwards", kAll, [](int l) { return 31 - l; }},
    {"offset 1", kBoth | kShort, [](int l) { return l + 1; }},
    {"offset 2", kBoth | kShort, [](int l) { return l + 2; }},
    {"offset 4", kBoth | kShort, [](int l) { return l + 4; }},
    {"offset 7", kBoth | kShort, [](int l) { return l + 7; }},
    {"offset 8", kBoth, [](int l) { return l + 8; }},
    {"offset 16", kBoth, [](int l) { return l + 16; }},
    {"offset 28", kBoth | kShort, [](int l) { return l + 28; }},

    {"all one element", kAll | kShort, [](int) { return 0; }},
    {"half-warps, one element each", kAll, [](int l) { return l / 16; }},
    {"half-warps, one element each, same bank", kBoth, [](int l) { return l / 16 * 32; }},
    {"quarter-warps, one element each", kBoth, [](int l) { return l / 8; }},
    {"quarter-warps, one element each, same bank", kBoth, [](int l) { return l / 8 * 32; }},
    {"fours share", kBoth, [](int l) { return l / 4; }},
    {"pairs share", kAll, [](int l) { return l / 2; }},
    {"lanes 2 apart share", kBoth, [](int l) { return l / 4 * 2 + l % 2; }},
    {"lanes 4 apart share", kBoth, [](int l) { return l / 8 * 4 + l % 4; }},
    {"lanes 8 apart share", kBoth, [](int l) { return l / 16 * 8 + l % 8; }},
    {"lanes 16 apart share", kAll, [](int l) { return l % 16; }},
    {"two elements in turn", kBoth, [](int l) { return l % 2; }},
    {"four elements in turn", kBoth, [](int l) { return l % 4; }},
    {"eight elements in turn", kAll, [](int l) { return l % 8; }},
    {"pairs share, stride 2", kShared, [](int l) { return l / 2 * 2; }},
    {"pairs share, stride 32", kShared, [](int l) { return l / 2 * 32; }},
    {"lanes 2 apart share, stride 8", kShared, [](int l) { return (l / 4 * 2 + l % 2) * 8; }},
    {"lanes 16 apart share, stride 8", kShared, [](int l) { return l % 16 * 8; }},

    // Halves and pairs that differ.
    {"pairs share, in the lower half", kShared, [](int l) { return l < 16 ? l / 2 : l; }},
    {"pairs share, in the upper half", kShared, [](int l) { return l < 16 ? l : l / 2; }},
    {"pairs share below, lanes 2 apart above", kShared, [](int l) { return l < 16 ? l / 2 : 8 + l % 2 + l / 4 * 2; }},
    {"pairs share, lanes 2 apart, by turns of four", kShared,
     [](int l) { return l % 8 < 4 ? l / 2 : l / 4 * 2 + l % 2; }},
    {"pairs share, lanes 2 apart, by turns of eight", kShared,
     [](int l) { return l % 16 < 8 ? l / 2 : l / 4 * 2 + l % 2; }},
    {"pairs share but the first", kShared, [](int l) { return l < 2 ? l : l / 2 + 1; }},
    {"pairs share but the last", kShared, [](int l) { return l < 30 ? l / 2 : l - 15; }},
    {"pairs share or lack a lane", kShared, [](int l) { return l % 4 == 3 ? -1 : l / 2; }},
    {"one lane of each pair, at random", kShared,
     [](int l) { return (l & 1) == int(random_bits(20, l / 2) >> 31) ? l : -1; }},
    {"pairs share at random, gather of 64", kShared, [](int l) { return gather(21, l / 2, 64); }},
    {"pairs share at random, gather of 1024", kShared, [](int l) { return gather(22, l / 2, 1024); }},
    {"lanes 2 apart share at random, gather of 64", kShared, [](int l) { return gather(23, l / 4 * 2 + l % 2, 64); }},

    {"lanes 0 to 15", kAll | kShort, [](int l) { return l < 16 ? l : -1; }},
    {"lanes 16 to 31", kBoth, [](int l) { return l >= 16 ? l : -1; }},
    {"even lanes", kAll | kShort, [](int l) { return l % 2 == 0 ? l : -1; }},
    {"odd lanes", kShared, [](int l) { return l % 2 ? l : -1; }},
    {"even lanes, packed", kBoth, [](int l) { return l % 2 == 0 ? l / 2 : -1; }},
    {"two lanes of four", kBoth, [](int l) { return l % 4 < 2 ? l : -1; }},
    {"four lanes of eight", kBoth, [](int l) { return l % 8 < 4 ? l : -1; }},
    {"one lane of each four", kShared, [](int l) { return l % 4 == 1 ? l : -1; }},
    {"one lane of each eight", kShared, [](int l) { return l % 8 == 0 ? l : -1; }},
    {"lanes 0 to 7", kShared, [](int l) { return l < 8 ? l : -1; }},
    {"lanes 0 to 7 and 16 to 23", kShared, [](int l) { return l % 16 < 8 ? l : -1; }},
    {"lanes 0 to 7 and 24 to 31", kShared, [](int l) { return l < 8 || l >= 24 ? l : -1; }},
    {"lanes 4 to 11", kShared, [](int l) { return l >= 4 && l < 12 ? l : -1; }},
    {"lane 5", kAll, [](int l) { return l == 5 ? l : -1; }},
    {"lanes 0 and 31", kShared, [](int l) { return l % 31 == 0 ? l : -1; }},
    {"lanes 0 to 15, stride 2", kShared, [](int l) { return l < 16 ? 2 * l : -1; }},
    {"lanes 0 to 15, stride 32", kBoth, [](int l) { return l < 16 ? 32 * l : -1; }},
    {"even lanes, stride 2", kShared, [](int l) { return l % 2 == 0 ? 2 * l : -1; }},
    {"even lanes, stride 32", kShared, [](int l) { return l % 2 == 0 ? 32 * l : -1; }},
    {"even lanes, packed, stride 2", kShared, [](int l) { return l % 2 == 0 ? l : -1; }},

    {"permuted", kAll, [](int l) { return (l * 13 + 5) % 32; }},
    {"bits reversed", kShared,
     [](int l) { return (l & 1) << 4 | (l & 2) << 2 | (l & 4) | (l & 8) >> 2 | l >> 4; }},
    {"gather of 8", kBoth, [](int l) { return gather(1, l, 8); }},
    {"gather of 16", kShared, [](int l) { return gather(2, l, 16); }},
    {"gather of 32", kAll, [](int l) { return gather(3, l, 32); }},
    {"gather of 64", kBoth | kShort, [](int l) { return gather(4, l, 64); }},
    {"gather of 256", kBoth | kShort, [](int l) { return gather(5, l, 256); }},
    {"gather of 1024", kBoth | kShort, [](int l) { return gather(6, l, 1024); }},
    {"some lanes, gather of 8", kBoth, [](int l) { return some(7, l, 8); }},
    {"some lanes, gather of 32", kAll, [](int l) { return some(8, l, 32); }},
    {"some lanes, gather of 64", kShared, [](int l) { return some(9, l, 64); }},
    {"some lanes, gather of 256", kBoth, [](int l) { return some(10, l, 256); }},
    {"some lanes, gather of 1024", kBoth, [](int l) { return some(11, l, 1024); }},
};
// clang-format on

}  // namespace calibration
// SPDX-License-Identifier: MIT
