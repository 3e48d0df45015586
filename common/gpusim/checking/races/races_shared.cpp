#include "checking/races/races_shared.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "checking/findings.h"
#include "checking/races/resident_blocks.h"
#include "checking/races/shared_shadow.h"
#include "checking/races/shared_use.h"
#include "checking/warps_of.h"
#include "lanes/each_lane.h"
#include "ptx/cfg.h"

namespace gpusim {
namespace {

constexpr u32 kMostUnits = 16;  // of a lane's part: 16 bytes

// One unit (SharedUse::unit_shift) of one lane's part of an access.
struct Lane {
  const Access& access;
  u32 lane;
  ShadowAccess now;
  u64 unit;
  u32 value;  // what a store puts there
};

u32 bytes_at(const u8* p, u32 count) {
  const auto as = [p](auto v) {
    std::memcpy(&v, p, sizeof v);
    return u32(v);
  };
  return count == 4 ? as(u32{}) : count == 2 ? as(u16{}) : as(u8{});
}

// A barrier of some threads is, to their views, an object behind the last address of shared memory.
constexpr u64 object_of_barrier(u32 id) { return (u64(1) << 32) + id; }

struct BlockShadow : SharedShadow {
  std::map<u32, std::vector<u32>> waiting;  // at which barrier of some of the block's threads: who

