#include "checking/races/global_race_check.h"

#include <algorithm>

#include "checking/races/shared_use.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

constexpr Time kTimeIsShort = 3'000'000'000u;  // start again from 0 before the next launch

Scope scope_of(const AccessUse& use) { return use.block_scope ? cta : use.system_scope ? sys : gpu; }

// If neighbouring lanes look at one flag, only the first and the last of them are checked: a plain write of the flag races with at least
// one of these two.
Mask two_of_each_address(const Access& a, Mask lanes) {
  Mask chosen = 0;
  u32 latest = kWarpSize;
  for_each_lane(lanes, [&](u32 lane) {
    if (latest == kWarpSize || a.address[lane] != a.address[latest]) {
      if (latest != kWarpSize) chosen |= Mask(1) << latest;
      chosen |= Mask(1) << lane;
    }
    latest = lane;
  });
  return latest == kWarpSize ? chosen : chosen | Mask(1) << latest;
}

}  // namespace

void GlobalRaceCheck::forget() {
  shadow_.forget();
  touches_.clear();
  order_.forget();
  in_streams_.clear();
  launches_.forget();
}

void GlobalRaceCheck::launch_begin(const LaunchInfo& info) {
  const bool alone = launches_.none_is_running();
  CheckedLaunch& l = launches_.begin(info.gpu);
  l.info = info;
  if (info.moment) l.moment = *info.moment;
  l.on = info.grid.count() <= (launches_.of_several_gpus() ? kMostBlocks >> kGpuBits : kMostBlocks);
  if (!l.on)
    all_findings_.allow(info.kernel->entry_pc, "begins more blocks than the race check can tell apart");
  l.use = global_use(info);
  if (order_.now() > kTimeIsShort && alone) {
    order_.restart_clock();
    forget();
  }
  l.began = order_.tick();
  shadow_.launch_begin(l.use.smallest_access, info.is_sampled);
  if (!launches_.of_several_gpus()) {
    order_.launch_begin(info);
    // Launches of other streams that may read this memory at the same time are compared later, so all reads must be recorded.
    if (!info.moment) l.written = WrittenMemory(info, memory_);
    touches_.clear();
    in_streams_.forget(l.moment.waited_for);
    l.beside = in_streams_.beside(l.moment);
    return;
  }
  // If a launch comes after everything that is kept, no later launch can race with any of it, so it can be forgotten.
  const bool after_all = alone && in_streams_.all_before(l.moment) &&
                         std::ranges::all_of(launches_.kept(), [&](const auto& other) {
                           return launches_.comes_after(l, *other);
                         });
  if (after_all) forget();
  l.beside = in_streams_.beside(l.moment);
  ReleaseGraph::KnownClock known = 0;
  for (const auto& other : launches_.kept())
    if (other->has_ended && launches_.comes_after(l, *other)) known = order_.both(known, other->known);
  l.info.moment = &l.moment;
  order_.launch_begin(l.info, launches_.keep(info.gpu), known);
}

void GlobalRaceCheck::launch_end(const LaunchInfo& info, bool) {
  findings_.flush();
  launch().has_ended = true;
  if (!launches_.of_several_gpus()) {
    if (info.moment && launch().on) keep_accesses();
    return;
  }
  launch().known = order_.launch_end(info.gpu);
  if (info.params) launch().params.assign(info.params, info.params + info.kernel->param_bytes);
  launch().info.params = info.params ? launch().params.data() : nullptr;
}

void GlobalRaceCheck::access(const Access& a) {
  if (!launch().on) return;
  if (a.space == Space::shared) return hear_of_flag(a);
  // Only work of another stream can rewrite constants.
  const bool may_be_rewritten = a.space == Space::constant && launch().info.moment;
  if (a.space != Space::global && !may_be_rewritten) return;
  const AccessUse& use = launch().use.access[a.pc];
  if (!launch().written.is_touched_by(a)) {
    if (a.kind != AccessKind::load) {
      launch().written.add(a, memory_);
      all_findings_.allow(
          a.pc, "writes to an array that it has no pointer to, whose earlier readers are not known");
    } else if (!use.is_strong && !use.is_volatile) {
      return;
    }
  }
  Touch now;
  now.time = order_.tick();
  now.packed = Touch::pack(a);
  if (a.instruction->read_only || a.instruction->op == Op::ldu) {
    all_findings_.allow(a.pc, "reads as constant (__restrict__, __ldg) what the launch may write");
    find_stale_reads(now, a);
  }
  if (use.is_taken_as_found && launch().use.draws_tickets) find_unpublished_reads(now, a);
  if (use.is_strong || use.is_volatile) {
    order_.strong_access(a, scope_of(use));
    now.time = order_.tick();
  }
  const bool is_alone = launch().beside.empty();
  const Mask left = a.is_even() && is_alone ? touches_.touch_lines(a, now) : a.mask;
  const bool looks_at_flag = a.kind == AccessKind::load && (use.is_strong || use.is_volatile);
  const Mask telling = looks_at_flag ? two_of_each_address(a, left)
                       : is_alone    ? touches_.tells_something(a, left)
                                     : left;
  for_each_lane(telling, [&](u32 lane) {
    const u64 address = a.address[lane];
    Shadow* shadow = shadow_.find_cells(address);
    if (!shadow) return all_findings_.allow(a.pc, "accesses more memory than the race check can remember");
    touches_.open_line(*shadow, address, now.time);
    now.who = thread_id(a, lane);
    if (!launch().beside.empty()) look_beside(now, a, lane, *shadow);
    touches_.touch_cells(now, a, lane, *shadow);
  });
}

// A load by the read-only cache gets what that holds, whatever orders it behind a store.
void GlobalRaceCheck::find_stale_reads(Touch now, const Access& a) {
  if (launches_.of_several_gpus()) return;
  for_each_lane(a.mask, [&](u32 lane) {
    now.who = thread_id(a, lane);
    const Touch write = touches_.last_write(a.address[lane]);
    if (launches_.is_past(write) || rules_.races(write, now)) return;  // a race is told as one
    findings_.report_stale(write, now, a, lane, *shadow_.find(a.address[lane]));
  });
}

// Volatile and relaxed accesses never race with each other, but only fences order them with the ticket or flag beside them.
void GlobalRaceCheck::find_unpublished_reads(Touch now, const Access& a) {
  if (launches_.of_several_gpus()) return;
  for_each_lane(a.mask, [&](u32 lane) {
    now.who = thread_id(a, lane);
    const Touch write = touches_.last_write(a.address[lane]);
    if (launches_.is_past(write) || write.is_atomic() || block_of(write.who) == block_of(now.who) ||
        !rules_.atomic_together(write, now) || order_.ordered(write.time, write.who, now.who))
      return;
    findings_.report_unpublished(write, now, a, lane, *shadow_.find(a.address[lane]));
  });
}

// A flag in shared memory, too, may order what threads of its block do with global memory.
void GlobalRaceCheck::hear_of_flag(const Access& a) {
  if (!launch().use.has_shared_flags || !is_flag_access(*a.instruction)) return;
  // Each block has its own shared memory, so its flags get addresses at which there is no global memory.
  constexpr u64 kSharedFlags = u64(1) << 62, kMostShared = u64(1) << 20;
  u64 address[kWarpSize];
  for_each_lane(a.mask,
                [&](u32 lane) { address[lane] = kSharedFlags + a.block * kMostShared + a.address[lane]; });
  Access flag = a;
  flag.address = address;
  order_.strong_access(flag, cta);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
