// In which order lanes, warps and blocks run, and for how long. All orders are legal on a GPU of compute capability 7.0
// or later; a right kernel gives the same result in all. Every one is deterministic.
//
//   gpusim::set_schedule(gpusim::Schedule::descending);
//   gpusim::set_start_order(gpusim::StartOrder::last_to_first);
//   gpusim::set_turns({{1, 59}});  // blocks at the same time: even ones an instruction at a time, odd ones 59
//   gpusim::set_turns({{}, 2});    // two blocks at a time: a block that waits for one not yet started waits for ever
#pragma once

#include <vector>

namespace gpusim {

// The lanes of a warp. lockstep: together. ascending, descending: each lane alone to the next barrier, __syncwarp,
// shuffle or vote, lowest (highest) lane and warp first. Counters mean something in lockstep.
// GPUSIM_SCHEDULE=lockstep|ascending|descending sets it for any program.
enum class Schedule { lockstep, ascending, descending };
void set_schedule(Schedule);

// The order in which blocks start. `shuffled` is always the same permutation.
// GPUSIM_BLOCK_ORDER=first_to_last|last_to_first|shuffled sets it for any program.
enum class StartOrder { first_to_last, last_to_first, shuffled };
void set_start_order(StartOrder);

// How blocks take turns.
//
// Without lengths a block runs until it ends, waits without success for memory that others write, or has run for millions of
// instructions; only then does the next one start. So blocks run one after another unless one waits for another.
//
// With lengths, as many blocks as there is room for start at once. Each in its turn runs every one of its warps (in a
// divergent warp: one group of lanes) for lengths[b % lengths.size()] warp instructions, b being the block's index.
// So of two blocks the one can change memory between any two instructions of the other.
struct Turns {
  std::vector<unsigned> lengths = {};
  unsigned resident_blocks = 0;  // at a time, at most; 0: as many as fit on the GPU
};
void set_turns(const Turns&);

// How many threads of this computer run the blocks of a launch, 1 to 256. Unless set, as many as it has, 16 at most; GPUSIM_THREADS=N sets it for
// any program. Whatever can be seen of a launch, but its time, is the same for every number: launches whose blocks depend on
// each other run on one.
void set_host_threads(unsigned);

// Whether a launch that can only give what an earlier one gave is left out: memory, counters and findings are what they would be
// if it had run. Unless set, it is; GPUSIM_REPLAY=0 runs every launch of any program.
void set_replay(bool);

// Warp instructions of one launch after which it is stopped (cudaErrorLaunchTimeout): `all`, and `for_each_warp` more for
// each warp of the grid. Unless set, 2^33 and 2^16. GPUSIM_BUDGET=N sets `all` for any program, and the other to 0.
void set_instruction_budget(unsigned long long all, unsigned long long for_each_warp = 0);

// Processor time of this process, in seconds since it began, after which a launch is stopped in the same way, and all that
// follow it. It is looked at between the turns of blocks. 0, as it is unless set: never.
void set_time_limit(double processor_seconds);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
