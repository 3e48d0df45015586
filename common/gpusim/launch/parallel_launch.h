// Host threads that run the blocks of one launch.
//
// Blocks may run at the same time if nothing visible depends on their order: memory, counters, findings. For many launches this
// is known before they run (analysis/block_independence.h). For the others it is found out: every host thread records which bytes
// of global memory its blocks read and write (execution/footprint.h). Each thread has observers of its own. It stops at anything
// that may look at other blocks (volatile accesses, clocks, printf …), at a fault, and when a check finds something. Atomics
// whose result is never read are applied at the end, in the order of the blocks.
//
// If no thread has touched by then what another one has written, the launch is as if its blocks had run one after another, and
// the device's observers take over what the threads' observers have heard. If not, memory is restored and the launch runs on one
// thread as if nothing had been tried; its kernel is not tried again. (Until that is known, host threads may race for bytes of
// simulated memory. What they read there is thrown away.) If nothing was recorded, nothing is restored either: such a launch
// reads nothing that it writes, so it writes the same again. Only if it faults may blocks after the fault have run, and then no
// program can read memory any more.
#pragma once

#include <span>

#include "execution/device.h"

namespace gpusim {

class StartList;
struct LoadedModule;

// Whether an attempt is worthwhile for this number of blocks that have not begun: there are host threads and enough blocks, and no
// reason against it is known. `observers` are those of the device's observers that hear the launch.
bool may_run_in_parallel(const Device&, const LoadedModule&, const LaunchInfo&,
                         std::span<Observer* const> observers, u64 blocks);

// Runs all blocks from number `first` of the list on. Returns false, without any effect, if they must run one after another. The
// observers have heard that the launch begins, and hear nothing else. *executed: the warp instructions that this took.
bool run_in_parallel(Device&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const> observers,
                     const StartList&, u64 first, u64 budget, u64* executed);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
