#include "analysis/computed_with.h"

#include <algorithm>

#include "ptx/shapes.h"

namespace gpusim {

std::unordered_set<FrameOffset> registers_computed_with(const Program& program, const Function& f) {
  std::unordered_set<FrameOffset> registers;
  for (u32 pc = f.begin; pc < f.end; ++pc) {
    const Instruction& in = program.code[pc];
    if (computes_lanes(in.shape) && in.op != Op::selp && in.op != Op::slct &&
        facts_of(in.shape).names == ShapeFacts::Names::values)
      registers.insert(std::begin(in.s), std::end(in.s));
  }
  registers.erase(kNoOperand);
  return registers;
}

bool is_computed_with(const Program& program, u32 pc) {
  const std::unordered_set<FrameOffset> registers =
      registers_computed_with(program, *program.function_at(pc));
  return std::ranges::any_of(program.code[pc].d,
                             [&](FrameOffset result) { return registers.contains(result); });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
