// Which sides of each conditional branch of a module threads have taken so far, in all launches.
#pragma once

#include <atomic>
#include <vector>

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

class BranchSides {
 public:
  static constexpr u8 kStays = 1, kJumps = 2;

  explicit BranchSides(std::size_t instructions = 0) : sides_(instructions) {}
  // Of the lanes in `mask` those in `taken` jump. Host threads that run blocks at the same time may call it.
  void note(u32 pc, Mask mask, Mask taken) {
    const u8 sides = u8((taken != mask ? kStays : 0) | (taken != 0 ? kJumps : 0));
    std::atomic<u8>& all = sides_[pc];
    if ((all.load(std::memory_order_relaxed) & sides) != sides)
      all.fetch_or(sides, std::memory_order_relaxed);
  }
  // 0: the branch has never been executed.
  u8 of(u32 pc) const { return sides_[pc].load(std::memory_order_relaxed); }

 private:
  std::vector<std::atomic<u8>> sides_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
