// Which __shared__ array an instruction's address is computed from.
#pragma once

#include <optional>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

// By pc of the function, counted from its begin: the index in Program::variables of the one shared variable whose address, moved and
// added to, the load, store, atomic or reduction takes. Nothing for other instructions, for an address that may come from two
// variables or from somewhere else as well, and for extern variables, whose size is the launch's. Reads the instructions, not a run:
// it holds for every value of a register that the function ever computes.
std::vector<std::optional<u32>> shared_arrays(const Program&, const Function&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
