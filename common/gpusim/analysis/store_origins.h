// Through which pointers a kernel may change global memory, as far as its instructions show.
#pragma once

#include <optional>
#include <vector>

#include "ptx/parameter_bytes.h"
#include "ptx/program.h"

namespace gpusim {

struct StoreOrigins {
  // The addresses of all its stores and atomics are computed from these parameters and variables, and from nothing else.
  std::vector<ParameterBytes> parameters;
  std::vector<u32> variables;  // in Program::variables
};

// Nothing: the kernel may change any memory, because a pointer comes from memory or from a call, or because it calls a function
// whose stores it does not know. Every definition of a register counts, so the answer holds whichever way threads take. Values of less
// than 8 bytes are never pointers.
std::optional<StoreOrigins> store_origins(const Program&, const Function& kernel);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
