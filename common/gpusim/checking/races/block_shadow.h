// The shadow of a running block's shared memory, and how barriers, fences and atomics order the block's threads.
#pragma once

#include <map>
#include <vector>

#include "checking/races/shared_shadow.h"
#include "execution/events.h"
#include "lanes/each_lane.h"

namespace gpusim {

struct BlockShadow : SharedShadow {
  void begin(const LaunchInfo& launch) {
    waiting_.clear();
    under_way.clear();
    if (order.begin(launch.warps_per_block)) return;
    stored.clear();
    readers.clear();
    updaters.clear();
  }

  void barrier_complete(u32 id) {
    order.barrier();
    if (waiting_.erase(id)) order.views()->forget(object_of_barrier(id));
  }
  // A barrier of some of the block's threads.
  void barrier_arrives(const Issue& i, u32 id, bool waits) {
    const u32 now = order.step();
    for_each_lane(i.mask, [&](u32 lane) {
      const u32 thread = i.warp * kWarpSize + lane;
      order.views()->release(object_of_barrier(id), thread, now);
      if (waits) waiting_[id].push_back(thread);
    });
  }
  void barrier_partly_complete(u32 id) {
    ThreadViews* views = order.views();
    if (!views) return order.barrier();
    views->publish(object_of_barrier(id));
    for (const u32 thread : waiting_[id]) views->acquire(object_of_barrier(id), thread);
    views->forget(object_of_barrier(id));
    waiting_.erase(id);
  }

  void fence(const Issue& i) {
    const u32 now = order.step();
    for_each_lane(i.mask, [&](u32 lane) { order.views()->fence(i.warp * kWarpSize + lane, now); });
  }
  // What the lane did before its last fence is released by any atomic behind that.
  void release_and_acquire(const Access& a) {
    ThreadViews& views = *order.views();
    const MemoryOrder memory_order = a.instruction->order;
    const bool writes = a.kind != AccessKind::load, reads = a.kind != AccessKind::store;
    const bool releases = memory_order == MemoryOrder::release || memory_order == MemoryOrder::acq_rel;
    const bool acquires = memory_order == MemoryOrder::acquire || memory_order == MemoryOrder::acq_rel;
    const u32 now = order.step();
    for_each_lane(a.mask, [&](u32 lane) {
      const u32 thread = a.warp * kWarpSize + lane;
      if (reads && acquires) views.acquire(a.address[lane], thread);
      else if (reads) views.find(a.address[lane], thread);
      const u32 until = releases ? now : views.fenced(thread);
      if (!writes || until == 0) return;
      views.release_at_once(a.address[lane], thread, until);
    });
  }

 private:
  // A barrier of some threads is, to their views, an object behind the last address of shared memory.
  static constexpr u64 object_of_barrier(u32 id) { return (u64(1) << 32) + id; }

  std::map<u32, std::vector<u32>> waiting_;  // at which barrier of some of the block's threads: who
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
