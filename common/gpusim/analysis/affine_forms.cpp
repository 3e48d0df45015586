#include "analysis/affine_forms.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "ptx/kernel_info.h"
#include "ptx/parameter_bytes.h"

namespace gpusim {
namespace {

using Wide = __int128;

// Far enough from what an s64 can hold that none of these overflows when it is negated.
constexpr Wide kMost = Wide(1) << 62;
std::optional<s64> exact(Wide n) { return n < -kMost || n > kMost ? std::nullopt : std::optional(s64(n)); }
std::optional<Range> range_of(Wide low, Wide high) {
  const auto l = exact(low), h = exact(high);
  return l && h ? std::optional(Range{*l, *h}) : std::nullopt;
}

MaybeForm form_of(Wide n) {
  const auto constant = exact(n);
  return constant ? MaybeForm(AffineForm{*constant, {}}) : std::nullopt;
}
std::optional<s64> constant_of(const MaybeForm& f) {
  return f && f->terms.empty() ? std::optional(f->constant) : std::nullopt;
}
MaybeForm product(const MaybeForm& a, const MaybeForm& b) {
  if (const auto factor = constant_of(b)) return sum(form_of(0), a, *factor);
  if (const auto factor = constant_of(a)) return sum(form_of(0), b, *factor);
  return std::nullopt;
}

// Whether an instruction always writes its first result there, and no other one.
bool is_only_result(const Instruction& in, FrameOffset reg) {
  return in.guard == kNoOperand && in.d[0] == reg && std::ranges::count(in.d, reg) == 1;
}

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

s64 AffineForm::factor_of(u32 variable) const {
  const auto at = std::ranges::lower_bound(terms, variable, {}, &Term::variable);
  return at != terms.end() && at->variable == variable ? at->factor : 0;
}

MaybeForm sum(const AffineForm& a, const AffineForm& b, s64 factor) {
  AffineForm all;
  const auto add = [&](s64 x, s64 y) { return exact(Wide(x) + Wide(factor) * y); };
  const auto of_all = add(a.constant, b.constant);
  if (!of_all) return std::nullopt;
  all.constant = *of_all;
  for (auto x = a.terms.begin(), y = b.terms.begin(); x != a.terms.end() || y != b.terms.end();) {
    const bool has_x = x != a.terms.end() && (y == b.terms.end() || x->variable <= y->variable);
    const bool has_y = y != b.terms.end() && (x == a.terms.end() || y->variable <= x->variable);
    const u32 variable = has_x ? x->variable : y->variable;
    const auto of_one = add(has_x ? x++->factor : 0, has_y ? y++->factor : 0);
    if (!of_one) return std::nullopt;
    if (*of_one != 0) all.terms.push_back({variable, *of_one});
  }
  return all;
}
MaybeForm sum(const MaybeForm& a, const MaybeForm& b, s64 factor) {
  return a && b ? sum(*a, *b, factor) : std::nullopt;
}

Range AffineForms::Integer::range() const {
  const u64 half = u64(1) << (bits - 1);
  if (is_signed) return {s64(~(half - 1)), s64(half - 1)};
  return {0, bits == 64 ? std::numeric_limits<s64>::max() : s64(2 * half - 1)};
}

std::optional<AffineForms::Integer> AffineForms::integer(Type type) {
  if (is_float(type) || size_of(type) < 4) return std::nullopt;
  return Integer{8 * size_of(type), is_signed(type)};
}

AffineForms::AffineForms(const LaunchInfo& launch)
    : launch_(launch),
      kernel_(launch.program->functions[launch.kernel->function]),
      ssa_(*launch.program, kernel_) {}

MaybeForm AffineForms::form_at(u32 pc, FrameOffset reg) { return expand(of(ssa_.before(pc, reg))); }

AffineForm AffineForms::add(Kind kind, u32 of, std::optional<s64> most) {
  variables_.push_back({kind, of, most, kind != Kind::round});
  return {0, {{u32(variables_.size() - 1), 1}}};
}

// Some number of these.
MaybeForm AffineForms::anything(const std::optional<Range>& r) {
  if (!r) return std::nullopt;
  const auto most = exact(Wide(r->high) - r->low);
  if (!most || *most < 0) return std::nullopt;
  if (*most == 0) return form_of(r->low);
  return sum(form_of(r->low), add(Kind::any, 0, most), 1);
}

std::optional<s64> AffineForms::most(u32 variable) {
  if (!variables_[variable].is_known) {
    variables_[variable].is_known = true;  // until it is: nothing
    const std::optional<s64> found = most_rounds(variables_[variable].of);
    variables_[variable].most = found;
  }
  return variables_[variable].most;
}

std::optional<Range> AffineForms::range(const AffineForm& f) {
  Wide low = f.constant, high = f.constant;
  for (const auto& [variable, factor] : f.terms) {
    const auto most_of_one = most(variable);
    if (!most_of_one) return std::nullopt;
    (factor < 0 ? low : high) += Wide(factor) * *most_of_one;
    if (!range_of(low, high)) return std::nullopt;
  }
  return range_of(low, high);
}

std::optional<Range> AffineForms::range_if(const MaybeForm& f) { return f ? range(*f) : std::nullopt; }

MaybeForm AffineForms::of(Value v) {
  const auto [known, is_new] = forms_.try_emplace(v);
  if (!is_new) return known->second;
  return forms_[v] = find(v);
}

MaybeForm AffineForms::find(Value v) {
  const ptx::Ssa::Definition d = ssa_.definition(v);
  switch (d.kind) {
    case ptx::Ssa::Kind::initial: return initial(d.reg);
    case ptx::Ssa::Kind::phi: return begins_loop(d.at) ? add(Kind::phi, v, std::nullopt) : merged(v);
    case ptx::Ssa::Kind::instruction: break;
  }
  const Instruction& in = instruction(d.at);
  return is_only_result(in, d.reg) ? result(d.at) : std::nullopt;
}

MaybeForm AffineForms::initial(FrameOffset reg) {
  for (const Constant& c : kernel_.constants) {
    if (c.frame != reg) continue;
    if (c.lane_stride != 0) return std::nullopt;
    if (c.base == Constant::Base::none && c.bytes == 4) return form_of(s32(u32(c.value)));
    if (c.base == Constant::Base::none && c.bytes == 8) return form_of(s64(c.value));
    if (c.base != Constant::Base::variable || c.bytes != 8) return std::nullopt;
    return form_of(s64(launch_.program->variables[c.variable].address + c.value));
  }
  const auto special = std::ranges::find(kernel_.specials, reg, &SpecialValue::frame);
  if (special == kernel_.specials.end() || special->bytes != 4) return std::nullopt;
  const auto index = [&](Kind kind, u32 count) -> MaybeForm {
    if (count <= 1) return form_of(0);
    const auto known = positions_.find(u32(special->which));
    if (known != positions_.end()) return known->second;
    return positions_[u32(special->which)] = add(kind, 0, count - 1);
  };
  const Dim3 &block = launch_.block, &grid = launch_.grid;
  switch (special->which) {
    case Special::tid_x: return index(Kind::thread, block.x);
    case Special::tid_y: return index(Kind::thread, block.y);
    case Special::tid_z: return index(Kind::thread, block.z);
    case Special::ctaid_x: return index(Kind::block, grid.x);
    case Special::ctaid_y: return index(Kind::block, grid.y);
    case Special::ctaid_z: return index(Kind::block, grid.z);
    case Special::ntid_x: return form_of(block.x);
    case Special::ntid_y: return form_of(block.y);
    case Special::ntid_z: return form_of(block.z);
    case Special::nctaid_x: return form_of(grid.x);
    case Special::nctaid_y: return form_of(grid.y);
    case Special::nctaid_z: return form_of(grid.z);
    case Special::laneid: return anything(Range{0, kWarpSize - 1});
    case Special::warpid: return anything(Range{0, launch_.warps_per_block - 1});
    default: return std::nullopt;
  }
}

MaybeForm AffineForms::loaded(const Instruction& in) const {
  const u32 bytes = size_of(in.type);
  if (in.space != Space::param || in.vector != 1 || !integer(in.type) || in.d_bytes != bytes ||
      !launch_.params)
    return std::nullopt;
  const auto from = loaded_parameter(kernel_, in, bytes);
  if (!from) return std::nullopt;
  const u8* const at = launch_.params + launch_.kernel->params[from->parameter].offset + from->at;
  const auto as = [at](auto value) {
    std::memcpy(&value, at, sizeof value);
    return form_of(value);
  };
  return bytes == 4 ? as(s32{}) : as(s64{});
}

MaybeForm AffineForms::result(u32 pc) {
  const Instruction& in = instruction(pc);
  if (in.shape == Shape::load) return loaded(in);
  const std::optional<Integer> type = integer(in.type);
  if (!type || in.sat) return std::nullopt;
  const auto source = [&](u32 k) { return of(ssa_.before(pc, in.s[k])); };
  const auto fit = [&](u32 k) { return in_range(source(k), type); };
  const auto range_at = [&](u32 k) -> std::optional<Range> { return range_if(expand(fit(k))); };
  const auto count = [&](u32 most) -> std::optional<s64> {
    const auto n = constant_of(source(1));
    return n && *n >= 0 && *n < most ? n : std::nullopt;
  };
  switch (in.op) {
    case Op::mov: return in.mode == kMovePlain ? source(0) : std::nullopt;
    case Op::cvta:
    case Op::cvta_to: return in.space == Space::global ? source(0) : std::nullopt;
    case Op::add: return sum(source(0), source(1), 1);
    case Op::sub: return sum(source(0), source(1), -1);
    case Op::neg: return sum(form_of(0), source(0), -1);
    case Op::mul_lo: return product(source(0), source(1));
    case Op::mad_lo: return sum(product(source(0), source(1)), source(2), 1);
    case Op::mul_wide: return product(fit(0), fit(1));
    case Op::mad_wide: return sum(product(fit(0), fit(1)), source(2), 1);
    case Op::shl: {
      const auto by = count(std::min(type->bits, 62u));
      return by ? sum(form_of(0), source(0), s64(1) << *by) : std::nullopt;
    }
    case Op::shr: {
      const auto by = count(type->bits);
      const auto r = range_at(0);
      if (!by) return std::nullopt;
      if (r) return anything(Range{r->low >> *by, r->high >> *by});
      return type->is_signed || *by == 0 ? std::nullopt
                                         : anything(Range{0, s64((~u64(0) >> (64 - type->bits)) >> *by)});
    }
    case Op::and_: return masked(in, source(0), source(1));
    case Op::or_: {
      const MaybeForm one = disjoint_or(source(0), source(1));
      return one ? one : disjoint_or(source(1), source(0));
    }
    case Op::min:
    case Op::max: {
      const auto a = range_at(0), b = range_at(1);
      if (!a || !b) return std::nullopt;
      return in.op == Op::min ? anything(Range{std::min(a->low, b->low), std::min(a->high, b->high)})
                              : anything(Range{std::max(a->low, b->low), std::max(a->high, b->high)});
    }
    case Op::div:
    case Op::rem: {
      const auto r = range_at(0);
      const auto by = constant_of(fit(1));
      if (!r || !by || r->low < 0 || *by <= 0) return std::nullopt;
      if (in.op == Op::div) return anything(Range{r->low / *by, r->high / *by});
      return r->high < *by ? fit(0) : anything(Range{0, *by - 1});
    }
    case Op::selp: return either(source(0), source(1));
    case Op::cvt: {
      const u32 from = size_of(in.type), to = size_of(in.dest_type);
      if (!integer(in.dest_type) || in.s_bytes != from || in.d_bytes != to) return std::nullopt;
      return from < to ? fit(0) : source(0);
    }
    default: return std::nullopt;
  }
}

// Some bits of a number.
MaybeForm AffineForms::masked(const Instruction& in, const MaybeForm& a, const MaybeForm& b) {
  const Integer as = {8 * size_of(in.type), false};
  const MaybeForm which = in_range(constant_of(a) ? a : b, as), number = in_range(constant_of(a) ? b : a, as);
  const auto mask = constant_of(which);
  if (!mask) return std::nullopt;
  const auto r = range_if(expand(number));
  const bool are_low = (u64(*mask) & (u64(*mask) + 1)) == 0;
  if (r && are_low && r->high <= *mask) return number;
  return anything(Range{0, r ? std::min(*mask, r->high) : *mask});
}

// Of numbers that have no bit in common: the sum. Those of `high` are multiples of a power of 2 that `low` is below.
MaybeForm AffineForms::disjoint_or(const MaybeForm& high, const MaybeForm& low) {
  const auto r = range_if(expand(low));
  if (!high || !r || r->low < 0) return std::nullopt;
  u64 bits = u64(high->constant);
  for (const auto& [variable, factor] : high->terms) bits |= u64(factor);
  const u64 below = bits == 0 ? ~u64(0) : (u64(1) << std::countr_zero(bits)) - 1;
  return u64(r->high) <= below ? sum(high, low, 1) : std::nullopt;
}

MaybeForm AffineForms::either(const MaybeForm& a, const MaybeForm& b) {
  if (!a || !b || a == b) return a && b ? a : std::nullopt;
  const auto of_x = range_if(expand(a)), of_y = range_if(expand(b));
  if (!of_x || !of_y) return std::nullopt;
  return anything(Range{std::min(of_x->low, of_y->low), std::max(of_x->high, of_y->high)});
}

MaybeForm AffineForms::merged(Value phi) {
  MaybeForm all;
  bool is_first = true;
  for (const Value v : ssa_.operands(phi)) {
    all = std::exchange(is_first, false) ? of(v) : either(all, of(v));
    if (!all) return std::nullopt;
  }
  return all;
}

MaybeForm AffineForms::expand(const MaybeForm& f) {
  if (!f) return std::nullopt;
  MaybeForm all = form_of(f->constant);
  for (const AffineForm::Term& term : f->terms) {
    const Variable v = variables_[term.variable];
    const MaybeForm one =
        v.kind == Kind::phi ? in_loop(v.of) : MaybeForm(AffineForm{0, {{term.variable, 1}}});
    all = sum(all, one, term.factor);
    if (!all) return std::nullopt;
  }
  return all;
}

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

// How many rounds come after others, if the fact holds in each of those. What is compared may be taken for the whole number
// as long as none of them has left the type: in each round, then, up to the last that goes on, and in the one behind that.
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

MaybeForm AffineForms::in_range(const MaybeForm& f, const std::optional<Integer>& type) {
  const auto r = range_if(expand(f));
  if (!r || !type) return std::nullopt;
  const Range all = type->range();
  if (r->low >= all.low && r->high <= all.high) return f;
  if (type->bits == 64) return std::nullopt;
  const Wide modulus = Wide(1) << type->bits, from_low = Wide(r->low) - all.low;
  const Wide shift = from_low - (from_low % modulus + modulus) % modulus;
  return r->high - shift <= all.high ? sum(f, form_of(shift), -1) : std::nullopt;
}

std::vector<AffineForms::Fact> AffineForms::facts_on_edge(u32 from, u32 to) {
  std::vector<Fact> facts;
  const u32 pc = ssa_.end_of(from) - 1;
  const Instruction& in = instruction(pc);
  if (in.shape != Shape::branch || in.guard == kNoOperand) return facts;
  const u32 taken = ssa_.block_of(in.target);
  if (taken == from + 1) return facts;  // it leads there anyhow
  add_facts(ssa_.before(pc, in.guard), (to == taken) != in.negate_guard, facts);
  return facts;
}

// Of the branches that lead to a block, and nowhere else to it; those behind another block on the way only.
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
