// Host threads that runs the blocks of one launch.
//
// Blocks may run at the same time if nothing that can be seen depends on their order: memory, counters, findings. Of many launches it is
// known before that it does not (analysis/block_independence.h). Of others it is found out: every host thread notes which bytes of global memory
// its blocks read and write (execution/footprint.h). Each has observers of its own, and stops at whatever may look at other blocks
// (volatile accesses, clocks, printf …), at a fault, and where a check finds something. Atomics whose result nobody reads are done in
// the end, in the order of the blocks.
//
// If by then no thread has touched what another one has written, the launch is as if its blocks had run one after another, and the
// device's observers take over what those of the threads have heard. If not, memory is put back as it was, and the launch runs on
// one thread as if nothing had been tried; its kernel is not tried again. (Until that is known, host threads may race in the
// bytes of simulated memory. What they read there is thrown away.) Where nothing was noted, nothing is put back, either: the launch
// reads nothing that it writes, and so writes the same again. Only if it faults, blocks behind the fault may have run; nobody can read
// memory then.
#pragma once

#include <span>

#include "execution/device.h"

namespace gpusim {

class StartList;
struct LoadedModule;

// Whether it is worth while to try, for so many blocks that have not begun: there are host threads, blocks enough, and nothing is
// known against it. `observers` are those of the device that hear of the launch.
bool may_run_in_parallel(const Device&, const LoadedModule&, const LaunchInfo&,
                         std::span<Observer* const> observers, u64 blocks);

// Runs all blocks from number `first` of the list on. False: they must run one after another, and nothing has happened. The observers
// have been told that the launch begins, and are told nothing else. *executed: how many warp instructions that took.
bool run_in_parallel(Device&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const> observers,
                     const StartList&, u64 first, u64 budget, u64* executed);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
