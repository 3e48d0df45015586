// Control flow: where lanes that part at a branch meet again.
#pragma once

#include "ptx/program.h"

namespace gpusim::ptx {

// Sets Instruction::reconverge of every conditional branch and branch table in code [begin, end) to the first pc of
// its immediate post-dominator, or kNoReconvergence where only the function's exits follow both ways.
// (Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm", on the reversed graph.)
void find_reconvergence(Program&, u32 begin, u32 end);

}  // namespace gpusim::ptx
