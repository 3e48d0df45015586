// What the time model must know of a launch: every step of a few blocks, and what all of them ask of the L2 cache and of
// single addresses.
#pragma once

#include <unordered_map>
#include <utility>
#include <vector>

#include "execution/events.h"
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
  // Global and local loads and stores: of the warp's touched lines the first; there are `lines` of them. Atomics: 1 where lanes fill
  // their sectors. Shared: kNoLines.
  u32 touched = 0;
};

// A line that an access touched: which sectors, and which of them the L2 cache did not have. A line of a warp's local memory has a
// number from kLocalLine on: all words of its lanes at one place.
inline constexpr u64 kLocalLine = u64(1) << 62;
struct Touched {
  u64 line = 0;
  u8 sectors = 0, missing = 0;
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
};

// What the memory is asked by one instruction, as far as the model of the L2 cache was.
struct MemoryUse {
  u64 sectors = 0, from_memory = 0;
  // Lines of which something comes from memory; pairs of sectors that do in no page where others did just before; accesses with
  // such pairs in several lines, and in how many pages of each.
  u64 lines = 0, far = 0, accesses = 0, pages = 0;
  u64 stored = 0, in_part = 0;  // sectors written; never as a whole, though nobody had read them
};

struct LaunchRecord {
  LaunchInfo launch;
  const ProgramCosts* costs = nullptr;
  Occupancy occupancy;
  std::vector<BlockRecord> blocks;                // recorded
  std::unordered_map<u32, Contention> contended;  // by pc
  u64 blocks_run = 0, steps_run = 0;     // of all blocks, so that recorded ones can be told from usual ones
  u64 steps_recorded = 0;                // before any block was cut short
  std::vector<MemoryUse> memory_use;     // by pc
  u64 lines_written = 0;                 // by the blocks that ran
  u64 polls = 0;                         // reads that wait for others
  u64 l1_bytes = 0, whole_l1_bytes = 0;  // of the L1 cache, for each block; all of it
};

// What the L1 cache keeps of a block's loads: fills in Step::sectors, memory and missed_lines. Its warps take turns, a step
// each, as they do on a multiprocessor; while they were recorded each ran on its own from barrier to barrier.
void pass_l1(const LaunchRecord&, BlockRecord&, const std::vector<Touched>& already_there);
// What most blocks find in their multiprocessor's L1 cache, as earlier ones have read it too: tables that all use.
std::vector<Touched> read_by_several(const LaunchRecord&);

// Takes down what Predictor tells it of.
class Recorder {
 public:
  explicit Recorder(const Machine& machine) : machine_(machine) {}

  void launch_begin(const LaunchInfo&);
  void block_begin(u64 block);
  void block_end(u64 block);
  void issue(const Issue& i) {
    ++record_.steps_run;
    if (is_block_barrier(program_->code[i.pc].shape)) pass_barrier(i);
    if (BlockRecord* block = recorded(i.block)) note(*block, i);
  }
  void branch(const Issue&, Mask taken);
  void access(const Access&);

  // To be asked when the launch is over.
  LaunchRecord take();

 private:
  struct Live {
    u64 block;
    std::size_t at;  // in record_.blocks
  };
  BlockRecord* recorded(u64 block) {
    if (block != last_block_) find(block);
    return last_ == kNone ? nullptr : &record_.blocks[live_[last_].at];
  }
  void find(u64 block);
  void note(BlockRecord&, const Issue&);
  void cached_access(const Access&, WarpRecord*);
  void local_access(const Access&, WarpRecord*);
  void pass_barrier(const Issue&);
  CacheUser user(const Issue&);
  bool spills_from_l2() const;
  void note_written(u32 pc, L2Cache::Written);
  static constexpr std::size_t kNone = ~std::size_t(0);

  const Machine& machine_;
  ProgramCosts costs_;
  const Program* program_ = nullptr;
  std::size_t program_size_ = 0;
  LaunchRecord record_;
  L2Cache l2_;
  OpenPages pages_;
  u64 warps_at_once_ = 1;
  std::unordered_map<u64, std::vector<CachedWarp>> running_;  // by block
  u64 warps_ended_ = 0, filled_by_ended_ = 0;                 // lines of the L2 cache
  std::vector<Live> live_;                                    // recorded blocks that are running
  u64 last_block_ = ~u64(0);
  std::size_t last_ = kNone;  // in live_
  u64 stride_ = 1, next_ = 0;
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
