// Branches at which native code lets the lanes part: those whose ways meet again, or leave the kernel, after few instructions, which
// only compute, load and store, and without going round. First the lanes that do not jump take their way, then the others theirs, as the interpreter
// has them do.
#pragma once

#include <vector>

#include "execution/module.h"

namespace gpusim {

// Whether all lanes that come there leave the kernel.
bool is_exit(const Instruction&);
// Whether native code executes the instruction for some of the lanes.
bool is_of_some_lanes(const LoadedModule&, u32 pc);

struct Parting {
  std::vector<u32>
      most;  // by pc of a branch: the warp instructions of both ways together, at most; 0: only the interpreter
  std::vector<bool> is_of_parts;  // by pc: it may be executed by some lanes alone
};
Parting find_parting(const LoadedModule&, const Function&);

}  // namespace gpusim
