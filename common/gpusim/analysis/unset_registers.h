// Registers that a lane may read before it has written them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "ptx/program.h"

namespace gpusim {

struct FrameBytes {
  FrameOffset at;
  u32 count;
};

// These registers of a function with their bytes, which end where something else begins at the latest.
std::vector<FrameBytes> with_bytes(const Program&, const Function&, std::span<const FrameOffset> registers);

// The registers of a kernel that some path from its beginning reads before it writes them. Constants and special registers are not
// among them, because they always have a value. Nothing for a kernel that is too large to examine, or that passes parameters to
// functions, which lie in its frame as well.
std::optional<std::vector<FrameBytes>> unset_registers(const Program&, const Function&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
