// The lanes of one warp access as the counters need them: their number, and their addresses in ascending order.
#pragma once

#include <algorithm>

#include "base/base.h"

namespace gpusim {

// Whether the addresses of the 32 lanes have the same distance from lane to lane (positive, negative or 0). Most kernels access memory
// this way, and the counts are then simple formulas. One vector loop without an early exit.
inline bool is_evenly_spaced(const u64* address) {
  const u64 step = address[1] - address[0];
  u64 difference = 0;
  for (u32 lane = 1; lane < kWarpSize - 1; ++lane) difference |= (address[lane + 1] - address[lane]) ^ step;
  return difference == 0;
}

// The addresses of the active lanes in ascending order.
struct AscendingAddresses {
  u64 at[kWarpSize];
  u32 count = 0;

  AscendingAddresses(const u64* address, Mask lanes) {
    bool is_ascending = true;
    u64 previous = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
      const u64 a = address[__builtin_ctz(lanes)];
      is_ascending &= a >= previous;
      at[count++] = previous = a;
    }
    if (!is_ascending) std::sort(at, at + count);
  }

  // The number of distinct aligned units of 2^shift bytes that the lanes touch, `bytes` bytes each. Accesses of equal size in ascending
  // order also end in ascending order, so only the latest end has to be remembered.
  u32 units(u32 bytes, u32 shift) const {
    u64 counted = 0, end = 0;  // units below `end` have been counted
    for (u32 i = 0; i < count; ++i) {
      const u64 first = std::max(at[i] >> shift, end);
      end = ((at[i] + bytes - 1) >> shift) + 1;
      counted += end - first;
    }
    return u32(counted);
  }

  u32 distinct() const {
    u32 runs = count > 0;
    for (u32 i = 1; i < count; ++i) runs += at[i] != at[i - 1];
    return runs;
  }

  // The largest number of lanes that share one address.
  u32 longest_run() const {
    u32 longest = 0, run = 0;
    for (u32 i = 0; i < count; ++i) {
      run = i > 0 && at[i] == at[i - 1] ? run + 1 : 1;
      longest = std::max(longest, run);
    }
    return longest;
  }
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
