// The affine form of what an instruction computes, and of a value that several paths may set.
#include <algorithm>
#include <bit>
#include <utility>

#include "analysis/affine_forms.h"

namespace gpusim {

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

// The or of two numbers without a common bit is their sum. `high` is a multiple of a power of 2, and `low` is below that power.
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

}  // namespace gpusim
// SPDX-License-Identifier: MIT
