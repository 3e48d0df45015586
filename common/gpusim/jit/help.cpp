#include "jit/help.h"

#include "counting/counters.h"
#include "execution/exec.h"
#include "execution/module.h"

namespace gpusim {

// Of the executor, as a friend of it.
struct NativeHelpers {
  static Issue issue_of(const NativeCall& c, u32 pc, Mask mask) {
    return {pc, mask, c.warp->block->index, c.warp->index};
  }
  static const Instruction& instruction(const NativeCall& c, u32 pc) {
    return c.executor.module_.code.code[pc];
  }

  static const Allocation* find(NativeCall& c, u32 pc, u64 address) {
    return c.executor.pipe_.find(pc, address);
  }

  static void access(NativeCall& c, u32 begin, u32 pc, Mask mask) {
    LaunchCounters* const counters = c.counting.counters;
    const Instruction& in = instruction(c, pc);
    const AccessKind kind = in.shape == Shape::load ? AccessKind::load : AccessKind::store;
    c.fragment->pc = pc;
    if (kind == AccessKind::store) c.executor.spin_.changed();
    if (!counters) return c.executor.pipe_.move_lanes(*c.warp, *c.fragment, in, mask, kind);
    counters->loads_are_in_segments(in.space != Space::generic);
    try {
      c.executor.pipe_.move_lanes(*c.warp, *c.fragment, in, mask, kind);
    } catch (...) {
      counters->loads_are_in_segments(false);
      if (begin != kCounted) issue_each(c, begin, pc, mask), issue(c, pc, mask);
      throw;
    }
    counters->loads_are_in_segments(false);
    if (in.space == Space::generic) c.waits = waits(c);
  }

  static bool meet(NativeCall& c, u32 pc) {
    c.fragment->pc = pc;
    return c.executor.sync_.meet_all(*c.warp, *c.fragment, instruction(c, pc));
  }

  static bool take_turn_over(NativeCall& c, u32 pc, NativeStop why) {
    return c.executor.native_.take_turn_over(pc, why);
  }
  static void leave(NativeCall& c, u32 pc, Mask mask) {
    c.executor.hub_.tell_meeting([&](Observer& o) { o.exit(issue_of(c, pc, mask)); });
    c.fragment->pc = pc + 1;
    c.executor.exit_lanes(*c.warp, *c.fragment, mask);
  }

  static void tell_shuffle(NativeCall& c, u32 pc, Mask members, const u32* from) {
    const Issue issue = issue_of(c, pc, kAllLanes);
    for (Observer* o : c.executor.hub_.meetings) {
      o->sync(issue, SyncKind::shuffle, members);
      o->shuffled(issue, members, members, from);
    }
  }

  static void tell_row(NativeCall& c, const RowAccess& a) {
    Executor& e = c.executor;
    for (Observer* o : e.native_.told_rows_) o->row_access(a);
    if (e.hub_.take_lanes.empty()) return;
    u64 address[kWarpSize];
    const Access of_lanes = a.of_lanes(address);
    for (Observer* o : e.hub_.take_lanes) o->access(of_lanes);
  }
  static void tell_branch(NativeCall& c, u32 pc, Mask mask, Mask taken) {
    const Issue issue = issue_of(c, pc, mask);
    for (Observer* o : c.executor.native_.told_branches_) o->branch(issue, taken);
  }

  static void count_row(NativeCall& c, const RowAccess& a) {
    LaunchCounters* const counters = c.counting.counters;
    if (!counters) return;
    counters->loads_are_in_segments(true);
    counters->Observer::row_access(a);
    counters->loads_are_in_segments(false);
  }
  static void issue(NativeCall& c, u32 pc, Mask mask) {
    if (LaunchCounters* const counters = c.counting.counters) counters->issue(issue_of(c, pc, mask));
  }
  static void issue_each(NativeCall& c, u32 begin, u32 end, Mask mask) {
    LaunchCounters* const counters = c.counting.counters;
    if (!counters) return;
    for (u32 pc = begin; pc < end; ++pc) {
      counters->issue(issue_of(c, pc, mask));
      if (is_global_load(instruction(c, pc))) counters->loaded(issue_of(c, pc, mask));
    }
  }

  static bool waits(const NativeCall& c) {
    return c.counting.counters && c.counting.counters->waits(c.warp->block->index, c.warp->index);
  }
  static void await(NativeCall& c, u32 begin, u32 end, Mask mask) {
    c.counting.counters->await(issue_of(c, begin, mask), end);
    c.waits = waits(c);
  }
  static void loaded(NativeCall& c, u32 pc, Mask mask) {
    if (!c.counting.counters) return;
    c.counting.counters->loaded(issue_of(c, pc, mask));
    c.waits = true;
  }
};

const RuntimeCallbacks& runtime_callbacks() {
  using H = NativeHelpers;
  static const RuntimeCallbacks help = {.find = H::find,
                                        .access = H::access,
                                        .meet = H::meet,
                                        .take_turn_over = H::take_turn_over,
                                        .leave = H::leave,
                                        .tell_shuffle = H::tell_shuffle,
                                        .tell_row = H::tell_row,
                                        .tell_branch = H::tell_branch,
                                        .count_row = H::count_row,
                                        .issue_each = H::issue_each,
                                        .issue = H::issue,
                                        .waits = H::waits,
                                        .await = H::await,
                                        .loaded = H::loaded};
  return help;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
