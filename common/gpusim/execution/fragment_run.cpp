// One fragment's turn: the loop over its instructions, and what each shape does.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "execution/exec.h"
#include "execution/module.h"
#include "execution/needs_serial_order.h"

namespace gpusim {
namespace {

// Warp instructions before the warp's other lanes get a turn: one of them may be waited for.
constexpr u64 kFragmentSlice = 1 << 14;

// simcc lets clang put a trap where what comes next is undefined, and marks it (simcc/passes.py).
constexpr const char* kEndOfDefinedCode =
    "undefined behaviour: C++ does not define what happens from here on, so the compiler has dropped the rest. Does a function "
    "end without `return VALUE;`, does an endless loop change nothing, or is this __builtin_unreachable()?";

// Lanes whose guard is false must not wait with those whose guard is true. (A call may wait in its function.)
bool may_wait(Shape s) { return s == Shape::call || facts_of(s).meets != ShapeFacts::Meets::nobody; }

}  // namespace

// Works on a copy of the fragment. The warp gets it back wherever other code may look at it.
class Executor::FragmentRun {
 public:
  FragmentRun(Executor& executor, Warp& w, std::size_t index, u64& slice)
      : x_(executor), w_(w), index_(index), f_(w.fragments[index]), turn_(slice) {}

  void run() {
    const Instruction* const code = x_.module_.code.code.data();
    const LaneFunction* const lane_function = x_.module_.lane_function.data();
    const u32* const straight_run = x_.module_.straight_run.data();
    for (;;) {
      if (f_.pc == f_.rpc) {
        remove();
        return x_.arrive(w_, f_.join, f_.mask);
      }
      if (turn_.is_over()) return go_to_end_of_line();
      if (const u32 run = straight_run[f_.pc];
          run > 1 && run <= turn_.left() && run <= x_.budget_ - x_.executed_) {
        run_straight(code, lane_function, run);
        continue;
      }
      turn_.begin_instruction();
      const Instruction& in = code[f_.pc];
      const Mask mask = guarded(f_, in);
      if (++x_.executed_ > x_.budget_) x_.faults_.out_of_budget(w_, f_, x_.budget_, x_.ended_);
      if (const LaneFunction compute = lane_function[f_.pc]) {
        if (mask) {
          x_.hub_.tell_issue(w_, f_.pc, mask);
          if (x_.hub_.is_told_divisions()) x_.hub_.tell_division(w_, f_, in, mask);
          compute(in, f_.frame->bytes(), mask);
        }
        ++f_.pc;
      } else if (jumps(in.shape)) {
        if (!jump(in, mask)) return;
      } else if (mask == 0) {
        ++f_.pc;
      } else if (!execute(in, mask)) {
        return;
      }
    }
  }

 private:
  // Warp instructions that a fragment may execute before others get their turn. What it leaves goes back to the warp's slice.
  class Turn {
   public:
    explicit Turn(u64& slice) : slice_(slice), left_(std::min(slice, kFragmentSlice)) { slice_ -= left_; }
    ~Turn() { slice_ += left_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

    bool is_over() const { return left_ == 0; }
    u64 left() const { return left_; }
    void begin_instruction() { --left_; }
    void begin_instructions(u64 count) { left_ -= count; }
    void defer_instruction() { ++left_; }  // it has not been executed yet
    void end() {                           // behind this instruction
      slice_ += left_;
      left_ = 0;
    }

   private:
    u64& slice_;
    u64 left_;
  };

  void save() { w_.fragments[index_] = f_; }
  void remove() { w_.fragments.erase(w_.fragments.begin() + std::ptrdiff_t(index_)); }
  void go_to_end_of_line() {
    remove();
    w_.fragments.insert(w_.fragments.begin(), f_);
  }
  // The lanes of `first` execute the instruction now. Behind it they meet the others, which continue at a pc of theirs.
  void execute_separately(std::pair<u32, Mask> others, Mask first) {
    remove();
    turn_.defer_instruction();
    const std::pair<u32, Mask> ways[] = {others, {f_.pc, first}};
    x_.diverge(w_, f_, f_.pc + 1, ways);
  }
  // Ends the turn after this instruction if the fragment has polled too often.
  void let_others() {
    if (x_.spin_.polls < kSpinReads) return;
    x_.spin_.yielded_early = true;
    turn_.end();
  }

  // Instructions that all compute lanes, without guards and without a place where lanes meet.
  void run_straight(const Instruction* code, const LaneFunction* lane_function, u32 run) {
    turn_.begin_instructions(run);
    for (Observer* o : x_.hub_.issues) o->issue_run(issue_of(w_, f_.pc, f_.mask), run);
    u8* const frame = f_.frame->bytes();
    const u32 end = f_.pc + run;
    if (x_.hub_.is_told_divisions()) [[unlikely]] {
      for (; f_.pc < end; ++f_.pc) {
        x_.hub_.tell_division(w_, f_, code[f_.pc], f_.mask);
        lane_function[f_.pc](code[f_.pc], frame, f_.mask);
      }
    }
    for (; f_.pc < end; ++f_.pc) lane_function[f_.pc](code[f_.pc], frame, f_.mask);
    x_.executed_ += run;
  }

