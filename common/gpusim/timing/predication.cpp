// Short branches, which ptxas replaces by predicates.
#include <algorithm>
#include <limits>

#include "timing/issue_costs.h"

namespace gpusim::timing {
namespace {

constexpr u32 kFarthestSkip = 32;  // instructions of PTX
// Slots of a body that loads from global memory, where other loads, a barrier or a shuffle follow. Tried with bodies of 1 to 24
// instructions (nvcc 13.0, sm_90): ptxas predicates up to 19 or 20 of them, and without such a load 7 or 8.
constexpr float kMostWithLoad = 20;

// Whether a conditional branch leads over the instructions behind it: from pc + 1 to its target.
bool leads_over(const Program& program, u32 pc) {
  const Instruction& in = program.code[pc];
  return in.shape == Shape::branch && in.guard != kNoOperand && in.target > pc &&
         in.target <= pc + kFarthestSkip && in.target < program.code.size();
}

// A body that loads from global memory and stores nothing there.
bool loads_only(const Program& program, u32 begin, u32 end) {
  bool loads = false;
  for (u32 pc = begin; pc < end; ++pc) {
    const Instruction& in = program.code[pc];
    const bool is_global = in.space == Space::global || in.space == Space::generic;
    loads |= in.shape == Shape::load && is_global;
    if (in.shape == Shape::store && is_global) return false;
  }
  return loads;
}

// Whether a load, or a meeting of lanes, comes next: before the program branches, but for branches over a few instructions.
bool goes_on_loading(const Program& program, u32 from) {
  for (u32 pc = from; pc < program.code.size(); ++pc) {
    const Instruction& in = program.code[pc];
    const bool loads = in.shape == Shape::load && in.space != Space::param && in.space != Space::constant;
    const bool meets = facts_of(in.shape).meets != ShapeFacts::Meets::nobody;
    if (loads || meets) return true;
    if (ends_basic_block(in.shape) && !leads_over(program, pc) && !jumps_to_next(in, pc)) return false;
  }
  return false;
}

}  // namespace

float slots_predicated(const Program& program, const ProgramCosts& costs, u32 begin, u32 end) {
  float slots = 0;
  for (u32 pc = begin; pc < end; ++pc) {
    const Instruction& in = program.code[pc];
    // A body inside: of the conditions `a && b` each is a branch in PTX, and both are one predicate.
    const bool is_inside = in.shape == Shape::branch && costs.predicated[pc] > 0 && in.target <= end;
    const bool is_reduction = costs.unread[pc] && !adds_in_a_loop(in);
    if (facts_of(in.shape).skip == ShapeFacts::Skip::branch && !is_inside && !is_reduction &&
        !jumps_to_next(in, pc))
      return std::numeric_limits<float>::infinity();
    slots += costs.cost[pc].slots;
  }
  return slots;
}

void fill_predicated(const Program& program, ProgramCosts& out) {
  out.predicated.assign(program.code.size(), 0);
  for (u32 pc = u32(program.code.size()); pc-- > 0;) {  // bodies inside others first
    if (!leads_over(program, pc)) continue;
    const u32 end = program.code[pc].target;
    const float slots = slots_predicated(program, out, pc + 1, end);
    const bool is_batch = loads_only(program, pc + 1, end) && goes_on_loading(program, end);
    if (slots <= (is_batch ? kMostWithLoad : kMostPredicated)) out.predicated[pc] = std::max(slots, 0.1f);
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
