// Through which pointers a kernel may change global memory, as far as its text tells.
#pragma once

#include <optional>
#include <vector>

#include "ptx/parameter_bytes.h"
#include "ptx/program.h"

namespace gpusim {

struct StoreOrigins {
  // Of which the addresses of its stores and atomics are made, by moves, sums and whatever else: all of them.
  std::vector<ParameterBytes> parameters;
  std::vector<u32> variables;  // in Program::variables
};

// Nothing: it may be any memory. That is so where a pointer comes from memory or from a call, and where the kernel calls a
// function whose stores are not its own.
// Every definition of a register counts, wherever it stands, so the answer does not depend on which way threads take. Numbers of
// less than 8 bytes are no pointers.
std::optional<StoreOrigins> store_origins(const Program&, const Function& kernel);

}  // namespace gpusim
