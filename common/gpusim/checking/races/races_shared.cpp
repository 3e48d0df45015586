#include "checking/races/races_shared.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "checking/findings.h"
#include "checking/races/block_shadow.h"
#include "checking/races/resident_blocks.h"
#include "checking/races/shared_race_findings.h"
#include "checking/races/shared_use.h"
#include "checking/warps_of.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

constexpr u32 kMostUnits = 16;  // of a lane's part: 16 bytes

u32 bytes_at(const u8* p, u32 count) {
  const auto as = [p](auto v) {
    std::memcpy(&v, p, sizeof v);
    return u32(v);
  };
  return count == 4 ? as(u32{}) : count == 2 ? as(u16{}) : as(u8{});
}

class SharedRaceCheck final : public SerialObserver {
 public:
  explicit SharedRaceCheck(Findings& findings) : findings_(findings) {}

  Interests interests() const override {
    return {.accesses = true, .rows = true, .barriers = true, .meetings = true};
  }
  void launch_begin(const LaunchInfo& launch) override {
    launch_ = launch;
    use_ = shared_use(launch);
    warps_.clear(launch.program->code.size());
  }
  void launch_end(const LaunchInfo&, bool) override {
    blocks_.clear();
    races_.report_pairs();
  }
  void block_begin(u64 block) override;
  void block_end(u64 block) override { blocks_.end(block); }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::warp_barrier) blocks_.find(i.block)->order.warp_barrier(i.warp, members);
  }
  void barrier_arrives(const Issue&, u32 id, bool waits) override;
  void barrier_complete(u64 block, u32 id) override { blocks_.find(block)->barrier_complete(id); }
  void barrier_partly_complete(u64 block, u32 id) override {
    blocks_.find(block)->barrier_partly_complete(id);
  }
  void fence(const Issue& i) override {
    if (use_.orders_threads) blocks_.find(i.block)->fence(i);
  }
  void access(const Access&) override;
  void row_access(const RowAccess&) override;
  void mbarrier(const Access&, MbarrierStep) override;
  void copy_begins(const Access&) override;
  void copy_arrives(const Access&, CopyEnd) override;

 private:
  Mask lanes_that_matter(const SharedShadow&, const Access&) const;
  bool touch_rows(SharedShadow&, const RowAccess&) const;
  bool touch_units(SharedShadow&, const RowAccess&, s64 first_unit, const RowOrder&) const;
  template <class F> void for_units(const SharedShadow&, const Access&, Mask lanes, F) const;
  bool ordered(const SharedShadow&, const UnitAccess&) const;
  void load(SharedShadow&, const UnitAccess&);
  void store(SharedShadow&, const UnitAccess&);
  void update(SharedShadow&, const UnitAccess&);
  bool meets_copy(const SharedShadow&, const UnitAccess&);
  void report_unordered(const SharedShadow& shadow, const Readers& past, AccessKind kind,
                        const UnitAccess& l) {
    if (ShadowAccess p; past.find_unordered(l.unit, l.now.thread, shadow.order, p))
      races_.report(p, kind, l, shadow.order);
  }
  void report_store(const SharedShadow& shadow, const UnitAccess& l, Values values = Values::any) {
    ShadowAccess other = shadow.stored[l.unit];
    if (other.thread == l.now.thread) other.thread = shadow.stored.same_value_writer(l.unit);
    races_.report(other, AccessKind::store, l, shadow.order, false, values);
  }

  Findings& findings_;
  const SharedRows& rows_ = shared_rows();
  LaunchInfo launch_;
  SharedUse use_;
  WarpsOf warps_;
  ResidentBlocks<BlockShadow> blocks_;
  SharedRaceFindings races_{findings_, launch_, use_, warps_};
};

