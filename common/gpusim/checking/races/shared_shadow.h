// What the race check remembers of a block's shared memory: for each unit of bytes the last store, and the threads
// that have read it, or updated it by atomics, since.
#pragma once

#include <algorithm>
#include <vector>

#include "checking/races/block_order.h"
#include "lanes/shared_rows.h"

namespace gpusim {

// A past access for each of many units.
class PastAccesses : public PastUnits {
 public:
  PastAccesses() = default;
  PastAccesses(PastAccesses&&) = default;  // the members point where they did
  PastAccesses& operator=(PastAccesses&&) = default;

  // For units below this. What was known of them is forgotten, unless there are as many already.
  void resize(std::size_t count) {
    if (count <= count_) return;
    count_ = count;
    const std::size_t pieces = count / kWarpSize + 3, all = pieces * kWarpSize;
    memory_.assign(3 * all + pieces, 0);
    time = memory_.data() + kWarpSize;
    pc = time + all;
    thread = pc + all;
    latest = memory_.data() + 3 * all + 1;
  }
  void clear() { std::ranges::fill(memory_, 0); }
  ShadowAccess operator[](u64 k) const { return {time[k], pc[k], thread[k]}; }
  void set(u64 k, const ShadowAccess& a) {
    time[k] = a.time, pc[k] = a.pc, thread[k] = a.thread;
    latest[k / kWarpSize] = a.time;
  }

 private:
  std::vector<u32> memory_;
  std::size_t count_ = 0;
};

// The threads that have accessed a unit, as far as needed: a later access that is unordered with any of them must be unordered
// with one that is kept. Two threads of different warps are enough, since a later one is in another warp than one of
// them. Within a warp, two lanes are enough if every __syncwarp() is for the whole warp; otherwise every lane is kept. If
// threads are ordered by more than barriers of the block and of warps, two lanes of each of sixteen warps are kept.
class Readers {
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

  void add(u64 unit, const ShadowAccess& now, const BlockOrder& order) {
    const u32 warp = now.thread / kWarpSize;
    if (order.views()) return add_one_of_many(unit, now, order);
    if (order.is_past(seen_[0][unit])) return seen_[0].set(unit, now);
    if (seen_[0].thread[unit] / kWarpSize != warp) return seen_[1].set(unit, now);
    for (PastAccesses& of_unit : seen_) {
      // If an access is ordered before everything that its warp does from now on, `now`, which is of the same warp, takes its
      // place: it comes later.
      const ShadowAccess p = of_unit[unit];
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
  bool find_unordered(u64 unit, u32 thread, const BlockOrder& order, ShadowAccess& found) const {
    for (const PastAccesses& of_unit : seen_) {
      found = of_unit[unit];
      if (order.is_past(found)) return false;
      if (!order.ordered(found, thread)) return true;
    }
    return false;
  }

  // Of a row, where two a unit are kept: the first two.
  void units(PastUnits (&two)[2]) const { two[0] = seen_[0], two[1] = seen_[1]; }

 private:
  void add_one_of_many(u64 unit, const ShadowAccess& now, const BlockOrder& order) {
    u32 of_warp = 0;
    for (PastAccesses& of_unit : seen_) {
      const ShadowAccess p = of_unit[unit];
      if (order.ordered(p, now.thread))
        return of_unit.set(unit, now);  // who comes after `now` comes after it
      of_warp += p.thread / kWarpSize == now.thread / kWarpSize;
      if (of_warp == 2) return;
    }
  }

  std::vector<PastAccesses> seen_;  // of each unit the first, of each the second, …
  std::size_t units_ = 0;
};

// The last store of each unit.
class Stores {
 public:
  void resize(std::size_t count) {
    if (count <= twin_.size()) return;
    last_.resize(count);
    value_.resize(count + 2 * kWarpSize), twin_.resize(count);
  }
  void clear() { last_.clear(); }

  ShadowAccess operator[](u64 unit) const {
    ShadowAccess a = last_[unit];
    a.thread &= ~kHasTwin;
    return a;
  }
  u32 value(u64 unit) const { return value_[unit + kWarpSize]; }
  bool has_twin(u64 unit) const { return last_.thread[unit] & kHasTwin; }
  // Another thread of the warp that stored the same by this instruction; or the same: none did.
  u32 same_value_writer(u64 unit) const { return has_twin(unit) ? twin_[unit] : last_.thread[unit]; }
  void set(u64 unit, ShadowAccess a, u32 stored, u32 same_value_writer) {
    twin_[unit] = same_value_writer;
    if (same_value_writer != a.thread) a.thread |= kHasTwin;
    last_.set(unit, a);
    value_[unit + kWarpSize] = stored;
  }
  void units(SharedUnits& of_rows) {
    of_rows.stored = last_;
    of_rows.value = value_.data() + kWarpSize;
  }

 private:
  static constexpr u32 kHasTwin = 1u << 31;  // in a thread's number: to a row it is of no warp
  PastAccesses last_;
  std::vector<u32> value_, twin_;
};

// An asynchronous copy into a unit that its thread has not waited for yet.
struct UnderWay {
  ShadowAccess copy;
  bool is = false;
};

struct SharedShadow {
  BlockOrder order;
  Stores stored;
  std::vector<UnderWay> under_way;
  Readers readers, updaters;
  SharedUnits of_rows;  // all these, where a unit has two witnesses
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
