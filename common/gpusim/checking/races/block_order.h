// Which of two accesses of one block comes first by the program's own synchronisation, whatever the schedule.
//
// An access of thread s is ordered before a later one of thread t if they are the same thread; or a block barrier lies
// between; or they are in one warp, and a chain of __syncwarp lies between whose masks lead from s to t; or s arrived at
// a barrier in shared memory, or released, and t has waited there, or acquired (ThreadViews). Shuffles, votes and fences
// alone order nothing, and volatile accesses only those of whole numbers, with fences. A barrier of some threads (bar.sync with a
// number of them, bar.arrive) orders those who arrived before those who waited (ThreadViews).
#pragma once

#include <memory>
#include <vector>

#include "base/base.h"
#include "checking/races/lane_order.h"
#include "checking/races/thread_views.h"

namespace gpusim {

// An access by one thread. Times count a block's synchronisations; 0: there was none.
struct ShadowAccess {
  u32 time = 0, pc = 0;
  u32 thread = 0;  // of the block
};

class BlockOrder {
 public:
  // A new block. What was recorded for earlier ones is older than everything that follows and need not be cleared,
  // unless this returns false: then time starts again, and all of it must be.
  bool begin(u32 warps) {
    const bool time_lasts = now_ < kTimeIsShort;
    if (!time_lasts) warps_.clear(), now_ = 0;
    if (warps_.size() < warps) warps_.resize(warps);
    barrier();
    return time_lasts;
  }
  // Of a block that has begun: whether some threads are ordered by more than block barriers and __syncwarp.
  void keep_views(bool keep, u32 warps) {
    if (!keep) return views_.reset();
    if (!views_) views_ = std::make_unique<ThreadViews>();
    views_->begin(warps * kWarpSize);
  }
  void barrier() { barrier_ = ++now_; }

  void warp_barrier(u32 warp, Mask members) {
    Warp& w = warps_[warp];
    ++now_;
    if (views_) views_->meet(warp * kWarpSize, members, now_);
    if (members == kAllLanes) {
      w.met = now_;
      return;
    }
    if (!w.lanes) w.lanes = std::make_unique<LaneOrder>();
    w.lanes->meet(members, now_);
  }

  ThreadViews* views() { return views_.get(); }  // null: there are none
  const ThreadViews* views() const { return views_.get(); }
  // What has happened so far is told from what happens from now on.
  u32 step() { return ++now_; }
  u32 now() const { return now_; }
  u32 last_barrier() const { return barrier_; }
  // The last __syncwarp of the whole warp.
  u32 last_met(u32 warp) const { return warps_[warp].met; }
  // Before the last barrier: ordered for everybody.
  bool is_past(const ShadowAccess& t) const { return t.time < barrier_; }
  // Whether the access comes before all that this warp does from now on.
  bool is_past(const ShadowAccess& t, u32 warp) const { return is_past(t) || t.time < warps_[warp].met; }

  bool ordered(const ShadowAccess& then, u32 thread) const {
    if (is_past(then) || then.thread == thread) return true;
    if (views_ && views_->knows(thread, then.thread, then.time)) return true;
    if (then.thread / kWarpSize != thread / kWarpSize) return false;
    const Warp& w = warps_[thread / kWarpSize];
    return then.time < w.met ||
           (w.lanes && then.time < w.lanes->seen(thread % kWarpSize, then.thread % kWarpSize));
  }

 private:
  static constexpr u32 kTimeIsShort = 1u << 31;
  struct Warp {
    u32 met = 0;                       // the last __syncwarp of the whole warp
    std::unique_ptr<LaneOrder> lanes;  // from the first __syncwarp of a part on
  };
  u32 now_ = 0, barrier_ = 0;
  std::vector<Warp> warps_;
  std::unique_ptr<ThreadViews> views_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