void SharedRaceCheck::block_begin(u64 block) {
  blocks_.begin(launch_, block);
  BlockShadow& shadow = *blocks_.find(block);
  shadow.order.keep_views(use_.orders_threads, launch_.warps_per_block);
  const u32 bytes = launch_.static_shared_bytes + launch_.dynamic_shared_bytes;
  const std::size_t units = (bytes >> use_.unit_shift) + 1;
  const u32 witnesses = use_.whole_warp_syncs_only ? 2 : kWarpSize;
  shadow.stored.resize(units);
  shadow.readers.resize(units, witnesses);
  if (use_.has_atomics) shadow.updaters.resize(units, witnesses);
  if (use_.has_copies) shadow.under_way.resize(units);
  shadow.stored.units(shadow.of_rows);
  shadow.readers.units(shadow.of_rows.readers);
  if (use_.has_atomics) shadow.updaters.units(shadow.of_rows.updaters);
  else shadow.of_rows.updaters[0] = {};
}

void SharedRaceCheck::access(const Access& a) {
  // A flag in global memory, too, may order what threads of a block do with shared memory.
  if (a.space == Space::global && use_.orders_threads && is_flag_access(*a.instruction))
    return blocks_.find(a.block)->release_and_acquire(a);
  if (a.space != Space::shared) return;
  warps_.add(a);
  BlockShadow& shadow = *blocks_.find(a.block);
  if (a.kind == AccessKind::atomic || a.instruction->order >= MemoryOrder::relaxed ||
      (use_.volatile_flags && is_volatile_number(*a.instruction))) {
    for_units(shadow, a, a.mask, [&](const UnitAccess& l) { update(shadow, l); });
    if (use_.orders_threads) shadow.release_and_acquire(a);
    return;
  }
  switch (a.kind) {
    case AccessKind::load:
      return for_units(shadow, a, lanes_that_matter(shadow, a),
                       [&](const UnitAccess& l) { load(shadow, l); });
    case AccessKind::store:
      return for_units(shadow, a, a.mask, [&](const UnitAccess& l) { store(shadow, l); });
    case AccessKind::atomic: return;
  }
}

void SharedRaceCheck::row_access(const RowAccess& a) {
  if (!use_.whole_warp_syncs_only || use_.has_copies || !touch_rows(*blocks_.find(a.block), a))
    return Observer::row_access(a);
  warps_.add(a);
}

void SharedRaceCheck::barrier_arrives(const Issue& i, u32 id, bool waits) {
  if (!use_.partial_barriers) return;
  const bool is_of_all = waits && launch_.program->code[i.pc].s[1] == kNoOperand;
  if (!is_of_all) blocks_.find(i.block)->barrier_arrives(i, id, waits);
}

// To the race check, an mbarrier is a variable that its initialisation writes and that every use of it updates.
void SharedRaceCheck::mbarrier(const Access& a, MbarrierStep step) {
  BlockShadow& shadow = *blocks_.find(a.block);
  const u32 lane = u32(std::countr_zero(a.mask)), thread = a.warp * kWarpSize + lane;
  const u64 barrier = a.address[lane];
  ThreadViews& views = *shadow.order.views();
  const auto used = [&] {
    warps_.add(a);
    for_units(shadow, a, a.mask, [&](const UnitAccess& l) { update(shadow, l); });
  };
  switch (step) {
    case MbarrierStep::set_up:
      warps_.add(a);
      for_units(shadow, a, a.mask, [&](const UnitAccess& l) { store(shadow, l); });
      return views.forget(barrier);
    case MbarrierStep::arrive: used(); return views.release(barrier, thread, shadow.order.step());
    case MbarrierStep::copies_arrive: return views.release_copies(barrier, thread, shadow.order.step());
    case MbarrierStep::complete: return views.publish(barrier);
    case MbarrierStep::passed: views.acquire(barrier, thread); return used();
  }
}

// For a load. If all lanes of a warp read the same bytes, and the store before them races with none of them, it is enough to
// remember one or two of the lanes.
Mask SharedRaceCheck::lanes_that_matter(const SharedShadow& shadow, const Access& a) const {
  if (!a.is_even() || a.address[0] != a.address[1] || !use_.whole_warp_syncs_only || use_.has_atomics ||
      use_.has_copies)
    return a.mask;
  Mask lanes = 0;
  for (u32 at = 0; at < a.bytes; at += 1u << use_.unit_shift) {
    const u64 unit = (a.address[0] + at) >> use_.unit_shift;
    if (!shadow.order.is_past(shadow.stored[unit])) return a.mask;
    lanes |= shadow.readers.kept_of_warp(unit, a.warp, shadow.order);
  }
  return lanes;
}