  void begin(const LaunchInfo& launch) {
    waiting.clear();
    under_way.clear();
    if (order.begin(launch.warps_per_block)) return;
    stored.clear();
    readers.clear();
    updaters.clear();
  }
};

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
    report_pairs();
  }
  void block_begin(u64 block) override;
  void block_end(u64 block) override { blocks_.end(block); }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::warp_barrier) blocks_.find(i.block)->order.warp_barrier(i.warp, members);
  }
  void barrier_arrives(const Issue&, u32 id, bool waits) override;
  void barrier_complete(u64 block, u32 id) override {
    BlockShadow& shadow = *blocks_.find(block);
    shadow.order.barrier();
    if (shadow.waiting.erase(id)) shadow.order.views()->forget(object_of_barrier(id));
  }
  void barrier_partly_complete(u64 block, u32 id) override;
  void fence(const Issue& i) override {
    if (!use_.orders_threads) return;
    BlockOrder& order = blocks_.find(i.block)->order;
    const u32 now = order.step();
    for_each_lane(i.mask, [&](u32 lane) { order.views()->fence(i.warp * kWarpSize + lane, now); });
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
  bool ordered(const SharedShadow&, const Lane&) const;
  void load(SharedShadow&, const Lane&);
  void store(SharedShadow&, const Lane&);
  void update(SharedShadow&, const Lane&);
  void release_and_acquire(BlockShadow&, const Access&);
  bool meets_copy(const SharedShadow&, const Lane&);
  void report_unordered(const SharedShadow& shadow, const Readers& past, AccessKind kind, const Lane& l) {
    if (ShadowAccess p; past.find_unordered(l.unit, l.now.thread, shadow.order, p)) report(p, kind, l);
  }
  void report_store(const Stores& stored, const Lane& l, Values values = Values::any) {
    ShadowAccess other = stored[l.unit];
    if (other.thread == l.now.thread) other.thread = stored.same_value_writer(l.unit);
    report(other, AccessKind::store, l, false, values);
  }
  [[gnu::cold]] void report(const ShadowAccess& then, AccessKind, const Lane&, bool under_way = false,
                            Values = Values::any);

  struct Pair {  // of instructions that race
    u32 then, now;
    bool one_warp;
    Finding finding;
    std::string between;  // where a barrier is missing; empty: none helps
  };
  Pair describe(const ShadowAccess& then, AccessKind, const Lane&, bool under_way, Values);
  std::string message_gap(const ShadowAccess& then, const Lane&);
  void report_pairs();

  Findings& findings_;
  const SharedRows& rows_ = shared_rows();
  LaunchInfo launch_;
  SharedUse use_;
  WarpsOf warps_;
  ResidentBlocks<BlockShadow> blocks_;
  std::vector<Pair> found_;  // in this launch
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
    return release_and_acquire(*blocks_.find(a.block), a);
  if (a.space != Space::shared) return;
  warps_.add(a);
  BlockShadow& shadow = *blocks_.find(a.block);
  if (a.kind == AccessKind::atomic || a.instruction->order >= MemoryOrder::relaxed ||
      (use_.volatile_flags && is_volatile_number(*a.instruction))) {
    for_units(shadow, a, a.mask, [&](const Lane& l) { update(shadow, l); });
    if (use_.orders_threads) release_and_acquire(shadow, a);
    return;
  }
  switch (a.kind) {
    case AccessKind::load:
      return for_units(shadow, a, lanes_that_matter(shadow, a), [&](const Lane& l) { load(shadow, l); });
    case AccessKind::store: return for_units(shadow, a, a.mask, [&](const Lane& l) { store(shadow, l); });
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
  if (is_of_all) return;
  BlockShadow& shadow = *blocks_.find(i.block);
  const u32 now = shadow.order.step();
  for_each_lane(i.mask, [&](u32 lane) {
    const u32 thread = i.warp * kWarpSize + lane;
    shadow.order.views()->release(object_of_barrier(id), thread, now);
    if (waits) shadow.waiting[id].push_back(thread);
  });
}

void SharedRaceCheck::barrier_partly_complete(u64 block, u32 id) {
  BlockShadow& shadow = *blocks_.find(block);
  ThreadViews* views = shadow.order.views();
  if (!views) return shadow.order.barrier();
  views->publish(object_of_barrier(id));
  for (const u32 thread : shadow.waiting[id]) views->acquire(object_of_barrier(id), thread);
  views->forget(object_of_barrier(id));
  shadow.waiting.erase(id);
}

// What the lane did before its last fence is released by any atomic behind that.
void SharedRaceCheck::release_and_acquire(BlockShadow& shadow, const Access& a) {
  ThreadViews& views = *shadow.order.views();
  const MemoryOrder order = a.instruction->order;
  const bool writes = a.kind != AccessKind::load, reads = a.kind != AccessKind::store;
  const bool releases = order == MemoryOrder::release || order == MemoryOrder::acq_rel;
  const bool acquires = order == MemoryOrder::acquire || order == MemoryOrder::acq_rel;
  const u32 now = shadow.order.step();
  for_each_lane(a.mask, [&](u32 lane) {
    const u32 thread = a.warp * kWarpSize + lane;
    if (reads && acquires) views.acquire(a.address[lane], thread);
    else if (reads) views.find(a.address[lane], thread);
    const u32 until = releases ? now : views.fenced(thread);
    if (!writes || until == 0) return;
    views.release_at_once(a.address[lane], thread, until);
  });
}

// To the accesses of memory a barrier is a variable that is written when it is made, and updated by all who use it.
void SharedRaceCheck::mbarrier(const Access& a, MbarrierStep step) {
  BlockShadow& shadow = *blocks_.find(a.block);
  const u32 lane = u32(std::countr_zero(a.mask)), thread = a.warp * kWarpSize + lane;
  const u64 barrier = a.address[lane];
  ThreadViews& views = *shadow.order.views();
  const auto used = [&] {
    warps_.add(a);
    for_units(shadow, a, a.mask, [&](const Lane& l) { update(shadow, l); });
  };
  switch (step) {
    case MbarrierStep::set_up:
      warps_.add(a);
      for_units(shadow, a, a.mask, [&](const Lane& l) { store(shadow, l); });
      return views.forget(barrier);
    case MbarrierStep::arrive: used(); return views.release(barrier, thread, shadow.order.step());
    case MbarrierStep::copies_arrive: return views.release_copies(barrier, thread, shadow.order.step());
    case MbarrierStep::complete: return views.publish(barrier);
    case MbarrierStep::passed: views.acquire(barrier, thread); return used();
  }
}

// Of a load. Where all lanes of a warp read the same, which was stored before any of them would race with it, one or two
// of them are all that is remembered.
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
              [&](const Lane& l) { values[s64(l.unit) - first_unit] = l.value; });
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

