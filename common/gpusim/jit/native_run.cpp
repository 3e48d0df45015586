#include "execution/native_runner.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "execution/exec.h"
#include "execution/module.h"

namespace gpusim {

NativeRunner::NativeRunner(Executor& executor, NativeCompiler* compiler)
    : executor_(executor), compiler_(compiler) {}

void NativeRunner::start() {
  if (!compiler_ || !compiler_->can_tell(executor_.hub_.issues, &counters_)) return;
  next_look_ = 0;
  last_look_ = std::chrono::steady_clock::now();
  look_for_code();
}

// What has been executed so far, the interpreter has executed.
void NativeRunner::look_for_code() {
  if (executor_.executed_ < next_look_) return;
  constexpr u64 kBetweenLooks = 1 << 20;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> interpreted = now - std::exchange(last_look_, now);
  next_look_ = executor_.executed_ + kBetweenLooks;
  const LoadedModule& module = executor_.module_;
  const Function& kernel = module.code.functions[executor_.launch_.kernel->function];
  code_ = compiler_->code_of(module, kernel, interpreted.count());
  if (!code_) return;
  next_look_ = ~u64(0);
  begin_call();
}

void NativeRunner::begin_call() {
  NativeCounting counting = compiler_->begin_counting(counters_, *code_);
  if (!counters_) {
    const std::size_t instructions = executor_.module_.code.code.size();
    uncounted_segments_.resize(instructions);
    uncounted_events_.resize(instructions);
    counting.segments = uncounted_segments_.data();
    counting.events = uncounted_events_.data();
  }
  const Dim3& block = executor_.launch_.block;
  rows_are_threads_ = block.x % kWarpSize == 0 || block.y * block.z == 1;
  call_.emplace(NativeCall{.executor = executor_,
                           .help = compiler_->help(),
                           .counting = counting,
                           .counts_links = executor_.launch_.moment != nullptr});
  observers_changed();
}

void NativeRunner::observers_changed() {
  if (!code_) return;
  const ObserverHub& hub = executor_.hub_;
  // The one that hears issues is the counters (NativeCompiler::can_tell).
  const auto is_told = [&](Observer* o) { return std::ranges::find(hub.issues, o) == hub.issues.end(); };
  told_branches_.clear(), told_rows_.clear();
  std::ranges::copy_if(hub.branches, std::back_inserter(told_branches_), is_told);
  std::ranges::copy_if(hub.take_rows, std::back_inserter(told_rows_), is_told);
  const u64 counters = counters_ ? 1 : 0;
  NativeCall& c = *call_;
  c.tells_accesses = hub.accesses.size() > counters;
  c.tells_shared_accesses = hub.shared_accesses > counters;
  c.tells_branches = !told_branches_.empty();
  c.tells_meetings = !hub.meetings.empty();
}

// Native code continues with this fragment of the warp, for at most `most` warp instructions.
inline void NativeRunner::set_warp(Warp& w, Fragment& f, u64 most) {
  NativeCall& c = *call_;
  c.warp = &w;
  c.fragment = &f;
  c.frame = f.frame->bytes();
  c.most = c.left = most;
  c.left_when_met = NativeCall::kNever;
  c.waits = c.counting.in_flight && *c.counting.in_flight && c.help.waits(c);
  c.in_lockstep = rows_are_threads_ && !w.was_divergent;
  c.stop = NativeStop::left_to_interpreter;
}
inline void NativeRunner::set_block(Block& block) {
  NativeCall& c = *call_;
  c.shared = block.shared.data();
  c.shared_bytes = block.shared.size();
}

u64 NativeRunner::run(Warp& w, Fragment& f, u64 most) {
  NativeCall& c = *call_;
  set_block(*w.block);
  set_warp(w, f, most);
  c.turns = nullptr;
  f.pc = code_->run(c, f.pc);
  const u64 count = most - c.left;
  executor_.executed_ += count;
  return count;
}

// From this warp on: whose turn it is, of those that have something to do. True: all its lanes are together, native code can go on
// with them, and has been told so. Otherwise it is left to the interpreter; null: no turn is left.
inline bool NativeRunner::begin_together(Warp* w, WarpTurns& turns) {
  for (; w; w = executor_.next_warp(turns)) {
    if (turns.left == 0) continue;
    call_->warp = w;
    if (w->fragments.size() != 1) {
      if (w->fragments.empty()) continue;
      return false;
    }
    Fragment& f = w->fragments.front();
    if (f.state == FragmentState::at_barrier) continue;
    if (f.mask != kAllLanes || f.state != FragmentState::ready || !code_->is_entry[f.pc]) return false;
    set_warp(*w, f, std::min({turns.left, kFragmentSlice, executor_.budget_ - executor_.executed_}));
    return true;
  }
  call_->warp = nullptr;
  return false;
}

Warp* NativeRunner::run_together(WarpTurns& turns, Warp& first, u64& begun) {
  NativeCall& c = *call_;
  if (!begin_together(&first, turns)) return c.warp;
  set_block(turns.block);
  c.turns = &turns;
  const u32 pc = code_->run(c, c.fragment->pc);
  if (c.stop != NativeStop::left_to_interpreter) return c.warp;  // as take_turn_over() has left it
  c.fragment->pc = pc;
  const u64 count = c.most - c.left;
  begun = std::min(count, c.left_when_met - c.left);
  executor_.executed_ += count;
  turns.left -= count - begun;
  turns.ran |= count != 0;
  return c.warp;
}

// All lanes of a warp wait at a barrier, whose issue has been counted.
inline void NativeRunner::arrive_together(Warp& w, Fragment& f, const Instruction& in) {
  u32 id;
  std::memcpy(&id, f.frame->bytes() + in.s[0], sizeof id);
  if (id >= kBarriers || in.s[1] != kNoOperand || in.shape != Shape::barrier)
    return executor_.sync_.arrive_at_barrier(w, f, in, kAllLanes, true);
  Barrier& barrier = w.block->barriers[id];
  barrier.expected = 0;
  barrier.arrived += kWarpSize;
  f.state = FragmentState::at_barrier;
  f.barrier = id;
  if (!executor_.hub_.barriers.empty()) {
    const Issue issue = issue_of(w, f.pc, kAllLanes);
    executor_.hub_.tell_barrier([&](Observer& o) {
      o.sync(issue, SyncKind::block_barrier, kAllLanes);
      o.barrier_arrives(issue, id, true);
    });
  }
  if (barrier.arrived >= w.block->live_threads) executor_.sync_.release_barrier(*w.block, id);
}

bool NativeRunner::take_turn_over(u32 pc, NativeStop why) {
  NativeCall& c = *call_;
  c.stop = why;
  if (!c.turns) return false;  // run_fragment() sees to it
  WarpTurns& turns = *c.turns;
  Warp& w = *c.warp;
  executor_.executed_ += c.most - c.left;
  turns.left -= c.most - c.left;
  turns.ran = true;
  c.fragment->pc = pc;
  if (why == NativeStop::at_barrier) arrive_together(w, *c.fragment, executor_.module_.code.code[pc]);
  else if (why == NativeStop::at_exit) executor_.leave_kernel(w, 0, kAllLanes);
  else w.fragments.clear();
  return begin_together(&w, turns);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
