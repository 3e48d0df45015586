// Whether it can be shown before a launch runs that the order of its blocks does not matter to global memory.
#pragma once

#include "analysis/launch_info.h"

namespace gpusim {

// True if the kernel's instructions, its parameters and the grid show that no two blocks write the same byte, and that no block reads a
// byte that any block may write. A launch that has run in part can then start again: if it runs to its end, memory is as if it had run
// once. (If it faults, the first run may have written bytes that the second does not reach.)
// For the other launches, Footprint answers the same question after they have run.
bool blocks_are_independent(const LaunchInfo&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
