// Numbers for the registers that instructions read and write.
#include <algorithm>
#include <unordered_map>

#include "timing/issue_costs.h"

namespace gpusim::timing {

void number_operands(const Program& program, ProgramCosts& out) {
  // In the order of their code: a function that is declared before others comes first in the list, wherever its code is.
  std::vector<const Function*> functions;
  for (const Function& f : program.functions) functions.push_back(&f);
  std::sort(functions.begin(), functions.end(), [](auto* a, auto* b) { return a->begin < b->begin; });
  u32 next_pc = 0;
  const auto close = [&](u32 until) {
    for (; next_pc < until; ++next_pc) {
      out.reads.at.push_back(u32(out.reads.numbers.size()));
      out.writes.at.push_back(u32(out.writes.numbers.size()));
    }
  };
  for (const Function* f : functions) {
    std::unordered_map<FrameOffset, RegisterNumber> numbers;
    for (u32 pc = f->begin; pc < f->end; ++pc)
      for (const FrameOffset d : program.code[pc].d)
        if (d != kNoOperand && numbers.try_emplace(d, out.registers_named).second) ++out.registers_named;
    for (u32 pc = f->begin; pc < f->end; ++pc) {
      close(pc + 1);
      const Instruction& in = program.code[pc];
      const auto read = [&](FrameOffset s) {
        if (const auto found = numbers.find(s); s != kNoOperand && found != numbers.end())
          out.reads.numbers.push_back(found->second);
      };
      for (const FrameOffset s : in.s) read(s);
      read(in.guard);
      for (const FrameOffset d : in.d)
        if (d != kNoOperand) out.writes.numbers.push_back(numbers.at(d));
    }
  }
  close(u32(program.code.size() + 1));
}

void renumber(const Program& program, ProgramCosts& out) {
  u32 most = 0;
  for (const Function& f : program.functions) {
    const RegisterRange range = registers_of(f, out.writes);
    const auto shift = [&](Operands& operands) {
      for (u32 k = operands.at[f.begin]; k < operands.at[f.end]; ++k) operands.numbers[k] -= range.begin;
    };
    shift(out.reads);
    shift(out.writes);
    most = std::max(most, range.end - range.begin);
  }
  out.registers_named = most;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
