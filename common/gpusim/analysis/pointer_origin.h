// Where an address comes from: the parameter of the kernel that a program counts from, for messages.
#pragma once

#include <optional>

#include "ptx/parameter_bytes.h"
#include "ptx/program.h"

namespace gpusim {

// What the address of the load, store or atomic at `pc` was made of by moves, conversions and sums: the one parameter of
// `kernel` among it. Nothing if there is none, or several, or it is an instruction of another function. Goes back through
// the text, not through what has run.
std::optional<ParameterBytes> pointer_origin(const Program&, const Function& kernel, u32 pc);

}  // namespace gpusim
