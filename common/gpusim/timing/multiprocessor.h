// One multiprocessor, its warps and what they wait for: recorded blocks run on it as a GPU's scheduler would let them, an
// instruction at a time. Caches and memory are servers that pass so many sectors in a cycle and answer some time later.
#pragma once

#include <array>
#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

// Why a warp does not go on, or what it is doing.
enum class Wait : u8 { issue, unit, result, shared, memory, barrier, atomic, queue, fetch, count };
inline constexpr std::size_t kWaits = std::size_t(Wait::count);
const char* name_of(Wait);

// What serves the warps, and may be what limits them.
enum class Server : u8 { issue, shared, port, l2, dram, atomics, dispatch, count };
inline constexpr std::size_t kServers = std::size_t(Server::count);

struct Spent {
  std::array<double, kWaits> on{};  // cycles of all warps
  double total() const;
  Spent& operator+=(const Spent&);
};

struct MultiprocessorRun {
  double cycles = 0;  // until the last block has ended, and all that was stored is on its way
  std::array<double, kServers> busy{};  // of these cycles, in each
  std::vector<Spent> by_pc;
  bool whole = true;  // else it was stopped after `steps`, as it took too long
  u64 steps = 0;
};

// Runs `blocks` blocks, as many at a time as there is room for, while `active` multiprocessors of the GPU do the same.
MultiprocessorRun run_blocks(const Machine&, const LaunchRecord&, u64 blocks, u64 active, u64 most_steps);

// Puts the recorded steps into the order in which ptxas has them.
void order_steps(const ProgramCosts&, std::vector<Step>&);

}  // namespace gpusim::timing
