// Simulates one multiprocessor cycle by cycle: recorded blocks issue instructions as a GPU's scheduler would let them. Caches and memory
// are servers (memory_servers.h).
#pragma once

#include <array>
#include <numeric>
#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

inline constexpr u32 kMostSchedulers = 4;

// What a warp does or waits for.
enum class Wait : u8 { issue, unit, result, shared, constant, memory, barrier, atomic, queue, fetch, count };
inline constexpr std::size_t kWaits = std::size_t(Wait::count);
const char* name_of(Wait);

// The servers of a multiprocessor, each of which may be the bottleneck.
enum class Server : u8 { issue, shared, constant, port, l2, dram, atomics, one_word, dispatch, count };
inline constexpr std::size_t kServers = std::size_t(Server::count);

struct Spent {
  std::array<double, kWaits> on{};  // cycles, summed over all warps
  double total() const { return std::accumulate(on.begin(), on.end(), 0.0); }
  Spent& operator+=(const Spent& other) {
    for (std::size_t k = 0; k < kWaits; ++k) on[k] += other.on[k];
    return *this;
  }
};

struct MultiprocessorRun {
  double cycles = 0;                    // until the last block has ended and its last store has been issued
  std::array<double, kServers> busy{};  // cycles in which each server was busy
  std::vector<Spent> by_pc;
  bool whole = true;  // false: the simulation was stopped after `steps`, because it took too long
  u64 steps = 0;
};

// A cost that a run leaves out, so that one sees what it makes of the time (diagnosis.h).
enum class Cost : u8 {
  none,
  uncoalesced,     // an access to global memory moves as many sectors as its bytes fill
  narrow,          // a load or store of fewer than 16 bytes a lane takes its part of the time of one of 16
  bank_conflicts,  // shared memory
  idle_lanes,      // an instruction takes the part of its time that it has active lanes
  local_memory,
  constant,  // a load of constant memory takes as long as if all lanes had one address
  atomics,   // in global and shared memory
  barriers,  // no warp waits there
  uneven,    // each multiprocessor gets as much to do as the mean (grid_time)
};

// What a multiprocessor is to run: `blocks` blocks, `resident` at a time (0: as many as fit), while `active` multiprocessors of the GPU
// do the same.
struct Scenario {
  u64 blocks = 1, active = 1;
  u64 most_steps = 0;  // the run is stopped there
  u64 resident = 0;
  Cost left_out = Cost::none;
  const ProgramCosts* costs = nullptr;                // instead of the record's
  const std::vector<double>* needed_parts = nullptr;  // for Cost::uncoalesced (coalescing.h)
  double block_start = 1;                             // the part of its time that starting a block takes
  const std::vector<u32>* order =
      nullptr;  // the blocks that it runs, as LaunchRecord::recorded has them; null: one after the other
};
MultiprocessorRun run_blocks(const Machine&, const LaunchRecord&, const Scenario&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