// f(Lane) for each unit of each lane: a first unit of all lanes, a second of all, …
template <class F>
void SharedRaceCheck::for_units(const SharedShadow& shadow, const Access& a, Mask lanes, F f) const {
  Lane l{a, 0, {shadow.order.now(), a.pc, 0}, 0, 0};
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
bool SharedRaceCheck::ordered(const SharedShadow& shadow, const Lane& l) const {
  const ShadowAccess stored = shadow.stored[l.unit];
  if (!shadow.stored.has_twin(l.unit) || !use_.whole_warp_syncs_only)
    return shadow.order.ordered(stored, l.now.thread);
  if (stored.thread / kWarpSize != l.access.warp) return shadow.order.is_past(stored);
  return shadow.order.is_past(stored, l.access.warp);
}

// Whether an asynchronous copy into the unit is under way: then any other access of it races, the thread's own too.
bool SharedRaceCheck::meets_copy(const SharedShadow& shadow, const Lane& l) {
  if (!use_.has_copies || !shadow.under_way[l.unit].is) return false;
  report(shadow.under_way[l.unit].copy, AccessKind::store, l, true);
  return true;
}

void SharedRaceCheck::copy_begins(const Access& a) {
  warps_.add(a);
  BlockShadow& shadow = *blocks_.find(a.block);
  for_units(shadow, a, a.mask, [&](const Lane& l) {
    if (!meets_copy(shadow, l)) {
      if (!ordered(shadow, l)) report_store(shadow.stored, l);
      report_unordered(shadow, shadow.readers, AccessKind::load, l);
      if (use_.has_atomics) report_unordered(shadow, shadow.updaters, AccessKind::atomic, l);
    }
    shadow.under_way[l.unit] = {l.now, true};
  });
}

void SharedRaceCheck::copy_arrives(const Access& a, CopyEnd end) {
  BlockShadow& shadow = *blocks_.find(a.block);
  for_units(shadow, a, a.mask, [&](const Lane& l) {
    ShadowAccess copy = l.now;
    if (end != CopyEnd::by_wait) copy.thread = shadow.order.views()->copier_of(copy.thread);
    shadow.under_way[l.unit].is = false;
    shadow.stored.set(l.unit, copy, 0, copy.thread);
  });
  if (end != CopyEnd::by_both) return;
  const u32 now = shadow.order.step();
  for_each_lane(a.mask, [&](u32 lane) { shadow.order.views()->know_copies(a.warp * kWarpSize + lane, now); });
}

void SharedRaceCheck::load(SharedShadow& shadow, const Lane& l) {
  if (meets_copy(shadow, l)) return;
  if (!ordered(shadow, l)) report_store(shadow.stored, l);
  if (use_.has_atomics) report_unordered(shadow, shadow.updaters, AccessKind::atomic, l);
  shadow.readers.add(l.unit, l.now, shadow.order);
}

// Warps may store one value together: `any = true` by every warp that finds something is an idiom, so it is a warning.
void SharedRaceCheck::store(SharedShadow& shadow, const Lane& l) {
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
    } else if (shadow.stored.value(l.unit) != l.value) report_store(shadow.stored, l);
    else if (!launch_.is_sampled) report_store(shadow.stored, l, Values::equal);
  }
  report_unordered(shadow, shadow.readers, AccessKind::load, l);
  if (use_.has_atomics) report_unordered(shadow, shadow.updaters, AccessKind::atomic, l);
  shadow.stored.set(l.unit, l.now, l.value, same_value_writer);
}

void SharedRaceCheck::update(SharedShadow& shadow, const Lane& l) {
  if (meets_copy(shadow, l)) return;
  if (!ordered(shadow, l)) report_store(shadow.stored, l);
  report_unordered(shadow, shadow.readers, AccessKind::load, l);
  shadow.updaters.add(l.unit, l.now, shadow.order);
}

const char* verb(AccessKind kind) {
  return kind == AccessKind::load ? "reads" : kind == AccessKind::store ? "writes" : "updates";
}
const char* gerund(AccessKind kind) {
  return kind == AccessKind::load ? "reading" : kind == AccessKind::store ? "writing" : "updating";
}

// Why a message that passed from one of the two threads to the other, or to lanes beside them, by an atomic orders nothing
// here; empty: there was none.
std::string SharedRaceCheck::message_gap(const ShadowAccess& then, const Lane& l) {
  const BlockOrder& order = blocks_.find(l.access.block)->order;
  const ThreadViews* views = order.views();
  if (!views || views->is_copier(then.thread)) return "";
  const auto any_lane_of = [](u32 thread, auto is) {
    const u32 first = thread / kWarpSize * kWarpSize;
    for (u32 t = first; t < first + kWarpSize; ++t)
      if (t != thread && is(t)) return int(t - first);
    return -1;
  };
  if (views->found_something(l.now.thread, then.thread, then.time))
    return "the atomic or volatile access by which it has learned of that orders nothing yet: put __threadfence_block() "
           "between that and this";
  if (then.thread / kWarpSize != l.access.warp) {
    const int beside =
        any_lane_of(l.now.thread, [&](u32 t) { return views->knows(t, then.thread, then.time); });
    if (beside >= 0)
      return "lane " + std::to_string(beside) +
             " of its warp has learned of that, by an atomic or volatile access and a fence of its own; a shuffle or a "
             "vote hands on values, and orders no memory: put __syncwarp() behind that fence";
    const int told =
        any_lane_of(then.thread, [&](u32 t) { return views->knows(l.now.thread, t, then.time); });
    if (told >= 0)
      return "lane " + std::to_string(told) + " of warp " + std::to_string(then.thread / kWarpSize) +
             " has told of it, by a fence of its own and an atomic or volatile access: put __syncwarp() between the write "
             "and that fence";
  }
  return "";
}

