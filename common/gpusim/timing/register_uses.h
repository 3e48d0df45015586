// Which instruction alone writes a register, and which alone reads it.
#pragma once

#include <vector>

#include "timing/issue_costs.h"

namespace gpusim::timing {

class RegisterUses {
 public:
  static constexpr u32 kNobody = 0xffffffffu, kSeveral = 0xfffffffeu;

  RegisterUses(const Program& program, const ProgramCosts& costs)
      : writer_(costs.registers_named, kNobody), reader_(costs.registers_named, kNobody) {
    const auto note = [](u32& only, u32 pc) { only = only == kNobody ? pc : kSeveral; };
    for (u32 pc = 0; pc < program.code.size(); ++pc) {
      for (const RegisterNumber r : costs.writes.of(pc)) note(writer_[r], pc);
      for (const RegisterNumber r : costs.reads.of(pc)) note(reader_[r], pc);
    }
  }

  // A pc, kNobody or kSeveral.
  u32 writer(RegisterNumber r) const { return writer_[r]; }
  u32 reader(RegisterNumber r) const { return reader_[r]; }
  static bool is_one(u32 pc) { return pc < kSeveral; }

  // Whether the sum at `pc` takes a product along that nothing else needs, or a shift to the left.
  bool takes_product(const Program& program, const ProgramCosts& costs, u32 pc) const {
    for (const RegisterNumber r : costs.reads.of(pc)) {
      if (!is_one(writer_[r]) || reader_[r] != pc) continue;
      const Op op = program.code[writer_[r]].op;
      if (op == Op::mul_wide || op == Op::shl) return true;
    }
    return false;
  }

 private:
  std::vector<u32> writer_, reader_;  // by register
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
