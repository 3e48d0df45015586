// Why a thread has left an array, where the numbers of the launch show it.
#pragma once

#include <string>

#include "analysis/launch_info.h"
#include "memory/memory.h"

namespace gpusim {

// For an access outside an allocation that a parameter points to, by one thread of a block: a clause that begins with "; ", or
// nothing if no reason can be shown. It knows:
//   - an index that is negative because it has outgrown an int,
//   - an allocation of n bytes, and n elements that the kernel is told of,
//   - a pitch in bytes, of cudaMallocPitch, that is taken for one in elements,
//   - a launch with more threads than elements, each of which takes the element with its own number.
std::string bounds_hint(const LaunchInfo&, const Allocation&, u64 address, AccessKind, u64 block, u32 thread);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
