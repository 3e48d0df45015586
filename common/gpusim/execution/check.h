// Every error that loading PTX text would give, found without loading it: for a compiler, before a program runs.
#pragma once

#include <string_view>

#include "analysis/limits.h"

namespace gpusim {

// Text that is not PTX, instructions and operands that do not exist or are not simulated, calls of functions that
// nothing defines, more memory than there is.
std::vector<Diagnostic> check_ptx(std::string_view text);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
