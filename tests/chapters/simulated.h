// What only the simulated GPU can do for the judge: check every access, and run lanes in other orders. On a real GPU
// there are no findings and one schedule. The build links simulated_sim.cpp or simulated_gpu.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "judge.h"

namespace judge {

// Turns on all checks that judge kernels (gpusim::checks_for_kernels()).
void enable_checks();

// Until it ends, nothing is looked for but faults: for a long run of a kernel whose short ones have been checked.
class WithoutChecks {
 public:
  WithoutChecks();
  ~WithoutChecks();
  WithoutChecks(const WithoutChecks&) = delete;
  WithoutChecks& operator=(const WithoutChecks&) = delete;
};

// What they have found since the last call. Warnings are not among it: they concern kernels that are right.
std::vector<Finding> take_findings();

// What the kernel that faulted last did: "kernels.cuh:23:30: out of bounds: …". A GPU does not say.
std::string last_fault();
std::string last_fault_quoted();  // with the source lines

// Legal orders of lanes and blocks, other than lanes together and blocks one after another: a right kernel gives the
// same result in each. None on a GPU, which says so.
std::vector<std::string> other_schedules();

// Until it ends, lanes and blocks run in this order.
class InSchedule {
 public:
  explicit InSchedule(const std::string& name);
  ~InSchedule();
  InSchedule(const InSchedule&) = delete;
  InSchedule& operator=(const InSchedule&) = delete;
};

// Until it ends, a launch is stopped after this many warp instructions. On a GPU it does nothing.
class InstructionBudget {
 public:
  explicit InstructionBudget(std::uint64_t instructions);
  ~InstructionBudget();
  InstructionBudget(const InstructionBudget&) = delete;
  InstructionBudget& operator=(const InstructionBudget&) = delete;
};

// From this processor time of the process on, in seconds, a launch is stopped, and all that follow. On a GPU it does nothing.
void stop_launches_after(double seconds);

// Until it ends, all blocks run at the same time: each warp of block b executes lengths[b % lengths.size()] warp
// instructions, then it is the next block's turn. So {1, 40} lets block 1 write 40 instructions' worth between any two
// instructions of block 0. Lengths that are prime meet in every way. On a GPU it does nothing.
class InTurns {
 public:
  explicit InTurns(const std::vector<unsigned>& lengths);
  ~InTurns();
  InTurns(const InTurns&) = delete;
  InTurns& operator=(const InTurns&) = delete;
};

// Until it ends, blocks start in an order without a pattern, or the last one first. Lanes run together. On a GPU it does nothing.
enum class BlockOrder { shuffled, last_to_first };
class WithBlocks {
 public:
  explicit WithBlocks(BlockOrder order);
  ~WithBlocks();
  WithBlocks(const WithBlocks&) = delete;
  WithBlocks& operator=(const WithBlocks&) = delete;
};
class WithBlocksShuffled : public WithBlocks {
 public:
  WithBlocksShuffled() : WithBlocks(BlockOrder::shuffled) {}
};

// From now on only these blocks of a grid run, those that it has: the rest of it as if it never came to its turn. False
// on a GPU, which runs all, and says so.
bool run_only_blocks(const std::vector<std::uint64_t>& blocks);
void run_all_blocks();

// Runs `launch` and returns how many blocks the grid of its last kernel has, whether they run or not; 0 on a GPU.
std::uint64_t blocks_launched(const std::function<void()>& launch);

}  // namespace judge
// SPDX-License-Identifier: MIT
