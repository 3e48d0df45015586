// Control: which lanes execute which instruction.
#include "execution/exec.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "execution/footprint.h"
#include "execution/module.h"

namespace gpusim {
namespace {

u32 first_lane(Mask mask) { return u32(std::countr_zero(mask)); }
Mask predicate(Frame* frame, FrameOffset at) {
  Mask p;
  std::memcpy(&p, frame->bytes() + at, sizeof p);
  return p;
}
Mask guarded(const Fragment& f, const Instruction& in) {
  if (in.guard == kNoOperand) return f.mask;
  const Mask p = predicate(f.frame, in.guard);
  return f.mask & (in.negate_guard ? ~p : p);
}
// Warp instructions that a fragment may execute before others get their turn. What it leaves goes back to the warp's slice.
class FragmentTurn {
 public:
  explicit FragmentTurn(u64& slice) : slice_(slice), left_(std::min(slice, kFragmentSlice)) {
    slice_ -= left_;
  }
  ~FragmentTurn() { slice_ += left_; }
  FragmentTurn(const FragmentTurn&) = delete;
  FragmentTurn& operator=(const FragmentTurn&) = delete;

  bool is_over() const { return left_ == 0; }
  u64 left() const { return left_; }
  void begin_instruction() { --left_; }
  void begin_instructions(u64 count) { left_ -= count; }
  void begin_again() {
    slice_ += left_;
    left_ = std::min(slice_, kFragmentSlice);
    slice_ -= left_;
  }
  void put_off_instruction() { ++left_; }  // it has not been executed yet
  void end() {                             // behind this instruction
    slice_ += left_;
    left_ = 0;
  }

