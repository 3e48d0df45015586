// Before a kernel is timed, its inputs have to leave the L2 cache, and no modified line may stay there that still has to be
// written to memory.
#pragma once

#include <cstddef>

namespace harness {

// Reads `bytes` bytes at `d_memory` and does not wait for the read to end. `bytes` is a multiple of 16. If it
// is twice the size of the L2 cache, the read evicts everything. A write would evict as well, but it leaves
// lines that must go to memory while the next kernel runs: on an H200 that adds 5 to 10 µs to a kernel.
void evict_by_reading(const void* d_memory, std::size_t bytes);

}  // namespace harness
// SPDX-License-Identifier: MIT