// Each pair of instructions is described once: by lanes of one warp only if it races in no other way.
// A race of different values counts more than one of equal values.
void SharedRaceCheck::report(const ShadowAccess& then, AccessKind kind, const Lane& l, bool under_way,
                             Values values) {
  const bool one_warp = then.thread / kWarpSize == l.access.warp;
  for (Pair& pair : found_) {
    if (pair.then != then.pc || pair.now != l.now.pc) continue;
    const unsigned long long count = pair.finding.count + 1;
    const bool was_equal = pair.finding.severity == Severity::warning, is_equal = values == Values::equal;
    if (was_equal != is_equal ? was_equal : pair.one_warp && !one_warp)
      pair = describe(then, kind, l, under_way, values);
    pair.finding.count = count;
    return;
  }
  found_.push_back(describe(then, kind, l, under_way, values));
}

struct Told {
  u32 pc;
  AccessKind kind;
};
// Whether a thread meets a barrier on its way; for threads of two warps, only the block's counts.
bool meets_barrier(const Program& program, u32 first, u32 last, bool one_warp = true) {
  return std::any_of(program.code.begin() + first, program.code.begin() + last, [&](const Instruction& in) {
    return is_block_barrier(in.shape) || (one_warp && in.shape == Shape::warp_barrier);
  });
}
// Whether a thread writes back at `store` what it has made of the element that it has read at `load`, without waiting for
// others in between: mine[i] += 1.
bool is_update(const Program& program, u32 load, u32 store) {
  const Instruction &read = program.code[load], &write = program.code[store];
  return is_load_or_store(read.shape) && has_result(read.shape) && is_load_or_store(write.shape) &&
         writes_addressed(write.shape) && load < store && read.s[0] == write.s[0] &&
         read.offset == write.offset && !meets_barrier(program, load, store);
}
// The same of a store, whichever load it belongs to.
bool ends_update(const Program& program, u32 store) {
  for (u32 pc = store;
       pc-- > 0 && !meets_barrier(program, pc, pc + 1) && program.code[pc].shape != Shape::leave;)
    if (is_update(program, pc, store)) return true;
  return false;
}
// Two threads update one element, and both come only once. In a loop they may update it in different rounds, and then a barrier may be
// what is missing.
bool is_lost_update(const Program& program, u32 x, u32 y) {
  if (ptx::leads_to(program, x, x) || ptx::leads_to(program, y, y)) return false;
  return is_update(program, x, y) || is_update(program, y, x) ||
         (program.code[x].shape == Shape::store && program.code[y].shape == Shape::store &&
          ends_update(program, x) && ends_update(program, y));
}
// Between what a barrier belongs: the accesses in the order in which a thread comes to them, which is not always that in which
// they raced. In a loop a thread comes from either to the other; where a barrier stands on one way, it is missing on the other.
std::string between(const Program& program, const Told& then, const Told& now, bool one_warp) {
  if (then.kind == now.kind) return "the two writes";
  const auto said = [](const Told& first, const Told& second) {
    return std::string(gerund(first.kind)) + " and " + gerund(second.kind);
  };
  const bool on = ptx::leads_to(program, then.pc, now.pc), back = ptx::leads_to(program, now.pc, then.pc);
  if (on != back || !on) return back ? said(now, then) : said(then, now);
  const auto [first, second] = then.pc < now.pc ? std::pair(then, now) : std::pair(now, then);
  if (meets_barrier(program, first.pc, second.pc, one_warp))
    return said(second, first) + " in the next round of the loop";
  return second.kind == AccessKind::load ? said(first, second)
                                         : "the two, in a round of the loop or before the next";
}

