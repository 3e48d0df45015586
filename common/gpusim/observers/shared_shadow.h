// What the race check remembers of a block's shared memory: for each unit of bytes the last store, and the threads
// that have read it, or updated it by atomics, since.
#pragma once

#include <algorithm>
#include <vector>

#include "observers/block_order.h"

namespace gpusim {

// A past access for each of many units, by member: a row of units that a warp touches together is looked at in vectors.
struct PastAccesses {
  std::vector<u32> time, pc, thread;

  void resize(std::size_t count) {
    if (time.size() >= count) return;
    time.resize(count), pc.resize(count), thread.resize(count);
  }
  void clear() { time.clear(), pc.clear(), thread.clear(); }
  PastAccess operator[](u64 k) const { return {time[k], pc[k], thread[k]}; }
  void set(u64 k, const PastAccess& a) { time[k] = a.time, pc[k] = a.pc, thread[k] = a.thread; }
};

// kWarpSize units from `unit` on, each touched by a thread of its own of one warp.
struct RowTouch {
  u64 unit = 0;
  u32 time = 0, pc = 0;
  u32 thread[kWarpSize];  // of the block
};

// When what may be ordered before an access of a warp must have been: see BlockOrder, whose times are below 2^31. Answers
// are all ones or 0, which compilers make vectors of; signed, as vectors compare.
struct RowOrder {
  s32 barrier, met, warp;

  // Whether an access is ordered before the one of `now`, a thread of the warp.
  s32 ordered(u32 time, u32 thread, u32 now) const {
    return -s32(s32(time) < barrier) | (same_warp(thread) & (-s32(s32(time) < met) | -s32(thread == now)));
  }
  s32 same_warp(u32 thread) const { return -s32(s32(thread / kWarpSize) == warp); }
};

// Threads that have accessed a unit: enough of them that a later access of any thread is unordered with one of these
// if it is unordered with any. Two threads of different warps are enough, for a later one is in another warp than one
// of them. In one warp, two lanes are enough if all its __syncwarp() are of the whole warp; else every lane is kept. Where
// more than barriers of the block and of warps order threads, two lanes of each of sixteen warps are.
class Witnesses {
 public:
  // `per_unit`: 2 or kWarpSize.
  void resize(std::size_t units, u32 per_unit) {
    if (per_unit != seen_.size() || units > units_) {
      seen_.resize(per_unit);
      units_ = std::max(units, units_);
    }
    for (PastAccesses& p : seen_) p.resize(units_);
  }
  void clear() {
    for (PastAccesses& p : seen_) p.clear();
  }

  void add(u64 unit, const PastAccess& now, const BlockOrder& order) {
    const u32 warp = now.thread / kWarpSize;
    if (order.views()) return add_one_of_many(unit, now, order);
    if (order.is_past(seen_[0][unit])) return seen_[0].set(unit, now);
    if (seen_[0].thread[unit] / kWarpSize != warp) return seen_[1].set(unit, now);
    for (PastAccesses& of_unit : seen_) {
      // Ordered before all that its warp does from now on, and `now` speaks for the warp.
      const PastAccess p = of_unit[unit];
      const bool same_warp = p.thread / kWarpSize == warp;
      if (order.is_past(p) || (same_warp && (order.is_past(p, warp) || p.thread == now.thread)))
        return of_unit.set(unit, now);
      if (!same_warp) return;
    }
  }

  // Which lanes of a warp add() would keep, if all of its lanes added themselves; more, where that takes a closer look.
  Mask kept_of_warp(u64 unit, u32 warp, const BlockOrder& order) const {
    if (order.is_past(seen_[0][unit])) return 3;
    return seen_[0].thread[unit] / kWarpSize != warp ? Mask(1) << (kWarpSize - 1) : kAllLanes;
  }

  // One that is not ordered before what the thread does now. In a unit past ones come last.
  bool find_unordered(u64 unit, u32 thread, const BlockOrder& order, PastAccess& found) const {
    for (const PastAccesses& of_unit : seen_) {
      found = of_unit[unit];
      if (order.is_past(found)) return false;
      if (!order.ordered(found, thread)) return true;
    }
    return false;
  }

