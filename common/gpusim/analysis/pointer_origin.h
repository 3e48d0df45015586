// Which kernel parameter an address is computed from, for messages.
#pragma once

#include <optional>

#include "ptx/parameter_bytes.h"
#include "ptx/program.h"

namespace gpusim {

// The one parameter of `kernel` from which moves, conversions and sums compute the address of the load, store or atomic at `pc`.
// Nothing if there is no such parameter, if there are several, or if the instruction belongs to another function. Reads the
// instructions, not a run.
std::optional<ParameterBytes> pointer_origin(const Program&, const Function& kernel, u32 pc);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
