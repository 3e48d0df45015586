// How a register's values differ from lane to lane, found before a kernel runs: not at all, by a constant step, or in an unknown way.
// Holds for warps that have never diverged and whose threads follow each other in x (NativeCall::in_lockstep).
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

enum class Uniformity : u8 {
  uniform,  // the same value in all lanes
  affine,   // a constant step from lane to lane, modulo 2^bits
  // A 32-bit affine value that was widened to 64 bits. It may have wrapped before, so a step may be off by 2^32.
  wide_affine,
  // The same, multiplied: a step may be off by a multiple of 2^32, at most 2^56.
  scaled_wide_affine,
  unknown,
};

// What is known of an integer register, modulo 2^bits.
enum class LaneNumbers : u8 {
  unwritten,
  multiple_of_32,  // the same multiple of 32 in all lanes
  lane,            // a multiple of 32 plus the number of the lane
  other,
};

class LaneValueTable {
 public:
  // is_partial: by pc, whether native code may execute the instruction for some of the lanes only.
  LaneValueTable(const Program&, const Function&, const std::vector<bool>& is_partial);

  Uniformity of(FrameOffset) const;
  // The value that all lanes hold, if it is known.
  std::optional<u64> constant(FrameOffset) const;

 private:
  std::unordered_map<FrameOffset, Uniformity> values_;
  std::unordered_map<FrameOffset, u64> constants_;  // known values that all lanes share

  std::unordered_map<FrameOffset, LaneNumbers> numbers_;

  Uniformity result(const Instruction&) const;
  LaneNumbers number(const Instruction&) const;
  LaneNumbers number_at(FrameOffset) const;
  Uniformity bits(const Instruction&) const;
  bool is_small(FrameOffset) const;
  Uniformity sum(Uniformity, Uniformity) const;
  Uniformity product(const Instruction&, Uniformity, Uniformity) const;
  Uniformity widened(const Instruction&, Uniformity) const;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
