// The arithmetic of NCCL's operations on arrays of its types.
#pragma once

#include <cstddef>

#include "nccl.h"

namespace gpusim::libraries {

std::size_t size_of(ncclDataType_t);
const char* name_of(ncclDataType_t);

// to[i] = to[i] ∘ from[i]. For ncclAvg this adds.
void combine(void* to, const void* from, std::size_t count, ncclDataType_t, ncclRedOp_t);
// to[i] /= ranks.
void divide(void* to, std::size_t count, ncclDataType_t, int ranks);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