  // Both for a row at once, where two a unit are kept.
  void add(const RowTouch& now, const RowOrder& order) {
    s32 first[kWarpSize],
        second[kWarpSize];  // whether `now` takes the place of the unit's first, of its second
    const u32 *const time0 = &seen_[0].time[now.unit], *const thread0 = &seen_[0].thread[now.unit];
    const u32 *const time1 = &seen_[1].time[now.unit], *const thread1 = &seen_[1].thread[now.unit];
    for (u32 k = 0; k < kWarpSize; ++k) {
      first[k] = order.ordered(time0[k], thread0[k], now.thread[k]);
      second[k] =
          ~first[k] & (~order.same_warp(thread0[k]) | order.ordered(time1[k], thread1[k], now.thread[k]));
    }
    put(seen_[0], now, first);
    put(seen_[1], now, second);
  }
  bool all_ordered(const RowTouch& now, const RowOrder& past) const {
    const RowOrder order = past;
    s32 all = -1;
    for (const PastAccesses& p : seen_) {
      const u32 *const time = &p.time[now.unit], *const thread = &p.thread[now.unit];
      for (u32 k = 0; k < kWarpSize; ++k) all &= order.ordered(time[k], thread[k], now.thread[k]);
    }
    return all != 0;
  }

 private:
  void add_one_of_many(u64 unit, const PastAccess& now, const BlockOrder& order) {
    u32 of_warp = 0;
    for (PastAccesses& of_unit : seen_) {
      const PastAccess p = of_unit[unit];
      if (order.ordered(p, now.thread))
        return of_unit.set(unit, now);  // who comes after `now` comes after it
      of_warp += p.thread / kWarpSize == now.thread / kWarpSize;
      if (of_warp == 2) return;
    }
  }
  static void put(PastAccesses& past, const RowTouch& now, const s32* if_so) {
    const auto choose = [if_so](u32* where, auto what) {
      for (u32 k = 0; k < kWarpSize; ++k) where[k] = (what(k) & u32(if_so[k])) | (where[k] & ~u32(if_so[k]));
    };
    choose(&past.time[now.unit], [&now](u32) { return now.time; });
    choose(&past.pc[now.unit], [&now](u32) { return now.pc; });
    choose(&past.thread[now.unit], [&now](u32 k) { return now.thread[k]; });
  }

  std::vector<PastAccesses> seen_;  // of each unit the first, of each the second, …
  std::size_t units_ = 0;
};

// The last store of each unit.
struct Stores : PastAccesses {
  std::vector<u32> value;  // of the unit
  std::vector<u32>
      twin;  // another thread of the warp that stored the same by this instruction; or `thread`: none

  void resize(std::size_t count) {
    PastAccesses::resize(count);
    if (value.size() < count) value.resize(count), twin.resize(count);
  }
  void clear() {
    PastAccesses::clear();
    value.clear(), twin.clear();
  }
  bool alone(u64 unit) const { return twin[unit] == thread[unit]; }

  bool all_ordered(const RowTouch& now, const RowOrder& past) const {
    const RowOrder order = past;
    const u32 *const times = &time[now.unit], *const threads = &thread[now.unit],
                     *const twins = &twin[now.unit];
    s32 all = -1;
    for (u32 k = 0; k < kWarpSize; ++k) {
      const s32 stored_together = -s32(twins[k] != threads[k]) & -s32(s32(times[k]) >= order.met);
      all &= -s32(s32(times[k]) < order.barrier) |
             (order.ordered(times[k], threads[k], now.thread[k]) & ~stored_together);
    }
    return all != 0;
  }
  void set(u64 unit, const PastAccess& a, u32 stored, u32 other) {
    PastAccesses::set(unit, a);
    value[unit] = stored, twin[unit] = other;
  }
  void set(const RowTouch& now, const u32* stored) {
    for (u32 k = 0; k < kWarpSize; ++k) {
      time[now.unit + k] = now.time;
      pc[now.unit + k] = now.pc;
      thread[now.unit + k] = twin[now.unit + k] = now.thread[k];
      value[now.unit + k] = stored[k];
    }
  }
};

// An asynchronous copy into a unit that its thread has not waited for yet.
struct UnderWay {
  PastAccess copy;
  bool is = false;
};

struct SharedShadow {
  BlockOrder order;
  Stores stored;
  std::vector<UnderWay> under_way;
  Witnesses readers, updaters;
};

}  // namespace gpusim
