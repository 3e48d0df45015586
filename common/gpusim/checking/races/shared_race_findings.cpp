#include "checking/races/shared_race_findings.h"

#include "checking/races/missing_barrier.h"

namespace gpusim {

// Why a message that passed from one of the two threads to the other, or to lanes beside them, by an atomic orders nothing
// here; empty: there was none.
std::string SharedRaceFindings::message_gap(const ShadowAccess& then, const UnitAccess& l,
                                            const BlockOrder& order) const {
  const ThreadViews* views = order.views();
  if (!views || views->is_copier(then.thread)) return "";
  const auto any_lane_of = [](u32 thread, auto is) {
    const u32 first = thread / kWarpSize * kWarpSize;
    for (u32 t = first; t < first + kWarpSize; ++t)
      if (t != thread && is(t)) return int(t - first);
    return -1;
  };
  if (views->found_something(l.now.thread, then.thread, then.time))
    return "the atomic or volatile access that told it about that write does not order this one yet: put "
           "__threadfence_block() between the two";
  if (then.thread / kWarpSize != l.access.warp) {
    const int beside =
        any_lane_of(l.now.thread, [&](u32 t) { return views->knows(t, then.thread, then.time); });
    if (beside >= 0)
      return "lane " + std::to_string(beside) +
             " of the same warp knows about that write, through an atomic or volatile access and a fence. A shuffle or "
             "vote passes values on but orders no memory: put __syncwarp() after that fence";
    // (An mbarrier's phases tell of every round, also of those before this write.)
    const bool by_phases = std::ranges::any_of(
        launch_.program->code, [](const Instruction& in) { return in.shape == Shape::mbarrier; });
    const int told =
        any_lane_of(then.thread, [&](u32 t) { return views->knows(l.now.thread, t, then.time); });
    if (told >= 0 && !by_phases)
      return "lane " + std::to_string(told) + " of warp " + std::to_string(then.thread / kWarpSize) +
             " has announced it, with its own fence and an atomic or volatile access: put __syncwarp() between the write "
             "and that fence";
  }
  return "";
}

// Each pair of instructions is described once: by lanes of one warp only if it races in no other way.
// A race of different values counts more than one of equal values.
void SharedRaceFindings::report(const ShadowAccess& then, AccessKind kind, const UnitAccess& l,
                                const BlockOrder& order, bool under_way, Values values) {
  const bool one_warp = then.thread / kWarpSize == l.access.warp;
  for (Pair& pair : found_) {
    if (pair.then != then.pc || pair.now != l.now.pc) continue;
    const unsigned long long count = pair.finding.count + 1;
    const bool was_equal = pair.finding.severity == Severity::warning, is_equal = values == Values::equal;
    if (was_equal != is_equal ? was_equal : pair.one_warp && !one_warp)
      pair = describe(then, kind, l, order, under_way, values);
    pair.finding.count = count;
    return;
  }
  found_.push_back(describe(then, kind, l, order, under_way, values));
}

SharedRaceFindings::Pair SharedRaceFindings::describe(const ShadowAccess& then, AccessKind kind,
                                                      const UnitAccess& l, const BlockOrder& order,
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
                 (own ? "" : ", and put __syncthreads() after that");
    return pair;
  }
  if (const u32 threads = launch_.warps_per_block * kWarpSize; then.thread >= threads) {
    f.message += thread_name(launch_, l.now.thread) + " " + verb(a.kind) + " " + what +
                 " while an asynchronous copy of " + thread_name(launch_, then.thread - threads) +
                 " into it may be under way: let it wait first at the barrier at which this copy arrives";
    return pair;
  }
  if (one_warp && then.pc == a.pc) {
    f.message += "lanes " + other_lane + " and " + lane + warp + " write different values to " + what +
                 "; it is undefined which value remains: let one lane write it, or use an atomic";
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
  if (const std::string gap = message_gap(then, l, order); !gap.empty()) {
    f.message += gap;
    return pair;
  }
  if (is_lost_update(*launch_.program, then.pc, a.pc)) {
    f.message += lost_update(*launch_.program, then.pc, a.pc);
    return pair;
  }
  f.message += "nothing orders them: ";
  // Where two write, an index is likely to be wrong; where one reads, a barrier is likely to be missing.
  if (kind == a.kind) f.message += "give each thread its own element, or ";
  f.message += "put ";
  const bool is_of_barrier =
      a.instruction->shape == Shape::mbarrier || launch_.program->code[then.pc].shape == Shape::mbarrier;
  if (is_of_barrier) {
    pair.between = "initialising the barrier and using it";
    return pair;
  }
  pair.between = between_accesses(*launch_.program, {then.pc, kind}, {a.pc, a.kind}, one_warp);
  if (kind == AccessKind::atomic || a.kind == AccessKind::atomic) pair.between += ", or make both atomic";
  else if (kind != a.kind) pair.between += ", if both are to access this element";
  return pair;
}

// Only now is it known whether to suggest __syncwarp(). Not for two places that also race between warps, in either order
// (in an unrolled loop a place has several instructions), and not in code of the whole block, unless the kernel waits for
// warps anyway.
void SharedRaceFindings::report_pairs() {
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

}  // namespace gpusim
// SPDX-License-Identifier: MIT
