// The GPU that a simulated one answers for: where GPUSIM_MACHINE names a machine model, programs that ask get what that GPU
// would say.
#pragma once

#include "runtime/registry.h"
#include "timing/machine.h"

namespace gpusim::runtime {

// From now on, all GPUs of the process.
void answer_for(timing::Machine);

// Blocks of a kernel that are on one multiprocessor at a time; 0: too large. Without a machine registers do not count, as
// nobody allots them.
u32 resident_blocks(const LoadedKernel&, u64 threads, u64 dynamic_shared_bytes);
// Of a thread, in blocks of so many: as the machine's assembler would allot them; without one the virtual ones, an upper bound.
u32 registers_of(const LoadedKernel&, u64 threads);

}  // namespace gpusim::runtime
