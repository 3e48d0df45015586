// What a kernel can reach: functions, and the shared variables that they use.
#pragma once

#include <vector>

#include "ptx/program.h"

namespace gpusim {

// Every function that `function` may call, itself first: indices in Program::functions.
std::vector<u32> reachable_functions(const Program&, u32 function);

struct PlacedVariable {
  u32 variable;  // index in Program::variables
  u32 offset;    // bytes from the start of the block's shared memory
};
// Only the shared variables that the functions use take room, in the order of the program; extern ones begin where
// the static ones end, at a multiple of 16.
std::vector<PlacedVariable> place_shared(const Program&, const std::vector<u32>& functions);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
