// Whether a kernel computes with what it has loaded, or only moves it: a value that is only moved may be one that the program copies
// and never looks at, such as a gap in a struct.
#pragma once

#include <unordered_set>

#include "ptx/program.h"

namespace gpusim {

// The registers whose values some instruction of the function computes with, instead of only moving or selecting them.
std::unordered_set<FrameOffset> registers_computed_with(const Program&, const Function&);

// Whether a result of the instruction at `pc` is one of them.
bool is_computed_with(const Program&, u32 pc);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
