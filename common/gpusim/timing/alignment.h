// What the compiler knows of the alignment of an address: ptxas makes one wide load of neighbouring words only where it
// knows that they begin at a multiple of their size.
#pragma once

#include <functional>
#include <unordered_map>
#include <vector>

#include "ptx/program.h"

namespace gpusim::timing {

// Of the registers of one function: a power of two that divides their value in every lane.
class Alignment {
 public:
  Alignment(const Program&, const Function&);
  u64 of(FrameOffset reg) const;
  // In the first round of a loop whose instructions these are.
  u64 in_first_round(const std::vector<u32>& loop, FrameOffset reg) const;

 private:
  u64 of_result(const Instruction&, const std::function<u64(FrameOffset)>& look_up) const;

  const Program& program_;
  const Function& function_;
  std::unordered_map<FrameOffset, u64> known_;      // registers that instructions write, and constants
  std::unordered_map<FrameOffset, u64> constants_;  // numbers that are written in the code
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