// Where each lane of a warp touches units of its own, which lie together: a row at a time. False where some are not ordered after
// what came before: then each is looked at, and what has been remembered of others, is again.
inline bool SharedRaceCheck::touch_rows(SharedShadow& shadow, const RowAccess& a) const {
  if (a.step != a.bytes) return false;
  const s64 first_unit = s64(a.first) >> use_.unit_shift;
  const RowOrder order{s32(shadow.order.last_barrier()), s32(shadow.order.last_met(a.warp)), s32(a.warp)};
  if (a.bytes >> use_.unit_shift != 1 || a.bytes != sizeof(u32) || a.instruction->s_bytes > sizeof(u32))
    return touch_units(shadow, a, first_unit, order);
  // A store's values lie in registers of 4 bytes.
  const RowTouch row{first_unit, shadow.order.now(), a.pc, a.warp * kWarpSize, 0, a.mask};
  if (a.kind == AccessKind::load) return rows_.load(shadow.of_rows, row, order);
  return rows_.store(shadow.of_rows, row, order, reinterpret_cast<const u32*>(a.frame + a.instruction->s[1]));
}

// The same, where a lane touches several units, or one of another size.
[[gnu::noinline]] bool SharedRaceCheck::touch_units(SharedShadow& shadow, const RowAccess& a, s64 first_unit,
                                                    const RowOrder& order) const {
  const u32 units_of_lane = a.bytes >> use_.unit_shift, shift = u32(std::countr_zero(units_of_lane));
  u32 values[kWarpSize * kMostUnits];
  if (a.kind == AccessKind::store) {
    u64 address[kWarpSize];
    for_units(shadow, a.of_lanes(address), a.mask,
              [&](const UnitAccess& l) { values[s64(l.unit) - first_unit] = l.value; });
  }
  for (u32 k = 0; k < units_of_lane; ++k) {
    const u32 first = k * kWarpSize / units_of_lane;
    Mask is = 0;
    for (u32 unit = 0; unit < kWarpSize; ++unit) is |= (a.mask >> (first + (unit >> shift)) & 1) << unit;
    if (is == 0) continue;  // the lanes that take part are others
    const RowTouch row{
        first_unit + k * kWarpSize, shadow.order.now(), a.pc, a.warp * kWarpSize + first, shift, is};
    const bool touched = a.kind == AccessKind::load
                             ? rows_.load(shadow.of_rows, row, order)
                             : rows_.store(shadow.of_rows, row, order, values + k * kWarpSize);
    if (!touched) return false;
  }
  return true;
}

// f(UnitAccess) for each unit of each lane: a first unit of all lanes, a second of all, …
template <class F>
void SharedRaceCheck::for_units(const SharedShadow& shadow, const Access& a, Mask lanes, F f) const {
  UnitAccess l{a, 0, {shadow.order.now(), a.pc, 0}, 0, 0};
  const u32 unit_bytes = 1u << use_.unit_shift;
  const u32 element_bytes = a.element_bytes();
  for (u32 at = 0; at < a.bytes; at += unit_bytes) {
    const u32 element = at / element_bytes;
    const u8* stored = nullptr;  // lane 0's; the others' follow at equal distances
    std::ptrdiff_t to_next_lane = 0;
    if (a.kind == AccessKind::store && a.frame) {  // not what a copy brings
      stored = a.value(0, element) + at % element_bytes;
      to_next_lane = a.value(1, element) - a.value(0, element);
    }
    for_each_lane(lanes, [&](u32 lane) {
      l.lane = lane;
      l.now.thread = a.warp * kWarpSize + l.lane;
      l.unit = (a.address[l.lane] + at) >> use_.unit_shift;
      if (stored) l.value = bytes_at(stored + l.lane * to_next_lane, unit_bytes);
      f(l);
    });
  }
}

