// Branches at which native code may let lanes diverge: both ways reconverge, or leave the kernel, after a few instructions without a
// loop, and these only compute, load and store. The lanes that do not jump go first, as in the interpreter.
#pragma once

#include <vector>

#include "execution/module.h"

namespace gpusim {

// Whether every lane that executes the instruction leaves the kernel.
bool is_exit(const Instruction&);
// Whether native code can execute the instruction for some of the lanes only.
bool is_of_some_lanes(const LoadedModule&, u32 pc);

struct Divergence {
  // By pc of a branch: an upper bound of the warp instructions on both ways together; 0: the branch is left to the interpreter.
  std::vector<u32> most;
  std::vector<bool> is_of_parts;  // by pc: whether the instruction stands on such a way
};
Divergence find_divergence(const LoadedModule&, const Function&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
