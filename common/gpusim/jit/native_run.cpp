// Warps whose lanes are together, as machine code runs them.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "execution/exec.h"
#include "execution/module.h"

namespace gpusim {

void Executor::begin_native(NativeCompiler* compiler) {
  if (!compiler->can_tell(hear_issues_, &counters_)) return;
  compiler_ = compiler;
  last_look_ = std::chrono::steady_clock::now();
  look_for_native();
}

// What has been executed so far, the interpreter has; what follows, native code may.
void Executor::look_for_native() {
  constexpr u64 kBetweenLooks = 1 << 20;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> interpreted = now - std::exchange(last_look_, now);
  next_look_for_native_ = executed_ + kBetweenLooks;
  native_ =
      compiler_->code_of(module_, module_.code.functions[launch_.kernel->function], interpreted.count());
  if (!native_) return;
  next_look_for_native_ = ~u64(0);
  NativeCounting counting = compiler_->begin_counting(counters_, *native_);
  if (!counters_) {
    uncounted_segments_.resize(module_.code.code.size());
    uncounted_events_.resize(module_.code.code.size());
    counting.segments = uncounted_segments_.data();
    counting.events = uncounted_events_.data();
  }
  const Dim3& block = launch_.block;
  rows_are_threads_ = block.x % kWarpSize == 0 || block.y * block.z == 1;
  native_call_.emplace(NativeCall{.executor = *this,
                                  .help = compiler_->help(),
                                  .counting = counting,
                                  .counts_links = launch_.moment != nullptr});
  tell_from_native();
}

// What observers other than the counters want to hear of native code.
void Executor::tell_from_native() {
  // The one that hears issues is the counters (NativeCompiler::can_tell).
  const auto is_told = [this](Observer* o) {
    return std::ranges::find(hear_issues_, o) == hear_issues_.end();
  };
  told_branches_.clear(), told_rows_.clear();
  std::ranges::copy_if(hear_branches_, std::back_inserter(told_branches_), is_told);
  std::ranges::copy_if(take_rows_, std::back_inserter(told_rows_), is_told);
  const u64 counters = counters_ ? 1 : 0;
  NativeCall& c = *native_call_;
  c.tells_accesses = hear_accesses_.size() > counters;
  c.tells_shared_accesses = hear_shared_accesses_ > counters;
  c.tells_branches = !told_branches_.empty();
  c.tells_meetings = !hear_meetings_.empty();
}

// What native code is told of the warp whose fragment it goes on with, for at most so many warp instructions.
inline void Executor::set_native(Warp& w, Fragment& f, u64 most) {
  NativeCall& c = *native_call_;
  c.warp = &w;
  c.fragment = &f;
  c.frame = f.frame->bytes();
  c.most = c.left = most;
  c.left_when_met = NativeCall::kNever;
  c.waits = c.counting.in_flight && *c.counting.in_flight && c.help.waits(c);
  c.in_lockstep = rows_are_threads_ && !w.was_divergent;
  c.stop = NativeStop::left_to_interpreter;
}
inline void Executor::set_native_block(Block& block) {
  NativeCall& c = *native_call_;
  c.shared = block.shared.data();
  c.shared_bytes = block.shared.size();
}

// Goes on in native code for at most so many warp instructions; how many it has executed.
u64 Executor::run_native(Warp& w, Fragment& f, u64 most) {
  NativeCall& c = *native_call_;
  set_native_block(*w.block);
  set_native(w, f, most);
  c.turns = nullptr;
  f.pc = native_->run(c, f.pc);
  const u64 count = most - c.left;
  executed_ += count;
  return count;
}

// From this warp on: whose turn it is, of those that have something to do. True: all its lanes are together, native code can go on
// with them, and has been told so. Otherwise it is left to the interpreter; null: no turn is left.
inline bool Executor::begin_together(Warp* w, WarpTurns& turns) {
  for (; w; w = next_warp(turns)) {
    if (turns.left == 0) continue;
    native_call_->warp = w;
    if (w->fragments.size() != 1) {
      if (w->fragments.empty()) continue;
      return false;
    }
    Fragment& f = w->fragments.front();
    if (f.state == FragmentState::at_barrier) continue;
    if (f.mask != kAllLanes || f.state != FragmentState::ready || !native_->is_entry[f.pc]) return false;
    set_native(*w, f, std::min({turns.left, kFragmentSlice, budget_ - executed_}));
    return true;
  }
  native_call_->warp = nullptr;
  return false;
}

// Native code runs the warp in its turn, and those that come next, as long as their lanes are together. Null: no turn is left.
// Otherwise a warp which is left to the interpreter in its turn: `begun` instructions of its fragment's turn have been executed, and are of
// the warp's still.
Warp* Executor::run_together(WarpTurns& turns, Warp& first, u64& begun) {
  NativeCall& c = *native_call_;
  if (!begin_together(&first, turns)) return c.warp;
  set_native_block(turns.block);
  c.turns = &turns;
  const u32 pc = native_->run(c, c.fragment->pc);
  if (c.stop != NativeStop::left_to_interpreter) return c.warp;  // as take_turn_over() has left it
  c.fragment->pc = pc;
  const u64 count = c.most - c.left;
  begun = std::min(count, c.left_when_met - c.left);
  executed_ += count;
  turns.left -= count - begun;
  turns.ran |= count != 0;
  return c.warp;
}

// All lanes of a warp wait at a barrier, whose issue has been counted.
inline void Executor::arrive_together(Warp& w, Fragment& f, const Instruction& in) {
  u32 id;
  std::memcpy(&id, f.frame->bytes() + in.s[0], sizeof id);
  if (id >= kBarriers || in.s[1] != kNoOperand || in.shape != Shape::barrier)
    return arrive_at_barrier(w, f, in, kAllLanes, true);
  Barrier& barrier = w.block->barriers[id];
  barrier.expected = 0;
  barrier.arrived += kWarpSize;
  f.state = FragmentState::at_barrier;
  f.barrier = id;
  if (!hear_barriers_.empty()) {
    const Issue issue = issue_of(w, f.pc, kAllLanes);
    tell_barrier([&](Observer& o) {
      o.sync(issue, SyncKind::block_barrier, kAllLanes);
      o.barrier_arrives(issue, id, true);
    });
  }
  if (barrier.arrived >= w.block->live_threads) release_barrier(*w.block, id);
}

// Native code has come to where the warp waits for others, or leaves, and has counted that. True: it goes on with this warp or with
// one of the next, as the call says by now.
bool Executor::take_turn_over(u32 pc, NativeStop why) {
  NativeCall& c = *native_call_;
  c.stop = why;
  if (!c.turns) return false;  // run_fragment() sees to it
  WarpTurns& turns = *c.turns;
  Warp& w = *c.warp;
  executed_ += c.most - c.left;
  turns.left -= c.most - c.left;
  turns.ran = true;
  c.fragment->pc = pc;
  if (why == NativeStop::at_barrier) arrive_together(w, *c.fragment, instruction(pc));
  else if (why == NativeStop::at_exit) leave_kernel(w, 0, kAllLanes);
  else w.fragments.clear();
  return begin_together(&w, turns);
}

}  // namespace gpusim