  // False if the fragment has been replaced by one for each way.
  bool jump(const Instruction& in, Mask mask) {
    x_.hub_.tell_issue(w_, f_.pc, f_.mask);
    if (in.shape == Shape::branch && in.guard == kNoOperand) {
      f_.pc = in.target;
      return true;
    }
    if (in.shape == Shape::branch) x_.module_.branch_sides.note(f_.pc, f_.mask, mask);
    if (in.shape == Shape::branch && (mask == 0 || mask == f_.mask)) {
      x_.hub_.tell_branch(w_, f_.pc, f_.mask, mask);
      f_.pc = mask ? in.target : f_.pc + 1;
      return true;
    }
    f_.branch = f_.pc;
    remove();
    if (in.shape == Shape::branch) x_.branch(w_, f_, in, mask);
    else x_.branch_table(w_, f_, in);
    return false;
  }

  // Executes what neither computes lanes nor branches. False: the fragment waits, or is gone.
  bool execute(const Instruction& in, Mask mask) {
    if (may_wait(in.shape)) {
      if (mask != f_.mask) {  // as if a branch jumped over the instruction
        execute_separately({f_.pc + 1, f_.mask & ~mask}, mask);
        return false;
      }
    } else if (!is_load_or_store(in.shape)) {  // load() and store() tell their issue
      x_.hub_.tell_issue(w_, f_.pc, mask);
    }
    switch (in.shape) {
      case Shape::load:
        x_.pipe_.load(w_, f_, in, mask);
        let_others();
        break;
      case Shape::store: x_.pipe_.store(w_, f_, in, mask); break;
      case Shape::atomic:
      case Shape::reduction:
        x_.pipe_.atomic(w_, f_, in, mask);
        let_others();
        break;
      case Shape::async_copy: x_.async_.copy(w_, f_, in, mask); break;
      case Shape::async_group: x_.async_.group_copies(w_, f_, in, mask); break;
      case Shape::mbarrier:
        x_.async_.mbarrier(w_, f_, in, mask);
        let_others();
        break;
      case Shape::fence:
        x_.hub_.tell_meeting([&](Observer& o) { o.fence(issue_of(w_, f_.pc, mask)); });
        break;
      case Shape::hint:
      case Shape::sleep: break;
      case Shape::clock: read_clock(in, mask); break;
      case Shape::activemask: give_to_lanes(in, mask, mask, sizeof mask); break;
      case Shape::call: return call(in, mask);
      case Shape::leave: return leave(in, mask);
      case Shape::barrier:
      case Shape::barrier_red:
        save();
        x_.sync_.arrive_at_barrier(w_, w_.fragments[index_], in, f_.mask);
        return false;
      case Shape::barrier_arrive: x_.sync_.arrive_at_barrier(w_, f_, in, mask); break;
#define WARP_SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
        return meet(in, mask);
      case Shape::branch:
      case Shape::branch_table:
#define LANE_SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
        break;  // run() sees to these
    }
    ++f_.pc;
    return true;
  }

  // Writes the same value, `bytes` long, to each of the lanes.
  void give_to_lanes(const Instruction& in, Mask mask, u64 value, u32 bytes) {
    if (in.d[0] == kNoOperand) return;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      if (mask >> lane & 1) std::memcpy(f_.frame->bytes() + in.d[0] + lane * bytes, &value, bytes);
  }

  void read_clock(const Instruction& in, Mask mask) {
    if (x_.pipe_.footprint()) throw NeedsSerialOrder();
    x_.hub_.tell_unseen();
    ++x_.spin_.changes;  // a thread that reads a clock may be waiting for time to pass: that is no deadlock
    const bool is_high = Special(in.mode) == Special::clock_hi;
    give_to_lanes(in, mask, is_high ? x_.executed_ >> 32 : x_.executed_, size_of(in.type));
  }

  bool call(const Instruction& in, Mask mask) {
    if (const Mask first = x_.calls_.same_callee(f_, in, mask); first != mask) {
      // One callee after the other. They meet behind the call.
      execute_separately({f_.pc, mask & ~first}, first);
      return false;
    }
    x_.hub_.tell_issue(w_, f_.pc, mask);
    if (x_.calls_.call(w_, f_, in)) save();  // a fault in the callee says who called
    else ++f_.pc;
    return true;
  }

  bool leave(const Instruction& in, Mask mask) {
    if (in.op == Op::trap)
      x_.faults_.fault(FaultCode::launch_failure, f_.pc, w_, u32(std::countr_zero(mask)),
                       in.mode == kTrapUndefined ? kEndOfDefinedCode : "trap");
    if (in.op == Op::brkpt)
      x_.faults_.fault(FaultCode::launch_failure, f_.pc, w_, u32(std::countr_zero(mask)),
                       "a breakpoint (brkpt, __brkpt()) was reached, and no debugger is there");
    if (in.op == Op::ret) {
      x_.calls_.leave_function(w_, f_);
      save();
      return true;
    }
    save();
    x_.leave_kernel(w_, index_, mask);
    return false;
  }

  // What lanes of a warp do together.
  bool meet(const Instruction& in, Mask mask) {
    if (const Mask first = x_.sync_.same_members(f_, in, mask); first != mask) {
      // Lanes that name different masks do not wait for each other.
      execute_separately({f_.pc, mask & ~first}, first);
      return false;
    }
    save();
    if (!x_.sync_.warp_sync(w_, index_, in, mask)) return false;
    ++f_.pc;
    return true;
  }

  Executor& x_;
  Warp& w_;
  const std::size_t index_;  // in w_.fragments
  Fragment f_;
  Turn turn_;
};

void Executor::run_fragment(Warp& w, std::size_t index, u64& slice) {
  spin_.polls = 0;
  spin_.yielded_early = false;
  FragmentRun(*this, w, index, slice).run();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
