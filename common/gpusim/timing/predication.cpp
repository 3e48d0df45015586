// Short branches, which ptxas replaces by predicates.
#include <algorithm>
#include <limits>

#include "timing/issue_costs.h"

namespace gpusim::timing {

float slots_predicated(const Program& program, const ProgramCosts& costs, u32 begin, u32 end) {
  float slots = 0;
  for (u32 pc = begin; pc < end; ++pc) {
    if (facts_of(program.code[pc].shape).skip == ShapeFacts::Skip::branch)
      return std::numeric_limits<float>::infinity();
    slots += costs.cost[pc].slots;
  }
  return slots;
}

void fill_predicated(const Program& program, ProgramCosts& out) {
  out.predicated.assign(program.code.size(), 0);
  for (u32 pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& in = program.code[pc];
    if (in.shape != Shape::branch || in.guard == kNoOperand || in.target <= pc || in.target > pc + 32)
      continue;
    const float slots = slots_predicated(program, out, pc + 1, in.target);
    if (slots <= kMostPredicated) out.predicated[pc] = std::max(slots, 0.1f);
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
