// How many blocks of a launch are resident on one multiprocessor, and what limits their number.
#pragma once

#include "execution/device.h"
#include "timing/machine.h"

namespace gpusim::timing {

struct Occupancy {
  u32 blocks = 0;          // per multiprocessor; 0: the block is too large
  u32 registers = 0;       // per thread
  const char* limit = "";  // "threads", "registers", "shared memory" or "blocks"
};
Occupancy occupancy_of(const Machine&, u64 threads, u64 shared_bytes, u32 registers);
// How many of the registers that a kernel's values need ptxas would allocate per thread: at most so many that a block of as many threads as
// __launch_bounds__ says fits or, without it, a block of the launch.
u32 allotted_registers(const Machine&, u32 needed, const KernelInfo&, u64 threads);

// Bytes of a multiprocessor's memory that are left for its L1 cache when this many blocks have their shared memory.
u64 l1_bytes(const Machine&, u32 blocks, u64 shared_bytes);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