SharedRaceCheck::Pair SharedRaceCheck::describe(const ShadowAccess& then, AccessKind kind, const Lane& l,
                                                bool under_way, Values values) {
  const Access& a = l.access;
  const bool one_warp = then.thread / kWarpSize == a.warp;
  const u32 bytes = a.element_bytes();
  const u64 first = a.address[l.lane], element = ((l.unit << use_.unit_shift) - first) / bytes;
  const std::string what = shared_name(launch_, first + element * bytes, bytes);
  const std::string other_lane = std::to_string(then.thread % kWarpSize), lane = std::to_string(l.lane);
  const std::string warp = " of warp " + std::to_string(a.warp);

  Pair pair{then.pc, a.pc, one_warp, {}, {}};
  Finding& f = pair.finding;
  f.check = "race";
  f.place = place_of(*launch_.program, a.pc);
  f.other = place_of(*launch_.program, then.pc);
  f.kernel = launch_.kernel->pretty_name;
  f.message = block_name(launch_, a.block) + ", ";
  if (under_way) {
    const bool own = then.thread == l.now.thread;
    f.message += thread_name(launch_, l.now.thread) + " " + verb(a.kind) + " " + what + " while " +
                 (own ? "its own asynchronous copy"
                      : "the asynchronous copy of " + thread_name(launch_, then.thread)) +
                 " into it may be under way: " +
                 (own ? "wait for the copy first" : "let that thread wait for its copy") + " (" +
                 (use_.orders_threads ? "at its barrier, or by " : "") +
                 "__pipeline_wait_prior, cp.async.wait_group)" +
                 (own ? "" : ", and put __syncthreads() behind that");
    return pair;
  }
  if (const u32 threads = launch_.warps_per_block * kWarpSize; then.thread >= threads) {
    f.message +=
        thread_name(launch_, l.now.thread) + " " + verb(a.kind) + " " + what +
        ", into which an asynchronous copy of " + thread_name(launch_, then.thread - threads) +
        " goes, and has not waited at the barrier that this copy arrives at: let it wait there first";
    return pair;
  }
  if (one_warp && then.pc == a.pc) {
    f.message += "lanes " + other_lane + " and " + lane + warp + " write different values to " + what +
                 "; which one stays is not defined: let one lane write it, or use an atomic";
    return pair;
  }
  f.message += one_warp ? "lane " + lane + warp : thread_name(launch_, l.now.thread);
  f.message += std::string(" ") + verb(a.kind) + " " + what + " while ";
  f.message += one_warp ? "lane " + other_lane : thread_name(launch_, then.thread);
  f.message += std::string(" ") + verb(kind) + " it; ";
  if (values == Values::equal) {
    f.severity = Severity::warning;
    f.message += kEqualValues;
    return pair;
  }
  if (const std::string gap = message_gap(then, l); !gap.empty()) {
    f.message += gap;
    return pair;
  }
  if (is_lost_update(*launch_.program, then.pc, a.pc)) {
    f.message +=
        "each of them reads it, changes it and writes it back, so that one of the changes is lost: make the update atomic "
        "(atomicAdd), or let only one thread update this element";
    return pair;
  }
  f.message += "nothing orders them: ";
  // Where two write, an index is likely to be wrong; where one reads, a barrier is likely to be missing.
  if (kind == a.kind) f.message += "give each thread an element of its own, or ";
  f.message += "put ";
  const bool is_of_barrier =
      a.instruction->shape == Shape::mbarrier || launch_.program->code[then.pc].shape == Shape::mbarrier;
  if (is_of_barrier) {
    pair.between = "initialising the barrier and using it";
    return pair;
  }
  pair.between = between(*launch_.program, {then.pc, kind}, {a.pc, a.kind}, one_warp);
  if (kind == AccessKind::atomic || a.kind == AccessKind::atomic) pair.between += ", or make both atomic";
  else if (kind != a.kind) pair.between += ", if both are to access this element";
  return pair;
}

// Only now is it known whether __syncwarp() is meant: not for two places that race between warps too, in whichever
// order the warps came (a place has several instructions in an unrolled loop), and not in code of the whole block,
// unless the kernel waits for warps anyhow.
void SharedRaceCheck::report_pairs() {
  const auto same_place = [this](u32 a, u32 b) {
    const SourceLine &x = launch_.program->lines[a], &y = launch_.program->lines[b];
    return a == b || (x.line != 0 && x.line == y.line && x.column == y.column && x.file == y.file);
  };
  for (Pair& pair : found_) {
    bool one_warp = true;
    for (const Pair& p : found_)
      if ((same_place(p.then, pair.then) && same_place(p.now, pair.now)) ||
          (same_place(p.then, pair.now) && same_place(p.now, pair.then)))
        one_warp &= p.one_warp;
    const bool of_one_warp =
        launch_.warps_per_block > 1 && warps_.is_one(pair.then) && warps_.is_one(pair.now);
    one_warp &= of_one_warp || use_.has_warp_syncs;
    if (!pair.between.empty())
      pair.finding.message +=
          std::string(one_warp ? "__syncwarp()" : "__syncthreads()") + " between " + pair.between;
    findings_.report(pair.finding);
  }
  found_.clear();
}

}  // namespace

std::unique_ptr<Observer> make_shared_race_check(Findings& findings) {
  return std::make_unique<SharedRaceCheck>(findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
