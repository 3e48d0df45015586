// The arrays that a kernel gives each of its threads: which of their bytes the thread has written.
#pragma once

#include <bit>
#include <vector>

#include "checking/races/resident_blocks.h"
#include "checking/written_bits.h"
#include "execution/events.h"
#include "lanes/each_lane.h"

namespace gpusim {

// Does not cover arrays of functions that the kernel calls, nor launches in which the arrays of a block have more than kMostBytes
// bytes.
class PrivateArrays {
 public:
  void launch_begin(const LaunchInfo&);
  void block_begin(u64 block) {
    if (!is_read_.empty()) blocks_.begin(*launch_, block);
  }
  void block_end(u64 block) {
    if (!is_read_.empty()) blocks_.end(block);
  }
  // Notes an access of local memory. Calls found(lane) for each lane that reads, and computes with, an element of which it has not
  // written a byte.
  template <class F> void touch(const Access&, F found);

 private:
  static constexpr u64 kMostBytes = 16 << 20;
  struct Block {
    std::vector<WrittenBits> of_thread;
    void begin(const LaunchInfo&);
  };
  static u64 bytes_of(const LaunchInfo&);  // of a thread

  const LaunchInfo* launch_ = nullptr;
  u64 bytes_ = 0;
  u32 begin_ = 0;  // the kernel's first instruction
  // By pc, counted from there: whether it loads an element by an index, and the kernel computes with it. A value that is only moved may
  // be one that the program copies and never looks at, such as a gap in a struct. Empty: no instruction does.
  std::vector<bool> is_read_;
  ResidentBlocks<Block> blocks_;
};

template <class F> void PrivateArrays::touch(const Access& a, F found) {
  Block* const block = is_read_.empty() ? nullptr : blocks_.find(a.block);
  if (!block) return;
  const u32 at_pc = a.pc - begin_;
  const bool is_read = at_pc < is_read_.size() && is_read_[at_pc];
  for_each_lane(a.mask, [&](u32 lane) {
    const u64 at = a.address[lane];
    if (at >= bytes_ || bytes_ - at < a.bytes) return;  // of a function that the kernel calls
    WrittenBits& written = block->of_thread[a.warp * kWarpSize + lane];
    if (a.kind != AccessKind::load) written.add(at, a.bytes);
    else if (is_read && u32(std::popcount(written.missing(at, a.bytes))) == a.bytes) found(lane);
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
