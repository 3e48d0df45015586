// Records a launch for the time model while it runs.
#pragma once

#include <unordered_map>
#include <vector>

#include "execution/events.h"
#include "timing/caches.h"
#include "timing/launch_record.h"

namespace gpusim::timing {

// Takes down what Predictor tells it of.
class Recorder {
 public:
  explicit Recorder(const Machine& machine) : machine_(machine) {}

  void launch_begin(const LaunchInfo&);
  void block_begin(u64 block);
  void block_end(u64 block);
  void issue(const Issue& i) {
    ++record_.steps_run;
    if (!record_.steps_of.empty()) ++record_.steps_of[i.block];
    if (is_block_barrier(program_->code[i.pc].shape)) pass_barrier(i);
    if (BlockRecord* block = recorded(i.block)) note(*block, i);
  }
  void branch(const Issue&, Mask taken);
  void access(const Access&);

  // To be asked when the launch is over.
  LaunchRecord take();

 private:
  struct Live {
    BlockRecord block;
    bool is_kept = false;  // else only if it turns out to be the longest
    u64 steps = 0;
  };
  BlockRecord* recorded(u64 block) {
    if (block != last_block_) find(block);
    return last_ == kNone ? nullptr : &live_[last_].block;
  }
  bool may_be_longest() const;
  void find(u64 block);
  void note(BlockRecord&, const Issue&);
  void cached_access(const Access&, WarpRecord*);
  void local_access(const Access&, WarpRecord*);
  void note_store(const Access&, CachedWarp&);
  void note_on_one(u64 block, const TouchedLines&);
  void note_additions(const Access&, WarpRecord&);
  void note_contention(const Access&);
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
  u64 first_blocks_ = 0;                                      // begin together when the launch does
  std::unordered_map<u64, std::vector<CachedWarp>> running_;  // by block
  u64 warps_ended_ = 0, filled_by_ended_ = 0;                 // lines of the L2 cache
  std::vector<Live> live_;                                    // recorded blocks that are running
  u64 last_block_ = ~u64(0);
  std::size_t last_ = kNone;  // in live_
  u64 stride_ = 1, next_ = 0;
  u64 steps_tried_ = 0, longest_ = 0,
      shortest_ = ~u64(0);  // of blocks that may be the longest; of a block's steps
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
