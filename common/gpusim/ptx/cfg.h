// Control flow: where branches lead, and where lanes that part at one meet again.
#pragma once

#include "ptx/program.h"

namespace gpusim::ptx {

// Calls f(pc) for each instruction that a branch may lead to.
template <class F> void for_targets(const Program& p, const Instruction& i, F f) {
  if (i.shape == Shape::branch) f(i.target);
  if (i.shape == Shape::branch_table)
    for (const u32 target : p.tables[i.target]) f(target);
}

// Does what follows in the code follow it, for some lane at least?
inline bool falls_through(const Instruction& i) {
  if (i.shape == Shape::branch_table) return false;
  return (i.shape != Shape::branch && i.shape != Shape::leave) || i.guard != kNoOperand;
}

// Whether a thread that has come to `from` may come to `to` afterwards, in one function.
bool leads_to(const Program&, u32 from, u32 to);

// Sets Instruction::reconverge of every conditional branch and branch table in code [begin, end) to the first pc of
// its immediate post-dominator, or kNoReconvergence where only the function's exits follow both ways.
// (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the reversed graph.)
void find_reconvergence(Program&, u32 begin, u32 end);

}  // namespace gpusim::ptx
