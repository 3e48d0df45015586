#include "ptx/cfg.h"

#include <algorithm>
#include <vector>

namespace gpusim::ptx {
namespace {

constexpr u32 kNone = 0xffffffffu;

struct Graph {
  std::vector<u32> start;                    // first pc of each block; one more entry: the end
  std::vector<std::vector<u32>> successors;  // of each block; `exit` is the virtual block after the last
  u32 exit = 0;
};

bool is_branch(const Instruction& i) { return i.shape == Shape::branch || i.shape == Shape::branch_table; }
bool is_conditional(const Instruction& i) {
  return i.shape == Shape::branch_table || (i.shape == Shape::branch && i.guard != kNoOperand);
}
bool leaves(const Instruction& i) { return i.shape == Shape::leave && i.guard == kNoOperand; }

Graph build(const Program& p, u32 begin, u32 end) {
  std::vector<bool> leader(end - begin + 1, false);
  leader[0] = true;
  for (u32 pc = begin; pc < end; ++pc) {
    const Instruction& i = p.code[pc];
    for_targets(p, i, [&](u32 target) { leader[target - begin] = true; });
    if (is_branch(i) || leaves(i)) leader[pc + 1 - begin] = true;
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
  return g;
}

// Immediate post-dominator of each block; kNone for blocks from which no exit is reached.
std::vector<u32> post_dominators(const Graph& g) {
  // Post-order of the reversed graph from the exit: an explicit stack, since damaged input can be deep.
  std::vector<std::vector<u32>> predecessors(g.exit + 1);
  for (u32 b = 0; b < g.exit; ++b)
    for (const u32 s : g.successors[b]) predecessors[s].push_back(b);
  std::vector<u32> order, number(g.exit + 1, kNone);
  std::vector<std::pair<u32, u32>> stack{{g.exit, 0}};
  std::vector<bool> seen(g.exit + 1, false);
  seen[g.exit] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    if (next < predecessors[block].size()) {
      const u32 p = predecessors[block][next++];
      if (!seen[p]) seen[p] = true, stack.push_back({p, 0});
    } else {
      number[block] = u32(order.size());
      order.push_back(block);
      stack.pop_back();
    }
  }
  std::vector<u32> idom(g.exit + 1, kNone);
  idom[g.exit] = g.exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto b = order.rbegin(); b != order.rend(); ++b) {
      if (*b == g.exit) continue;
      u32 best = kNone;
      for (u32 s : g.successors[*b]) {
        if (idom[s] == kNone) continue;
        if (best == kNone) {
          best = s;
          continue;
        }
        while (s != best) {
          while (number[s] < number[best]) s = idom[s];
          while (number[best] < number[s]) best = idom[best];
        }
      }
      if (best != idom[*b]) idom[*b] = best, changed = true;
    }
  }
  return idom;
}

}  // namespace

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
  const Graph g = build(p, begin, end);
  const std::vector<u32> idom = post_dominators(g);
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
