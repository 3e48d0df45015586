// What the race check remembers of a block's shared memory: for each unit of bytes the last store, and the threads
// that have read it, or updated it by atomics, since.
#pragma once

#include <algorithm>
#include <vector>

#include "observers/block_order.h"
#include "observers/shared_rows.h"

namespace gpusim {

// A past access for each of many units, by member: a row of units that a warp touches together is looked at in vectors.
struct PastAccesses {
  std::vector<u32> time, pc, thread;
  std::vector<u32> latest;  // time of any access of kWarpSize units

  void resize(std::size_t count) {
    if (time.size() >= count) return;
    time.resize(count), pc.resize(count), thread.resize(count);
    latest.resize(count / kWarpSize + 1);
  }
  void clear() { time.clear(), pc.clear(), thread.clear(), latest.clear(); }
  PastAccess operator[](u64 k) const { return {time[k], pc[k], thread[k]}; }
  PastRow row(u64 unit) { return {&time[unit], &pc[unit], &thread[unit]}; }
  void set(u64 k, const PastAccess& a) {
    time[k] = a.time, pc[k] = a.pc, thread[k] = a.thread;
    latest[k / kWarpSize] = a.time;
  }
  // Those of the row may have been set.
  void touched(const RowTouch& now) { latest[now.first_piece] = latest[now.last_piece] = now.time; }
  // Known at a glance to be before the last barrier.
  bool are_past(const RowTouch& now, const RowOrder& order) const {
    const u32 barrier = u32(order.barrier);
    return latest[now.first_piece] < barrier && latest[now.last_piece] < barrier;
  }
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
    const bool all_in_first = seen_[0].are_past(now, order);
    seen_[0].touched(now);
    if (all_in_first) return rows_->put(seen_[0].row(now.unit), now);
    if (rows_->add(seen_[0].row(now.unit), seen_[1].row(now.unit), now, order)) seen_[1].touched(now);
  }
  bool all_ordered(const RowTouch& now, const RowOrder& order) {
    return std::ranges::all_of(seen_, [&](PastAccesses& p) {
      return p.are_past(now, order) || rows_->all_ordered(p.row(now.unit), now, order);
    });
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

  const SharedRows* rows_ = &shared_rows();
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

  bool all_ordered(const RowTouch& now, const RowOrder& order) {
    return are_past(now, order) || rows_->all_stores_ordered(row(now.unit), now, order);
  }
  void set(u64 unit, const PastAccess& a, u32 stored, u32 other) {
    PastAccesses::set(unit, a);
    value[unit] = stored, twin[unit] = other;
  }
  void set(const RowTouch& now, const u32* stored) {
    touched(now);
    rows_->store(row(now.unit), now, stored);
  }

 private:
  const SharedRows* rows_ = &shared_rows();
  StoredRow row(u64 unit) { return {PastAccesses::row(unit), &value[unit], &twin[unit]}; }
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
