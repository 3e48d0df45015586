// What a collective operation of all ranks moves and adds.
#pragma once

#include "libraries/nccl_clique.h"

namespace gpusim::libraries {

// Elements that a rank sends and gets by a call.
std::size_t sent(const Call&);
std::size_t received(const Call&);

// Why the calls of all ranks do not belong together: "rank 2 gives 64 elements, rank 0 100"; empty: they do.
std::string mismatch(const Operation&);

// All have come: does it, and tells counters and checks.
void perform(const Operation&);
u64 address_of(const void*);
// Where `bytes` bytes lie in this process; null: they are no memory of a GPU, or not all.
u8* memory_at(const void*, std::size_t bytes);

}  // namespace gpusim::libraries
