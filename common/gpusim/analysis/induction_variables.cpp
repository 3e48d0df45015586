// Registers that each round of a loop changes by the same number, and how many rounds a loop has (its trip count).
#include <algorithm>
#include <utility>

#include "analysis/affine_forms.h"

namespace gpusim {
namespace {

Compare mirrored(Compare c) {
  switch (c) {
    case Compare::lt: return Compare::gt;
    case Compare::le: return Compare::ge;
    case Compare::gt: return Compare::lt;
    case Compare::ge: return Compare::le;
    default: return c;
  }
}

}  // namespace

MaybeForm AffineForms::in_loop(Value phi) {
  const auto [known, is_new] = in_loops_.try_emplace(phi);
  if (!is_new) return known->second;
  return in_loops_[phi] = find_in_loop(phi);
}

// A register that each round of a loop changes by the same number.
MaybeForm AffineForms::find_in_loop(Value phi) {
  const MaybeForm itself = of(phi);
  const u32 loop = ssa_.definition(phi).at;
  const std::vector<Value> operands = ssa_.operands(phi);
  MaybeForm begin;
  std::optional<s64> step;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const MaybeForm form = of(operands[k]);
    if (!form) return std::nullopt;
    if (ssa_.dominates(loop, ssa_.predecessors(loop)[k])) {
      const auto change = constant_of(sum(form, itself, -1));
      if (!change || (step && step != change)) return std::nullopt;
      step = change;
    } else {
      if (begin && begin != form) return std::nullopt;
      begin = form;
    }
  }
  if (!step) return std::nullopt;
  const MaybeForm at_first = expand(begin);
  const auto [round, is_new] = rounds_.try_emplace(loop);
  if (is_new) round->second = add(Kind::round, loop, std::nullopt);
  return sum(at_first, round->second, *step);
}

bool AffineForms::begins_loop(u32 block) const {
  return std::ranges::any_of(ssa_.predecessors(block), [&](u32 b) { return ssa_.dominates(block, b); });
}

std::optional<s64> AffineForms::most_rounds(u32 loop) {
  const u32 round = rounds_.at(loop).terms.front().variable;
  u32 end = ptx::kNone;
  for (const u32 block : ssa_.predecessors(loop)) {
    if (!ssa_.dominates(loop, block)) continue;
    if (std::exchange(end, block) != ptx::kNone)
      return std::nullopt;  // what holds may depend on the way that each round has taken
  }
  std::vector<Fact> facts = facts_at(end, loop);
  for (Fact& fact : facts_on_edge(end, loop)) facts.push_back(std::move(fact));
  std::optional<s64> most;
  for (const Fact& fact : facts)
    if (const auto one = most_rounds(round, fact)) most = std::min(*one, most.value_or(*one));
  return most;
}

// How many rounds are followed by another one, if the fact holds in each of those. The compared number counts as an exact integer
// only as long as it stays in its type's range: in every round up to the last that continues, and in the one after it.
std::optional<s64> AffineForms::most_rounds(u32 round, const Fact& fact) {
  const bool is_mirrored = fact.a.factor_of(round) == 0;
  const AffineForm& counter = is_mirrored ? fact.b : fact.a;
  const Compare compare = is_mirrored ? mirrored(fact.compare) : fact.compare;
  const s64 step = counter.factor_of(round);
  const MaybeForm limit = in_range(is_mirrored ? fact.a : fact.b, fact.type);
  if (step == 0 || !limit || limit->factor_of(round) != 0) return std::nullopt;
  const MaybeForm at_first = sum(counter, AffineForm{0, {{round, 1}}}, -step);
  const auto first = range_if(at_first), last = range_if(limit);
  const Range all = fact.type.range();
  if (!first || !last || first->low < all.low || first->high > all.high) return std::nullopt;
  const Wide spread = Wide(first->high) - first->low;
  const auto rounds = [&](Wide way, Wide each) {
    return way < 0 ? std::optional<s64>(0) : exact(way / each + 1);
  };
  switch (compare) {
    case Compare::lt:
    case Compare::le: {
      const Wide most = Wide(last->high) - (compare == Compare::lt);
      if (step < 0 || most + spread + step > all.high) return std::nullopt;
      return rounds(most - first->low, step);
    }
    case Compare::gt:
    case Compare::ge: {
      const Wide least = Wide(last->low) + (compare == Compare::gt);
      if (step > 0 || least - spread + step < all.low) return std::nullopt;
      return rounds(first->high - least, -Wide(step));
    }
    case Compare::ne: {
      const Wide way = Wide(last->low) - first->low;
      if (spread != 0 || last->low != last->high || way % step != 0 || way / step < 0) return std::nullopt;
      return exact(way / step);
    }
    default: return std::nullopt;
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
