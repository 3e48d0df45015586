#include "ptx/cfg.h"

#include <algorithm>
#include <vector>

namespace gpusim::ptx {
namespace {

// A branch that all lanes take to the same place is not conditional.
bool is_conditional(const Instruction& i) {
  return jumps(i.shape) && (i.shape != Shape::branch || i.guard != kNoOperand);
}
bool leaves(const Instruction& i) {
  return facts_of(i.shape).flow == ShapeFacts::Flow::leave && i.guard == kNoOperand;
}

}  // namespace

Graph build_graph(const Program& p, u32 begin, u32 end) {
  std::vector<bool> leader(end - begin + 1, false);
  leader[0] = true;
  for (u32 pc = begin; pc < end; ++pc) {
    const Instruction& i = p.code[pc];
    for_targets(p, i, [&](u32 target) { leader[target - begin] = true; });
    if (jumps(i.shape) || leaves(i)) leader[pc + 1 - begin] = true;
  }
  Graph g;
  std::vector<u32> block_of(end - begin + 1);
  for (u32 pc = begin; pc < end; ++pc) {
    if (leader[pc - begin]) g.start.push_back(pc);
    block_of[pc - begin] = u32(g.start.size() - 1);
  }
  g.exit = u32(g.start.size());
  block_of[end - begin] = g.exit;
  g.start.push_back(end);
  g.successors.resize(g.exit + 1);
  for (u32 b = 0; b < g.exit; ++b) {
    const Instruction& last = p.code[g.start[b + 1] - 1];
    auto& to = g.successors[b];
    for_targets(p, last, [&](u32 target) { to.push_back(block_of[target - begin]); });
    if (!leaves(last) && falls_through(last)) to.push_back(b + 1);
    if (leaves(last)) to.push_back(g.exit);
  }
  g.predecessors.resize(g.exit + 1);
  for (u32 b = 0; b < g.exit; ++b)
    for (const u32 s : g.successors[b]) g.predecessors[s].push_back(b);
  return g;
}

std::vector<u32> dominators(u32 root, const Edges& successors, const Edges& predecessors) {
  // Post-order: an explicit stack, since damaged input can be deep.
  const std::size_t count = successors.size();
  std::vector<u32> order, number(count, kNone);
  std::vector<std::pair<u32, u32>> stack{{root, 0}};
  std::vector<bool> seen(count, false);
  seen[root] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next < successors[block].size()) {
      const u32 s = successors[block][next++];
      if (!seen[s]) seen[s] = true, stack.push_back({s, 0});
    } else {
      number[block] = u32(order.size());
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::vector<u32> idom(count, kNone);
  idom[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      if (*b == root) continue;
      u32 best = kNone;
      for (u32 p : predecessors[*b]) {
        if (idom[p] == kNone) continue;
        if (best == kNone) {
          best = p;
          continue;
        }
        while (p != best) {
          while (number[p] < number[best]) p = idom[p];
          while (number[best] < number[p]) best = idom[best];
        }
      }
      if (best != idom[*b]) idom[*b] = best, changed = true;
    }
  }
  return idom;
}

bool leads_to(const Program& p, u32 from, u32 to) {
  const Function* function = p.function_at(from);
  if (!function) return false;
  std::vector<bool> seen(function->end - function->begin, false);
  std::vector<u32> todo;
  const auto add = [&](u32 pc) {
    if (pc < function->begin || pc >= function->end || seen[pc - function->begin]) return;
    seen[pc - function->begin] = true;
    todo.push_back(pc);
  };
  const auto add_next = [&](u32 pc) {
    for_targets(p, p.code[pc], add);
    if (falls_through(p.code[pc])) add(pc + 1);
  };
  add_next(from);
  while (!todo.empty()) {
    const u32 pc = todo.back();
    todo.pop_back();
    if (pc == to) return true;
    add_next(pc);
  }
  return false;
}

void find_reconvergence(Program& p, u32 begin, u32 end) {
  if (begin >= end) return;
  const Graph g = build_graph(p, begin, end);
  const std::vector<u32> idom = dominators(g.exit, g.predecessors, g.successors);
  for (u32 b = 0; b < g.exit; ++b) {
    Instruction& last = p.code[g.start[b + 1] - 1];
    if (!is_conditional(last)) continue;
    const bool never = idom[b] == kNone || idom[b] == g.exit;
    last.reconverge = never ? kNoReconvergence : g.start[idom[b]];
    // A kernel's lanes that have nothing to do but leave do not wait for each other, as on a GPU: a thread that has
    // left holds up no barrier.
    if (!never && p.code[last.reconverge].op == Op::exit && leaves(p.code[last.reconverge]))
      last.reconverge = kNoReconvergence;
  }
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