 private:
  u64& slice_;
  u64 left_;
};
// Lanes whose guard is false must not wait with those whose guard is true.
bool may_wait(Shape s) {
  return s == Shape::call || s == Shape::shuffle || s == Shape::vote || s == Shape::match ||
         s == Shape::redux || s == Shape::warp_barrier || s == Shape::barrier || s == Shape::barrier_red ||
         s == Shape::matrix_load || s == Shape::matrix_multiply;
}

// load() and store() do so.
bool tells_its_issue(Shape s) { return s == Shape::load || s == Shape::store; }

}  // namespace

const Instruction& Executor::instruction(u32 pc) const { return module_.code.code[pc]; }

// The fragment whose turn it is, or the number of fragments if none is ready. In lockstep the one made last: both
// sides of a branch run to where they meet. The other schedules know single lanes only, and start() has them in line.
std::size_t Executor::pick(const Warp& w) const {
  for (std::size_t k = w.fragments.size(); k-- > 0;)
    if (w.fragments[k].state == FragmentState::ready) return k;
  return w.fragments.size();
}

// Runs ready fragments until none is left, or all of them wait for others, or the slice is used up. True if anything ran. `begun`: so
// many instructions of the first one's turn have been executed.
bool Executor::run_fragments(Warp& w, u64& slice, u64 begun) {
  bool ran = false;
  std::size_t yielded = 0;  // fragments in a row
  while (slice > 0) {
    const std::size_t index = pick(w);
    if (index == w.fragments.size()) {
      if (!try_warp_sync(w)) return ran;
      continue;
    }
    ran = true;
    run_fragment(w, index, slice, std::exchange(begun, 0));
    yielded = gave_way_ ? yielded + 1 : 0;
    if (yielded &&
        yielded >= std::size_t(std::ranges::count(w.fragments, FragmentState::ready, &Fragment::state)))
      return ran;
  }
  return ran;
}

// `begun`: so many instructions of its turn have been executed.
void Executor::run_fragment(Warp& w, std::size_t index, u64& slice, u64 begun) {
  const Instruction* const code = module_.code.code.data();
  const LaneFunction* const lane_function = module_.lane_function.data();
  const u32* const straight_run = module_.straight_run.data();
  FragmentTurn turn(slice);
  turn.begin_instructions(begun);
  Fragment f = w.fragments[index];
  const auto save = [&] { w.fragments[index] = f; };
  const auto remove = [&] { w.fragments.erase(w.fragments.begin() + std::ptrdiff_t(index)); };
  polls_ = 0;
  gave_way_ = false;
  // Some lanes execute the instruction first, and meet the others, who go on at a pc, behind it.
  const auto execute_apart = [&](std::pair<u32, Mask> others, Mask first) {
    remove();
    turn.put_off_instruction();
    const std::pair<u32, Mask> ways[] = {others, {f.pc, first}};
    diverge(w, f, f.pc + 1, ways);
  };
  const auto let_others = [&] {  // after this instruction, if it was one poll too many
    if (polls_ < kSpinReads) return;
    gave_way_ = true;
    turn.end();
  };

  for (;;) {
    if (f.pc == f.rpc) {
      remove();
      return arrive(w, f.join, f.mask);
    }
    if (turn.is_over()) {  // the others' turn: this fragment goes to the end of the line
      remove();
      w.fragments.insert(w.fragments.begin(), f);
      return;
    }
    if (native_ && f.mask == kAllLanes && native_->is_entry[f.pc]) {
      const u64 most = std::min(turn.left(), budget_ - executed_), count = run_native(w, f, most);
      if (native_call_->left_when_met == NativeCall::kNever) {
        turn.begin_instructions(count);
      } else {  // the fragment in which the lanes were together again is another one, with a turn of its own
        turn.begin_instructions(most - native_call_->left_when_met);
        turn.begin_again();
        turn.begin_instructions(native_call_->left_when_met - native_call_->left);
        polls_ = 0;
      }
      if (native_call_->stop == NativeStop::has_left) return remove();
      if (native_call_->stop == NativeStop::at_exit) {
        save();
        return leave_kernel(w, index, kAllLanes);
      }
      if (native_call_->stop == NativeStop::at_barrier) {
        save();
        return arrive_at_barrier(w, w.fragments[index], code[f.pc], kAllLanes, true);
      }
      if (count) continue;
    }
    if (const u32 run = straight_run[f.pc]; run > 1 && run <= turn.left() && run <= budget_ - executed_) {
      turn.begin_instructions(run);
      for (Observer* o : hear_issues_) o->issue_run(issue_of(w, f.pc, f.mask), run);
      u8* const frame = f.frame->bytes();
      for (const u32 end = f.pc + run; f.pc < end; ++f.pc) lane_function[f.pc](code[f.pc], frame, f.mask);
      executed_ += run;
      continue;
    }
    turn.begin_instruction();
    const Instruction& in = code[f.pc];
    const Mask mask = guarded(f, in);
    if (++executed_ > budget_) out_of_budget(w, f);

    if (const LaneFunction run = lane_function[f.pc]) {
      if (mask) {
        tell_issue(w, f.pc, mask);
        run(in, f.frame->bytes(), mask);
      }
      ++f.pc;
      continue;
    }
    if (in.shape == Shape::branch || in.shape == Shape::branch_table) {
      tell_issue(w, f.pc, f.mask);
      if (in.shape == Shape::branch && in.guard == kNoOperand) {
        f.pc = in.target;
        continue;
      }
      if (in.shape == Shape::branch && (mask == 0 || mask == f.mask)) {
        tell_branch(w, f.pc, f.mask, mask);
        f.pc = mask ? in.target : f.pc + 1;
        continue;
      }
      f.branch = f.pc;
      remove();
      return in.shape == Shape::branch ? branch(w, f, in, mask) : branch_table(w, f, in);
    }
    if (mask == 0) {
      ++f.pc;
      continue;
    }
    if (mask != f.mask && may_wait(in.shape)) {
      // As if a branch jumped over the instruction.
      return execute_apart({f.pc + 1, f.mask & ~mask}, mask);
    }
    if (!may_wait(in.shape) && !tells_its_issue(in.shape)) tell_issue(w, f.pc, mask);
    switch (in.shape) {
      case Shape::load:
        load(w, f, in, mask);
        let_others();
        break;
      case Shape::store: store(w, f, in, mask); break;
      case Shape::atomic:
      case Shape::reduction:
        atomic(w, f, in, mask);
        let_others();
        break;
      case Shape::async_copy: copy_async(w, f, in, mask); break;
      case Shape::async_group: group_copies(w, f, in, mask); break;
      case Shape::mbarrier:
        mbarrier(w, f, in, mask);
        let_others();
        break;
      case Shape::fence: tell_meeting([&](Observer& o) { o.fence(issue_of(w, f.pc, mask)); }); break;
      case Shape::hint:
      case Shape::sleep: break;
      case Shape::clock: {
        if (footprint_) throw NeedsSerialOrder();
        ++changes_;  // who reads a clock may wait for the time to come: that is no deadlock
        const Special which = Special(in.mode);
        const u64 now = which == Special::clock_hi ? executed_ >> 32 : executed_;
        const u32 bytes = size_of(in.type);
        for (u32 lane = 0; lane < kWarpSize; ++lane)
          if (mask >> lane & 1 && in.d[0] != kNoOperand)
            std::memcpy(f.frame->bytes() + in.d[0] + lane * bytes, &now, bytes);
        break;
      }
      case Shape::activemask:
        for (u32 lane = 0; lane < kWarpSize; ++lane)
          if (mask >> lane & 1)
            std::memcpy(f.frame->bytes() + in.d[0] + lane * sizeof mask, &mask, sizeof mask);
        break;
      case Shape::call:
        if (const Mask first = same_callee(f, in, mask); first != mask) {
          // One callee after the other. They meet behind the call.
          return execute_apart({f.pc, mask & ~first}, first);
        }
        tell_issue(w, f.pc, mask);
        if (call(w, f, in)) {
          save();  // a fault in the callee says who called
          continue;
        }
        break;
      case Shape::leave:
        if (in.op == Op::trap) fault(FaultCode::launch_failure, f.pc, w, first_lane(mask), "trap");
        if (in.op == Op::ret) {
          leave_function(w, f);
          save();
          continue;
        }
        save();
        return leave_kernel(w, index, mask);
      case Shape::barrier:
      case Shape::barrier_red: save(); return arrive_at_barrier(w, w.fragments[index], in, f.mask);
      case Shape::barrier_arrive: arrive_at_barrier(w, f, in, mask); break;
      default:  // shuffle, vote, match, redux, warp_barrier, and matrices
        if (const Mask first = same_members(f, in, mask); first != mask) {
          // Lanes that name different masks do not wait for each other.
          return execute_apart({f.pc, mask & ~first}, first);
        }
        save();
        if (!warp_sync(w, index, in, mask)) return;
        break;
    }
    ++f.pc;
  }
}

void Executor::branch(Warp& w, Fragment& f, const Instruction& in, Mask taken) {
  tell_branch(w, f.pc, f.mask, taken);
  const std::pair<u32, Mask> ways[] = {{in.target, taken}, {f.pc + 1, f.mask & ~taken}};
  diverge(w, f, in.reconverge, ways);
}

void Executor::branch_table(Warp& w, Fragment& f, const Instruction& in) {
  const std::vector<u32>& targets = module_.code.tables[in.target];
  std::vector<std::pair<u32, Mask>> ways;
  const Mask active = guarded(f, in);
  if (f.mask & ~active) ways.push_back({f.pc + 1, f.mask & ~active});
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    if (!(active >> lane & 1)) continue;
    u32 choice;
    std::memcpy(&choice, f.frame->bytes() + in.s[0] + lane * sizeof choice, sizeof choice);
    if (choice >= targets.size())
      fault(FaultCode::launch_failure, f.pc, w, lane,
            "branch table index " + std::to_string(choice) + " of " + std::to_string(targets.size()));
    const u32 pc = targets[choice];
    auto way = ways.begin();
    while (way != ways.end() && way->first != pc) ++way;
    if (way == ways.end()) ways.push_back({pc, Mask(1) << lane});
    else way->second |= Mask(1) << lane;
  }
  tell_branch(w, f.pc, f.mask, ways.front().second);
  diverge(w, f, in.reconverge, ways);
}

