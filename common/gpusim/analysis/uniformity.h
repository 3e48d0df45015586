// What is known of a register's 32 values before a kernel runs, as long as its lanes have never parted and follow each other in a
// row of threads (NativeCall::in_lockstep): whether each lane's is the same step behind that of the lane before.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

enum class Uniformity : u8 {
  uniform,      // all the same
  affine,       // one step from lane to lane, modulo 2 to the number of bits
  wide_affine,  // of a row of 32 bits that was made wider, and may have wrapped before: then the step changes here and there, by 2^32
  scaled_wide_affine,  // … by a multiple of 2^32, at most 2^56
  unknown,
};

// Of whole numbers, modulo 2 to the number of bits.
enum class LaneNumbers : u8 {
  unwritten,
  multiple_of_32,  // the same in all lanes
  lane,            // … plus the number of the lane
  other,
};

class LaneValueTable {
 public:
  // is_partial: by pc, whether native code lets some lanes alone execute the instruction.
  LaneValueTable(const Program&, const Function&, const std::vector<bool>& is_partial);

  Uniformity of(FrameOffset) const;
  // What all lanes hold, if it is known.
  std::optional<u64> constant(FrameOffset) const;

 private:
  std::unordered_map<FrameOffset, Uniformity> values_;
  std::unordered_map<FrameOffset, u64> constants_;  // the same in all lanes, and known

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
