// Computes a collective operation: the data that it moves and adds.
#pragma once

#include "libraries/nccl_communicator.h"

namespace gpusim::libraries {

// The numbers of elements that a rank sends and receives with a call.
std::size_t sent(const Call&);
std::size_t received(const Call&);

// Why the calls of the ranks do not fit together: "rank 2 gives 64 elements, rank 0 100"; empty: they fit.
std::string mismatch(const Operation&);

// Does the operation, which all ranks have reached, and tells the counters and checks.
void perform(const Operation&);
u64 address_of(const void*);
// The host address of `bytes` bytes; null if not all of them are memory of a GPU.
u8* memory_at(const void*, std::size_t bytes);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
