// What a GPU's assembler refuses because a kernel asks for more memory than a GPU has.
#pragma once

#include <vector>

#include "ptx/program.h"

namespace gpusim {

// One error for people: where it is and what it says.
struct Diagnostic {
  std::string where;  // "sum.cu:12:5"; empty where the PTX does not say
  u32 ptx_line = 0;   // 0: unknown
  std::string what;
};

// Kernels with more static shared memory or larger parameters, and modules with more constant memory, than compute
// capability 8.0 has.
std::vector<Diagnostic> check_limits(const Program&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
