// Affine forms, constant + Σ factor × variable, and their arithmetic: a result is exact, or there is none.
#pragma once

#include <optional>
#include <vector>

#include "base/base.h"

namespace gpusim {

struct Range {
  s64 low, high;
  bool operator==(const Range&) const = default;
};

// constant + Σ factor × variable, modulo 2^bits for a register of that many bits.
struct AffineForm {
  struct Term {
    u32 variable;
    s64 factor;  // not 0
    bool operator==(const Term&) const = default;
  };
  s64 constant = 0;
  std::vector<Term> terms;  // in ascending order of the variable
  bool operator==(const AffineForm&) const = default;

  s64 factor_of(u32 variable) const;
};
using MaybeForm = std::optional<AffineForm>;  // nothing: the value is unknown, or is not affine

MaybeForm sum(const AffineForm&, const AffineForm&, s64 factor);  // a + factor × b
MaybeForm sum(const MaybeForm&, const MaybeForm&, s64 factor);

// Holds the sum and the product of any two s64.
using Wide = __int128;

// The number, if it is so far from the limits of an s64 that no such number overflows when it is negated; else nothing.
std::optional<s64> exact(Wide);
std::optional<Range> range_of(Wide low, Wide high);
MaybeForm form_of(Wide);
std::optional<s64> constant_of(const MaybeForm&);       // nothing: the form is unknown, or has terms
MaybeForm product(const MaybeForm&, const MaybeForm&);  // nothing also if neither is a constant

}  // namespace gpusim
// SPDX-License-Identifier: MIT
