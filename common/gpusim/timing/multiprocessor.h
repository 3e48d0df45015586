// Simulates one multiprocessor cycle by cycle: recorded blocks issue instructions as a GPU's scheduler would let them. Caches and memory
// are servers (memory_servers.h).
#pragma once

#include <array>
#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

inline constexpr u32 kMostSchedulers = 4;

// What a warp does or waits for.
enum class Wait : u8 { issue, unit, result, shared, memory, barrier, atomic, queue, fetch, count };
inline constexpr std::size_t kWaits = std::size_t(Wait::count);
const char* name_of(Wait);

// The servers of a multiprocessor, each of which may be the bottleneck.
enum class Server : u8 { issue, shared, port, l2, dram, atomics, dispatch, count };
inline constexpr std::size_t kServers = std::size_t(Server::count);

struct Spent {
  std::array<double, kWaits> on{};  // cycles, summed over all warps
  double total() const;
  Spent& operator+=(const Spent&);
};

struct MultiprocessorRun {
  double cycles = 0;                    // until the last block has ended and its last store has been issued
  std::array<double, kServers> busy{};  // cycles in which each server was busy
  std::vector<Spent> by_pc;
  bool whole = true;  // false: the simulation was stopped after `steps`, because it took too long
  u64 steps = 0;
};

// Runs `blocks` blocks, as many at a time as fit, while `active` multiprocessors of the GPU do the same.
MultiprocessorRun run_blocks(const Machine&, const LaunchRecord&, u64 blocks, u64 active, u64 most_steps);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
