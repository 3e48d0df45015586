// What the time model must know of a launch: every step of a few blocks, and what all of them ask of the L2 cache and of
// single addresses.
#pragma once

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/launch_info.h"
#include "timing/caches.h"
#include "timing/issue_costs.h"
#include "timing/occupancy.h"

namespace gpusim::timing {

inline constexpr u32 kNoLines = 0x7fffffff;

// A warp instruction of a recorded block.
struct Step {
  u32 pc = 0;
  u16 lines = 0;    // global, local: lines; shared: wavefronts; atomics: operations on one address, at most
  u16 sectors = 0;  // that the L1 cache does not have; stores: all; atomics: lanes
  u16 memory = 0;   // sectors that the L2 cache does not have; stores: that nobody wrote before
  u16 missed_lines = 0;  // atomics: lines
  u16 passes = 0;        // global, local: through the L1 cache, at most one in a cycle
  u8 lanes = 0;          // that are active
  u8 awaited =
      0;         // sectors that the L2 cache does not have either, but memory delivers them to another block
  u8 pages = 0;  // global: of the memory, in which its lines lie
  u8 ideal = 0;  // global: sectors that would hold the same bytes; shared: wavefronts without a conflict
  // Global and local loads and stores: of the warp's touched lines the first; there are `lines` of them. Atomics: 1 where lanes fill
  // their sectors. Shared: kNoLines; additions in a loop: the first of `lines` words, whose `words` are the lanes that meet there.
  u32 touched = 0;
};

// A count as a step holds it: 65535 stands for all larger ones.
constexpr u16 narrow(u64 count) { return u16(std::min<u64>(count, 0xffff)); }

// A line that an access touched: which sectors, and which of them the L2 cache did not have. A line of a warp's local memory has a
// number from kLocalLine on: all words of its lanes at one place.
inline constexpr u64 kLocalLine = u64(1) << 62;
struct Touched {
  u64 line = 0;
  u8 sectors = 0, missing = 0;
  u8 awaited =
      0;  // sectors for which other blocks ask at the same time, so that they come from memory all the same
  u8 asked = 0;       // sectors that the L1 cache asked of the L2 cache: pass_l1 fills it in
  u32 words = 0;      // of 4 bytes, one bit each; not of local memory
  u32 turn = kLater;  // CacheUser::turn
};
struct WarpRecord {
  std::vector<Step> steps;
  std::vector<Touched> touched;
};

struct BlockRecord {
  u64 index = 0;
  bool whole = true;  // else the end is missing: it was too long
  std::vector<WarpRecord> warps;
};

// Atomics of one instruction: how many, how many of them on the address and on the line that have most.
struct Contention {
  u64 operations = 0, most = 0, most_on_line = 0;
  std::unordered_map<u64, u64> on, on_line;
  // Of a compare-and-swap: lanes that are the first of their warp to try an address. The others fail and try again, so they come
  // here later.
  u64 first = 0;
  std::unordered_map<u64, u64> first_on;
};

// What the memory is asked by one instruction, as far as the model of the L2 cache was.
struct MemoryUse {
  u64 sectors = 0, from_memory = 0;
  // Lines of which something comes from memory; pairs of sectors that do in no page where others did just before.
  u64 lines = 0, far = 0;
  u64 stored = 0,
      filled =
          0;  // sectors written; read for that, as others were never written as a whole (L2Cache::Written)
};

// A line that blocks of one multiprocessor read: how many of them read each sector.
struct SharedLine {
  u64 block = ~u64(0);  // that read it last, and which sectors
  u8 sectors = 0;
  std::array<u16, kSectorsInLine> blocks{};
};

// Stores of one instruction of which all lanes have one address: how many, on each word, and on the word that has most.
struct UniformStores {
  u64 count = 0, most = 0;
  std::unordered_map<u64, u64> on;
};

struct LaunchRecord {
  LaunchInfo launch;
  const ProgramCosts* costs = nullptr;
  Occupancy occupancy;
  std::vector<BlockRecord> blocks;                // recorded: a few, evenly spread over the grid
  std::vector<BlockRecord> longest;               // at most one: of more steps than any of them
  std::unordered_map<u32, Contention> contended;  // by pc
  std::unordered_map<u32, UniformStores> stored;  // by pc
  u64 blocks_run = 0, steps_run = 0;  // of all blocks, so that recorded ones can be told from usual ones
  u64 steps_recorded = 0;             // before any block was cut short
  std::vector<u32>
      steps_of;  // of each block of the grid, in order; empty: some have not run, or they are too many
  std::vector<MemoryUse> memory_use;     // by pc
  u64 sectors_written = 0;               // by the blocks that ran
  u64 polls = 0;                         // reads that wait for others
  u64 l1_bytes = 0, whole_l1_bytes = 0;  // of the L1 cache, for each block; all of it
  // What the blocks of one multiprocessor read, by line: every block whose index is a multiple of `multiprocessors`, as if blocks went round.
  std::unordered_map<u64, SharedLine> on_one;
  u64 multiprocessors = 1;

  const BlockRecord& recorded(std::size_t k) const { return k < blocks.size() ? blocks[k] : longest[0]; }
};

// Of a block that begins with the launch: which of its loads bring something from memory to the L2 cache. The blocks were recorded one
// after another, and on a GPU they run together, so the block that reads a line after the fewest accesses brings it. Those that
// read it after as many wait for memory, too. Measured on an H200, for a load that waits for the one before: 319 ns where 132
// blocks read the same lines in step, 184 ns where each begins four lines behind the one before, and 175 ns from the L2 cache
// (tests/gpusim/fidelity/l2_experiments_h200.json).
void find_first_reads(const L2Cache&, const std::vector<Instruction>&, BlockRecord&);
// What the L1 cache keeps of a block's loads: fills in Step::sectors, memory and missed_lines. Its warps take turns, a step
// each, as they do on a multiprocessor; while they were recorded each ran on its own from barrier to barrier.
void pass_l1(const LaunchRecord&, BlockRecord&, const std::vector<Touched>& already_there);
// What most blocks find in their multiprocessor's L1 cache, as earlier ones have read it too: tables that all use.
std::vector<Touched> read_by_several(const LaunchRecord&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
