// Which instructions divide integers.
#pragma once

#include "ptx/program.h"

namespace gpusim {

// Division by zero has no defined result for these. (Floats give an infinity or a NaN.)
constexpr bool divides_integers(const Instruction& in) {
  return (in.op == Op::div || in.op == Op::rem) && !is_float(in.type);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
