// What the race check remembers of a block's shared memory: for each unit of bytes the last store, and the threads
// that have read it, or updated it by atomics, since.
#pragma once

#include <vector>

#include "observers/block_order.h"

namespace gpusim {

// Threads that have accessed a unit: enough of them that a later access of any thread is unordered with one of these
// if it is unordered with any. Two threads of different warps are enough, for a later one is in another warp than one
// of them. In one warp, two lanes are enough if all its __syncwarp() are of the whole warp; else every lane is kept.
class Witnesses {
 public:
  // `per_unit`: 2 or kWarpSize.
  void resize(std::size_t units, u32 per_unit) {
    per_unit_ = per_unit;
    if (seen_.size() < units * per_unit) seen_.resize(units * per_unit);
  }
  void clear() { seen_.clear(); }

  void add(u64 unit, const PastAccess& now, const BlockOrder& order) {
    PastAccess* const first = &seen_[unit * per_unit_];
    if (order.is_past(*first)) {
      *first = now;
      return;
    }
    const u32 warp = now.thread / kWarpSize;
    if (first->thread / kWarpSize != warp) {
      first[1] = now;
      return;
    }
    for (PastAccess* p = first; p < first + per_unit_; ++p) {
      // Ordered before all that its warp does from now on, and `now` speaks for the warp.
      if (order.is_past(*p, warp) || p->thread == now.thread) {
        *p = now;
        return;
      }
      if (p->thread / kWarpSize != warp) return;
    }
  }

  // One that is not ordered before what the thread does now, or null. In a unit past ones come last.
  const PastAccess* unordered(u64 unit, u32 thread, const BlockOrder& order) const {
    const PastAccess* const first = &seen_[unit * per_unit_];
    for (const PastAccess* p = first; p < first + per_unit_ && !order.is_past(*p); ++p)
      if (!order.ordered(*p, thread)) return p;
    return nullptr;
  }

 private:
  std::vector<PastAccess> seen_;
  u32 per_unit_ = 2;
};

struct Stored : PastAccess {
  u32 value = 0;  // of the unit
  u32 twin = 0;   // another thread of the warp that stored the same by this instruction; or `thread`: none
  bool alone() const { return twin == thread; }
};

struct SharedShadow {
  BlockOrder order;
  std::vector<Stored> stored;
  Witnesses readers, updaters;
};

}  // namespace gpusim
