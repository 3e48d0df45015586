// How much less an access would ask of the caches and of memory if it were made as NVIDIA's guides advise: neighbouring lanes access
// neighbouring bytes, 16 bytes each.
#pragma once

#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

// Whether it is a load or store of global memory whose lines were recorded.
bool is_of_global_memory(const Instruction&, const Step&);

// By pc: the part of its sectors of global memory that would hold all the bytes it needs, 0 … 1. A load needs what its block uses of a
// sector, however often the L1 cache had to ask for it; a store what its lanes write at once, because nothing gathers stores.
std::vector<double> needed_parts(const LaunchRecord&);

// Whether a load or store of global memory touches no more lines than its bytes fill, or one more where they begin within a line.
bool is_coalesced(const Instruction&, const Step&);

// The bytes of a lane over 16, which a lane can load or store at once; 1 unless the access is coalesced.
double width_part(const Instruction&, const Step&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
