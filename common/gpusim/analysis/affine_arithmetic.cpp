#include "analysis/affine_arithmetic.h"

#include <algorithm>

namespace gpusim {

std::optional<s64> exact(Wide n) {
  constexpr Wide kMost = Wide(1) << 62;
  return n < -kMost || n > kMost ? std::nullopt : std::optional(s64(n));
}
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

}  // namespace gpusim
// SPDX-License-Identifier: MIT
