// How many blocks of a launch are on one multiprocessor at the same time, and what decides it.
#pragma once

#include "execution/device.h"
#include "timing/machine.h"

namespace gpusim::timing {

struct Occupancy {
  u32 blocks = 0;          // on one multiprocessor; 0: the block is too large
  u32 registers = 0;       // of a thread
  const char* limit = "";  // "threads", "registers", "shared memory" or "blocks"
};
Occupancy occupancy_of(const Machine&, u64 threads, u64 shared_bytes, u32 registers);
// What ptxas would allot of the registers that a kernel's values need: no more than lets as many threads in as
// __launch_bounds__ says or, without it, as a block of the launch has.
u32 allotted_registers(const Machine&, u32 needed, const KernelInfo&, u64 threads);

// Bytes of a multiprocessor's memory that its L1 cache keeps beside so many blocks' shared memory.
u64 l1_bytes(const Machine&, u32 blocks, u64 shared_bytes);

}  // namespace gpusim::timing
