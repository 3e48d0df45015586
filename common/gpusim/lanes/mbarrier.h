// A barrier in shared memory (mbarrier): 64 bits that count arrivals and phases. NVIDIA does not say how they lie there.
#pragma once

#include "base/base.h"

namespace gpusim {

struct Mbarrier {
  static constexpr u64 kMostArrivals = (u64(1) << 20) - 1;

  u64 bits = 0;

  static Mbarrier of(u64 expected, u64 pending, bool odd_phase) {
    return {u64(odd_phase) << 63 | kMark << 40 | expected << 20 | pending};
  }
  bool is_initialised() const { return (bits & ~(u64(1) << 63)) >> 40 == kMark; }
  u64 pending() const { return bits & kMostArrivals; }
  u64 expected() const { return bits >> 20 & kMostArrivals; }
  bool odd_phase() const { return bits >> 63; }

 private:
  static constexpr u64 kMark = 0x2b4a55;  // 23 bits that no other value is likely to have there
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
