#include "analysis/straight.h"

namespace gpusim {
namespace {

// By pc: whether lanes that a branch has split reconverge there.
std::vector<bool> where_lanes_meet(const Program& program) {
  std::vector<bool> lanes_meet(program.code.size());
  for (const Instruction& in : program.code)
    if (jumps(in.shape) && in.reconverge < lanes_meet.size()) lanes_meet[in.reconverge] = true;
  return lanes_meet;
}

}  // namespace

std::vector<u32> straight_runs(const Program& program, const std::vector<LaneFunction>& lane_function) {
  const std::vector<bool> lanes_meet = where_lanes_meet(program);
  std::vector<u32> runs(program.code.size());
  for (const Function& f : program.functions)
    for (u32 pc = f.end; pc-- > f.begin;) {
      if (!lane_function[pc] || program.code[pc].guard != kNoOperand) continue;
      const bool goes_on = pc + 1 < f.end && !lanes_meet[pc + 1];
      runs[pc] = 1 + (goes_on ? runs[pc + 1] : 0);
    }
  return runs;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
