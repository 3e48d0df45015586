#include "analysis/ssa.h"

#include <algorithm>

namespace gpusim::ptx {

Ssa::Ssa(const Program& p, const Function& f) : begin_(f.begin), graph_(build_graph(p, f.begin, f.end)) {
  dominator_ = dominators(0, graph_.successors, graph_.predecessors);
  for (std::vector<u32>& all : graph_.predecessors)
    std::erase_if(all, [&](u32 block) { return !is_reached(block); });
  for (u32 b = 0; b < graph_.exit; ++b)
    block_of_.insert(block_of_.end(), graph_.start[b + 1] - graph_.start[b], b);
  has_form_ = predecessors(0).empty() && is_reducible();
  for (u32 pc = f.begin; pc < f.end; ++pc)
    for (const FrameOffset reg : p.code[pc].d)
      if (reg != kNoOperand) written_.push_back({reg, pc});
  std::ranges::sort(written_);
}

bool Ssa::dominates(u32 block, u32 other) const {
  while (other != block && other != dominator_[other]) other = dominator_[other];
  return other == block;
}

// Whether every loop is entered only at its start: without the edges back to the starts, there is no cycle.
bool Ssa::is_reducible() const {
  std::vector<std::size_t> missing(graph_.exit + 1);
  std::vector<u32> ready{0};
  const auto for_edges = [&](u32 from, auto f) {
    for (const u32 to : successors(from))
      if (!dominates(to, from)) f(to);
  };
  std::size_t reached = 0;
  for (u32 b = 0; b <= graph_.exit; ++b) {
    if (!is_reached(b)) continue;
    ++reached;
    for_edges(b, [&](u32 to) { ++missing[to]; });
  }
  while (!ready.empty()) {
    const u32 from = ready.back();
    ready.pop_back();
    --reached;
    for_edges(from, [&](u32 to) {
      if (--missing[to] == 0) ready.push_back(to);
    });
  }
  return reached == 0;
}

Ssa::Value Ssa::add(Kind kind, FrameOffset reg, u32 at) {
  definitions_.push_back({kind, reg, at});
  same_as_.push_back(Value(same_as_.size()));
  return same_as_.back();
}

Ssa::Value Ssa::found(Value v) const {
  while (same_as_[v] != v) v = same_as_[v];
  return v;
}

// The last definition in the block before this pc, or the register's value at the start of the block.
Ssa::Value Ssa::last_definition(u32 block, u32 before, FrameOffset reg) {
  const auto first = std::ranges::lower_bound(written_, std::pair(reg, 0u));
  if (first == written_.end() || first->first != reg) {
    const auto [known, is_new] = never_written_.try_emplace(reg, 0);
    if (is_new) known->second = add(Kind::initial, reg, 0);
    return known->second;
  }
  const auto behind = std::ranges::lower_bound(first, written_.end(), std::pair(reg, before));
  if (behind == first || (behind - 1)->second < graph_.start[block]) return at_begin(block, reg);
  const auto [known, is_new] = of_instruction_.try_emplace(u32(behind - 1 - written_.begin()), 0);
  if (is_new) known->second = add(Kind::instruction, reg, (behind - 1)->second);
  return known->second;
}

Ssa::Value Ssa::before(u32 pc, FrameOffset reg) {
  const Value v = last_definition(block_of(pc), pc, reg);
  merge_phis();
  return found(v);
}

Ssa::Value Ssa::at_begin(u32 block, FrameOffset reg) {
  const u64 key = u64(block) << 32 | reg;
  if (const auto known = at_begin_.find(key); known != at_begin_.end()) return found(known->second);
  const std::vector<u32>& before = predecessors(block);
  if (before.empty()) return at_begin_[key] = add(Kind::initial, reg, 0);
  if (before.size() == 1) {
    const Value v = at_end(before.front(), reg);
    return at_begin_[key] = v;
  }
  const Value phi = at_begin_[key] = add(Kind::phi, reg, block);
  if (!merge(phi)) new_phis_.push_back(phi);
  return found(phi);
}

// If a phi can only be one other value, it is that value. Returns whether it is.
bool Ssa::merge(Value phi) {
  Value only = phi;
  for (const Value v : operands(phi)) {
    if (v == phi || v == only) continue;
    if (only != phi) return false;
    only = v;
  }
  same_as_[phi] = only;
  return true;
}

// Looks again at phis that were requested before it was known that all their operands are one value.
void Ssa::merge_phis() {
  while (std::erase_if(new_phis_, [&](Value phi) { return merge(phi); })) {
  }
  new_phis_.clear();
}

Ssa::Value Ssa::at_end(u32 block, FrameOffset reg) {
  return found(last_definition(block, end_of(block), reg));
}

std::vector<Ssa::Value> Ssa::operands(Value phi) {
  const Definition of = definitions_[phi];
  std::vector<Value> all;
  for (const u32 b : predecessors(of.at)) all.push_back(at_end(b, of.reg));
  return all;
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
