// The GPU as which a simulated one answers. If GPUSIM_MACHINE names a machine model, programs that ask for
// properties get the answers of that GPU.
#pragma once

#include "runtime/registry.h"
#include "timing/machine.h"

namespace gpusim::runtime {

inline constexpr u32 kMostRegisters = 255;  // of a thread

// From this call on, all GPUs of the process answer as this machine.
void answer_for(timing::Machine);

// How many blocks of a kernel fit on one multiprocessor at the same time; 0: a block is too large. Without a
// machine, registers are not limited, because they are not allocated.
u32 resident_blocks(const LoadedKernel&, u64 threads, u64 dynamic_shared_bytes);
// Registers per thread, in blocks of this many threads, as the machine's assembler would allocate them.
// Without a machine: the virtual registers of the PTX, an upper bound.
u32 registers_of(const LoadedKernel&, u64 threads);
// Registers that a thread needs at the least, where the kernel does not say how many threads a block may have; else, and
// without a machine, 0.
u32 least_registers_of(const LoadedKernel&);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
