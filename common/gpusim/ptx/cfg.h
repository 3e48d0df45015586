// Control flow: where branches lead, and where lanes that part at one meet again.
#pragma once

#include <vector>

#include "ptx/program.h"

namespace gpusim::ptx {

inline constexpr u32 kNone = 0xffffffffu;

// Calls f(pc) for each instruction that a branch may lead to.
template <class F> void for_targets(const Program& p, const Instruction& i, F f) {
  if (i.shape == Shape::branch) f(i.target);
  if (i.shape == Shape::branch_table)
    for (const u32 target : p.tables[i.target]) f(target);
}

// Can some lane continue with the next instruction in the code?
inline bool falls_through(const Instruction& i) {
  const bool goes_away = jumps(i.shape) || facts_of(i.shape).flow == ShapeFacts::Flow::leave;
  return !goes_away || i.guard != kNoOperand;
}

using Edges = std::vector<std::vector<u32>>;  // of each block
// Basic blocks of a function. A guarded instruction that leaves it does not end one.
struct Graph {
  std::vector<u32> start;  // first pc of each block; one more entry: the end
  Edges successors, predecessors;
  u32 exit = 0;  // the virtual block after the last
};
Graph build_graph(const Program&, u32 begin, u32 end);

// The immediate dominator of each block that can be reached from `root`; `root` is its own, and unreachable blocks have kNone.
// Pass the edges reversed to get post-dominators. (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm".)
std::vector<u32> dominators(u32 root, const Edges& successors, const Edges& predecessors);

// Whether a thread at `from` can later reach `to`, within one function.
bool leads_to(const Program&, u32 from, u32 to);

// Sets Instruction::reconverge of every conditional branch and branch table in code [begin, end) to the first pc of
// its immediate post-dominator, or kNoReconvergence where only the function's exits follow both ways.
void find_reconvergence(Program&, u32 begin, u32 end);

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
