// Banks: shared memory serves 32 words of 4 bytes in one pass (wavefront), one from each bank.
#pragma once

#include "counting/lanes.h"

namespace gpusim {

inline constexpr u32 kBanks = 32;
inline constexpr u32 kBankShift = 2;  // a bank is 4 bytes wide
inline constexpr u32 kBankBytes = 1u << kBankShift;

struct BankUse {
  u32 wavefronts = 0;  // passes needed
  u32 ideal = 0;       // passes without conflicts: one for each group of lanes that are served together
};

// Whether each lane has the same address as the lane `distance` (a power of two) away, where both are active.
inline bool pairs_share(const u64* address, Mask mask, u32 distance) {
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    const u32 other = lane ^ distance;
    const bool both_on = mask >> lane & mask >> other & 1;
    if (both_on && address[lane] != address[other]) return false;
  }
  return true;
}

// How many lanes are served together: as many as fill the banks at 4, 8 or 16 bytes each. Loads of 8 or 16 bytes serve twice as many
// lanes if every lane shares its address with its neighbour, or every lane with the lane 2 away (an inactive lane shares with any).
// A mixture of both does not count, nor does a larger distance; stores never do. Measured on an H200:
// tests/gpusim/data/ncu_h200.json, "shared 8 bytes, …" and "shared 16 bytes, …".
inline u32 lanes_served_together(const u64* address, Mask mask, u32 bytes, bool is_load) {
  if (bytes <= 4) return kWarpSize;
  const u32 lanes = bytes == 8 ? 16 : 8;
  const bool can_double = is_load && (pairs_share(address, mask, 1) || pairs_share(address, mask, 2));
  return can_double ? 2 * lanes : lanes;
}

// True if no bank is asked for two different words. (Lanes that ask for the same word are served by one broadcast.)
inline bool is_free_of_conflicts(const u64* address, Mask lanes, u32 bytes) {
  u64 word_of[kBanks];
  u32 banks_used = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    const u64 a = address[__builtin_ctz(lanes)];
    const u64 last = (a + bytes - 1) >> kBankShift;
    for (u64 word = a >> kBankShift; word <= last; ++word) {
      const u32 bank = word % kBanks;
      if ((banks_used >> bank & 1) == 0) word_of[bank] = word;
      if (word_of[bank] != word) return false;
      banks_used |= 1u << bank;
    }
  }
  return true;
}

// Wavefronts of lanes that are served together: the number of distinct words in the bank with the most.
inline u32 wavefronts_of_group(const u64* address, Mask lanes, u32 bytes) {
  if (is_free_of_conflicts(address, lanes, bytes)) return 1;
  const AscendingAddresses sorted(address, lanes);
  u32 words_in[kBanks] = {}, most = 0;
  u64 end = 0;  // words below `end` have been counted
  for (u32 i = 0; i < sorted.count; ++i) {
    const u64 last = (sorted.at[i] + bytes - 1) >> kBankShift;
    for (u64 word = std::max(sorted.at[i] >> kBankShift, end); word <= last; ++word)
      most = std::max(most, ++words_in[word % kBanks]);
    end = last + 1;
  }
  return most;
}

// 32 lanes, each `step` elements of `bytes` (4, 8 or 16) after the lane before, aligned. For a group of g lanes, the banks are g columns
// of one element's width, and the columns repeat after g / gcd(step, g) lanes. Because g is a power of two, the gcd is the lowest set
// bit of step.
inline BankUse evenly_spaced_bank_use(u64 step, u32 together) {
  const u32 groups = kWarpSize / together;
  const u64 lowest_bit = step & (0 - step);
  const u32 lanes_in_column = step == 0 ? 1 : u32(std::min<u64>(lowest_bit, together));  // 0: a broadcast
  return {groups * lanes_in_column, groups};
}

// All lanes of the warp form one row of aligned accesses, `step` bytes apart. Accesses of less than 4 bytes must be neighbours, or all
// the same element. (For accesses of at most 4 bytes to neighbours or to one element, the result also holds if some lanes are inactive.)
inline BankUse row_bank_use(u64 step, u32 bytes, bool is_load) {
  if (bytes < kBankBytes) return {1, 1};
  const u32 most =
      kWarpSize * kBankBytes / bytes;  // served together; twice as many if lanes of 8 or 16 bytes share
  return evenly_spaced_bank_use(step / bytes, bytes > kBankBytes && step == 0 && is_load ? 2 * most : most);
}

// Whether a full warp in rows (Access::row) touches consecutive words that fill the banks exactly.
inline bool are_neighbours(const u64* address, u32 row, u32 bytes) {
  u64 low = address[0], high = address[0];
  for (u32 lane = 0; lane < kWarpSize; lane += row)
    for (const u64 end : {address[lane], address[lane + row - 1]})
      low = std::min(low, end), high = std::max(high, end);
  return ((high + bytes - 1) >> kBankShift) - (low >> kBankShift) < kBanks;
}

// A warp access to shared memory: each lane of the mask touches [address, address + bytes). row: as in Access.
inline BankUse bank_use(const u64* address, Mask mask, u32 bytes, bool is_load, u32 row = 0) {
  if (row && bytes <= 4 && are_neighbours(address, row, bytes)) return {1, 1};
  const u32 together = lanes_served_together(address, mask, bytes, is_load);
  if (bytes >= 4 && (row == kWarpSize || (mask == kAllLanes && is_evenly_spaced(address)))) {
    const u64 step = address[1] - address[0];  // modulo 2^64 for lanes that go backwards: same lowest bit
    if ((address[0] | step) % bytes == 0) return evenly_spaced_bank_use(step / bytes, together);
  }
  BankUse use;
  for (u32 first = 0; first < kWarpSize; first += together) {
    const Mask lanes = mask >> first & kAllLanes >> (kWarpSize - together);
    if (lanes == 0) continue;
    use.wavefronts += wavefronts_of_group(address + first, lanes, bytes);
    ++use.ideal;
  }
  return use;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