// Of lanes that stored together one is known: it stands for all where every __syncwarp() is of all lanes. Where not,
// and where one of them had stored another value before, a race of the others within their warp may be missed.
bool SharedRaceCheck::ordered(const SharedShadow& shadow, const UnitAccess& l) const {
  const ShadowAccess stored = shadow.stored[l.unit];
  if (!shadow.stored.has_twin(l.unit) || !use_.whole_warp_syncs_only)
    return shadow.order.ordered(stored, l.now.thread);
  if (stored.thread / kWarpSize != l.access.warp) return shadow.order.is_past(stored);
  return shadow.order.is_past(stored, l.access.warp);
}

// Whether an asynchronous copy into the unit is under way: then any other access of it races, the thread's own too.
bool SharedRaceCheck::meets_copy(const SharedShadow& shadow, const UnitAccess& l) {
  if (!use_.has_copies || !shadow.under_way[l.unit].is) return false;
  races_.report(shadow.under_way[l.unit].copy, AccessKind::store, l, shadow.order, true);
  return true;
}

void SharedRaceCheck::copy_begins(const Access& a) {
  warps_.add(a);
  BlockShadow& shadow = *blocks_.find(a.block);
  for_units(shadow, a, a.mask, [&](const UnitAccess& l) {
    if (!meets_copy(shadow, l)) {
      if (!ordered(shadow, l)) report_store(shadow, l);
      report_unordered(shadow, shadow.readers, AccessKind::load, l);
      if (use_.has_atomics) report_unordered(shadow, shadow.updaters, AccessKind::atomic, l);
    }
    shadow.under_way[l.unit] = {l.now, true};
  });
}

void SharedRaceCheck::copy_arrives(const Access& a, CopyEnd end) {
  BlockShadow& shadow = *blocks_.find(a.block);
  for_units(shadow, a, a.mask, [&](const UnitAccess& l) {
    ShadowAccess copy = l.now;
    if (end != CopyEnd::by_wait) copy.thread = shadow.order.views()->copier_of(copy.thread);
    shadow.under_way[l.unit].is = false;
    shadow.stored.set(l.unit, copy, 0, copy.thread);
  });
  if (end != CopyEnd::by_both) return;
  const u32 now = shadow.order.step();
  for_each_lane(a.mask, [&](u32 lane) { shadow.order.views()->know_copies(a.warp * kWarpSize + lane, now); });
}

void SharedRaceCheck::load(SharedShadow& shadow, const UnitAccess& l) {
  if (meets_copy(shadow, l)) return;
  if (!ordered(shadow, l)) report_store(shadow, l);
  if (use_.has_atomics) report_unordered(shadow, shadow.updaters, AccessKind::atomic, l);
  shadow.readers.add(l.unit, l.now, shadow.order);
}

// Warps may store one value together: `any = true` by every warp that finds something is an idiom, so it is a warning.
void SharedRaceCheck::store(SharedShadow& shadow, const UnitAccess& l) {
  if (meets_copy(shadow, l)) return;
  u32 same_value_writer = l.now.thread;
  if (!ordered(shadow, l)) {
    const ShadowAccess stored = shadow.stored[l.unit];
    const bool together = stored.pc == l.now.pc && stored.thread / kWarpSize == l.access.warp &&
                          shadow.stored.value(l.unit) == l.value;
    if (together) {
      same_value_writer =
          stored.thread == same_value_writer ? shadow.stored.same_value_writer(l.unit) : stored.thread;
      findings_.allow(l.now.pc, kLanesStoreTogether);
    } else if (shadow.stored.value(l.unit) != l.value) report_store(shadow, l);
    else if (!launch_.is_sampled) report_store(shadow, l, Values::equal);
  }
  report_unordered(shadow, shadow.readers, AccessKind::load, l);
  if (use_.has_atomics) report_unordered(shadow, shadow.updaters, AccessKind::atomic, l);
  shadow.stored.set(l.unit, l.now, l.value, same_value_writer);
}

void SharedRaceCheck::update(SharedShadow& shadow, const UnitAccess& l) {
  if (meets_copy(shadow, l)) return;
  if (!ordered(shadow, l)) report_store(shadow, l);
  report_unordered(shadow, shadow.readers, AccessKind::load, l);
  shadow.updaters.add(l.unit, l.now, shadow.order);
}

}  // namespace

std::unique_ptr<Observer> make_shared_race_check(Findings& findings) {
  return std::make_unique<SharedRaceCheck>(findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
