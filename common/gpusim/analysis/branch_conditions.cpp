// What the branches on the way to an instruction tell about affine forms.
#include <utility>

#include "analysis/affine_forms.h"

namespace gpusim {
namespace {

Compare without_sign(Compare c) {
  switch (c) {
    case Compare::lo: return Compare::lt;
    case Compare::ls: return Compare::le;
    case Compare::hi: return Compare::gt;
    case Compare::hs: return Compare::ge;
    default: return c;
  }
}
Compare negated(Compare c) {
  switch (c) {
    case Compare::lt: return Compare::ge;
    case Compare::le: return Compare::gt;
    case Compare::gt: return Compare::le;
    case Compare::ge: return Compare::lt;
    case Compare::eq: return Compare::ne;
    default: return Compare::eq;
  }
}
}  // namespace

std::vector<AffineForms::Fact> AffineForms::facts_on_edge(u32 from, u32 to) {
  std::vector<Fact> facts;
  const u32 pc = ssa_.end_of(from) - 1;
  const Instruction& in = instruction(pc);
  if (in.shape != Shape::branch || in.guard == kNoOperand) return facts;
  const u32 taken = ssa_.block_of(in.target);
  if (taken == from + 1) return facts;  // both ways lead there
  add_facts(ssa_.before(pc, in.guard), (to == taken) != in.negate_guard, facts);
  return facts;
}

// The facts of the branches that every way to a block takes: those that lead into the block, or into one of its dominators, if it
// has no other predecessor. Stops at block `until`.
std::vector<AffineForms::Fact> AffineForms::facts_at(u32 block, u32 until) {
  std::vector<Fact> facts;
  for (; block != until && block != ssa_.dominator(block); block = ssa_.dominator(block))
    if (ssa_.predecessors(block).size() == 1)
      for (Fact& fact : facts_on_edge(ssa_.predecessors(block).front(), block))
        facts.push_back(std::move(fact));
  return facts;
}

void AffineForms::add_facts(Value predicate, bool is_so, std::vector<Fact>& facts, u32 depth) {
  if (depth == kMostDepth) return;  // the same one may be asked for by many ways
  const ptx::Ssa::Definition d = ssa_.definition(predicate);
  if (d.kind != ptx::Ssa::Kind::instruction) return;
  const Instruction& in = instruction(d.at);
  if (!is_only_result(in, d.reg)) return;
  const auto source = [&](u32 k) { return ssa_.before(d.at, in.s[k]); };
  if (in.shape == Shape::compare) {
    const auto type = integer(in.type);
    if (!type || in.combine != BoolOp::none) return;
    const MaybeForm a = expand(of(source(0))), b = expand(of(source(1)));
    const Compare compare = without_sign(in.compare);
    if (a && b) facts.push_back({*a, *b, is_so ? compare : negated(compare), *type});
    return;
  }
  if (in.type != Type::pred) return;
  if (in.op == Op::not_) return add_facts(source(0), !is_so, facts, depth + 1);
  if (in.op != (is_so ? Op::and_ : Op::or_)) return;
  add_facts(source(0), is_so, facts, depth + 1);
  add_facts(source(1), is_so, facts, depth + 1);
}

std::vector<AffineForms::Bound> AffineForms::bounds_at(u32 pc) {
  std::vector<Bound> bounds;
  for (const Fact& fact : facts_at(ssa_.block_of(pc), 0)) {
    const MaybeForm a = in_range(fact.a, fact.type), b = in_range(fact.b, fact.type);
    const auto add = [&](const MaybeForm& low, const MaybeForm& high, s64 most) {
      if (const MaybeForm difference = sum(low, high, -1); difference && !difference->terms.empty())
        bounds.push_back({*difference, most});
    };
    switch (fact.compare) {
      case Compare::lt: add(a, b, -1); break;
      case Compare::le: add(a, b, 0); break;
      case Compare::gt: add(b, a, -1); break;
      case Compare::ge: add(b, a, 0); break;
      case Compare::eq: add(a, b, 0), add(b, a, 0); break;
      default: break;
    }
  }
  return bounds;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