// Replaces a fragment (already taken off the list) by one per way; the last way runs first.
void Executor::diverge(Warp& w, const Fragment& f, u32 reconverge,
                       std::span<const std::pair<u32, Mask>> ways) {
  w.was_divergent = true;
  int join = f.join;
  u32 rpc = f.rpc;
  if (reconverge != kNoReconvergence && reconverge != f.rpc) {
    if (w.free_joins.empty()) {
      w.free_joins.push_back(int(w.joins.size()));
      w.joins.emplace_back();
    }
    join = w.free_joins.back();
    w.free_joins.pop_back();
    w.joins[std::size_t(join)] = {reconverge, f.mask, 0, f.join, f.frame, f.branch};
    rpc = reconverge;
  }
  Mask there = 0;  // lanes that jump straight to the join
  for (const auto& [pc, mask] : ways) {
    if (pc == rpc) {
      there |= mask;
      continue;
    }
    Fragment part = f;
    part.pc = pc;
    part.mask = mask;
    part.join = join;
    part.rpc = rpc;
    w.fragments.push_back(part);
  }
  if (there) arrive(w, join, there);
}

void Executor::arrive(Warp& w, int join, Mask mask) {
  Join& j = w.joins[std::size_t(join)];
  j.arrived |= mask;
  j.pending &= ~mask;
  if (j.pending == 0) complete(w, join);
}

