#include "timing/constants.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace gpusim::timing {
namespace {

constexpr ConstantRow kRows[] = {
#define NUMBER(kind, name, member, unit, rule, meaning) \
  {name,       unit,                                    \
   meaning,    ConstantRow::Kind::kind,                 \
   Rule::rule, [](MachineConstants& m, double value) { m.member = decltype(m.member)(value); }},
#include "timing/constants.def"
};

}  // namespace

std::span<const ConstantRow> constant_rows() { return kRows; }

const ConstantRow* constant_row(std::string_view name) {
  const auto found = std::ranges::find(kRows, name, &ConstantRow::name);
  return found == std::end(kRows) ? nullptr : found;
}

bool ConstantRow::allows(double value) const {
  constexpr double kLargest = 0x1p53;  // up to which a double holds every whole number
  switch (kind) {
    case Kind::count: return value >= 1 && value <= kLargest && std::floor(value) == value;
    case Kind::whole: return value >= 0 && value <= kLargest && std::floor(value) == value;
    case Kind::rate: return value > 0 && std::isfinite(value);
    case Kind::real: return std::isfinite(value);
  }
  return false;
}

std::string ConstantRow::text() const { return (*unit ? std::string(unit) + ": " : "") + meaning; }

const OperationTime* MachineConstants::function(std::string_view name) const {
#define WHOLE(name, unit, rule, meaning)
#define REAL(name, unit, rule, meaning)
#define OPERATION(name, rule, meaning)
#define ATOMIC(name, meaning)
#define FUNCTION(measured, rule, meaning) \
  if (name == #measured) return &call_##measured;
#include "timing/constants.def"
  return nullptr;
}

double AtomicTime::random(double lines) const {
  double from = 0, at = 0;
  for (std::size_t k = 0; k < std::size(kLines); ++k) {
    const double count = kLines[k], ns = random_lines[k];
    if (from == 0 || lines >= count) {
      from = count, at = ns;
      continue;
    }
    const double part = std::log(std::max(lines, from) / from) / std::log(count / from);
    return at * std::pow(ns / at, part);
  }
  return at;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
