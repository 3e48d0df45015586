// Registers that a lane may read before it has written them.
#pragma once

#include <optional>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

struct FrameBytes {
  FrameOffset at;
  u32 count;
};

// The registers of a kernel that some path from its beginning reads before it writes them. Constants and special registers are not
// among them, because they always have a value. Nothing for a kernel that is too large to examine, or that passes parameters to
// functions, which lie in its frame as well.
std::optional<std::vector<FrameBytes>> unset_registers(const Program&, const Function&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