// All lanes that are still alive have come: they go on together.
void Executor::complete(Warp& w, int join) {
  const Join j = w.joins[std::size_t(join)];
  w.free_joins.push_back(join);
  if (j.arrived == 0) return;
  Fragment f;
  f.pc = j.pc;
  f.mask = j.arrived;
  f.join = j.parent;
  f.rpc = j.parent < 0 ? kNoReconvergence : w.joins[std::size_t(j.parent)].pc;
  f.frame = j.frame;
  if (j.parent >= 0) f.branch = w.joins[std::size_t(j.parent)].branch;
  w.fragments.push_back(f);
}

bool Executor::part_joins(Block& block) {
  bool any = false;
  for (Warp& w : block.warps)
    for (std::size_t k = 0; k < w.joins.size(); ++k) {
      Join& j = w.joins[k];
      if (j.arrived == 0 || std::ranges::find(w.free_joins, int(k)) != w.free_joins.end()) continue;
      // Lanes that others wait for by name have passed the place where they are waited for: that is a deadlock.
      const auto names_them = [&](const Fragment& f) {
        return f.state == FragmentState::at_warp_sync && (f.members & j.arrived);
      };
      if (std::ranges::any_of(w.fragments, names_them)) continue;
      Fragment f;
      f.pc = j.pc;
      f.mask = std::exchange(j.arrived, 0);
      f.join = j.parent;
      f.rpc = j.parent < 0 ? kNoReconvergence : w.joins[std::size_t(j.parent)].pc;
      f.frame = j.frame;
      f.branch = j.branch;
      w.fragments.push_back(f);
      w.parted = any = true;
    }
  return any;
}

// Lanes of a fragment leave, whose issue has been told.
void Executor::leave_kernel(Warp& w, std::size_t index, Mask mask) {
  Fragment& f = w.fragments[index];
  tell_meeting([&](Observer& o) { o.exit(issue_of(w, f.pc, mask)); });
  ++f.pc;
  exit_lanes(w, f, mask);
  if (w.fragments[index].mask == 0) w.fragments.erase(w.fragments.begin() + std::ptrdiff_t(index));
}

void Executor::exit_lanes(Warp& w, Fragment& f, Mask mask) {
  if (w.async_copies) wait_for_copies(w, mask, {});
  f.mask &= ~mask;
  w.alive &= ~mask;
  w.block->live_threads -= lane_count(mask);
  // No join waits for them any more: neither in this call nor in its callers.
  int join = f.join;
  for (Frame* frame = f.frame; frame; join = frame->caller_join, frame = frame->caller)
    while (join >= 0) {
      const int parent = w.joins[std::size_t(join)].parent;
      const bool waited = w.joins[std::size_t(join)].pending != 0;
      w.joins[std::size_t(join)].pending &= ~mask;
      if (waited && w.joins[std::size_t(join)].pending == 0) complete(w, join);
      join = parent;
    }
  for (u32 id = 0; id < kBarriers; ++id)
    if (w.block->barriers[id].arrived) check_barrier(*w.block, id);
}

}  // namespace gpusim
