// Barriers in shared memory (mbarrier): arrivals, completed phases, and threads that have waited for a phase.
#include <bit>
#include <cstring>
#include <memory>
#include <string>

#include "execution/async_pipe.h"
#include "execution/fault_reporter.h"
#include "execution/lane_registers.h"
#include "execution/module.h"
#include "lanes/each_lane.h"
#include "lanes/mbarrier.h"

namespace gpusim {
namespace {

constexpr u64 kMostFailedWaits = u64(1) << 22;  // in a row, by all warps, without a change by any thread

Mbarrier barrier_at(const Block& block, u64 address) {
  Mbarrier b;
  std::memcpy(&b, block.shared.data() + address, sizeof b);
  return b;
}
void put(Block& block, u64 address, Mbarrier b) { std::memcpy(block.shared.data() + address, &b, sizeof b); }
std::string arrivals(u64 count) { return std::to_string(count) + (count == 1 ? " arrival" : " arrivals"); }

}  // namespace

void AsyncPipe::tell_mbarrier(const Warp& w, u32 pc, u32 lane, u64 barrier, MbarrierStep step) const {
  if (hub_.all.empty()) return;
  u64 address[kWarpSize] = {};
  address[lane] = barrier;
  Access a;
  static_cast<Issue&>(a) = issue_of(w, pc, Mask(1) << lane);
  a.space = Space::shared;
  a.kind = step == MbarrierStep::set_up ? AccessKind::store : AccessKind::atomic;
  a.bytes = sizeof(Mbarrier);
  a.address = address;
  a.instruction = &module_.code.code[pc];
  hub_.tell([&](Observer& o) { o.mbarrier(a, step); });
}

// One lane arrives, `count` times.
void AsyncPipe::arrive_at_mbarrier(Warp& w, u32 pc, u32 lane, u64 address, u64 count, bool drops) {
  const Mbarrier b = barrier_at(*w.block, address);
  if (count > b.pending())
    faults_.fault(FaultCode::launch_failure, pc, w, lane,
                  arrivals(count) + " at a barrier in shared memory that waits for " +
                      std::to_string(b.pending()) + ": the count that it was initialised with is too small");
  const u64 expected = b.expected() - (drops ? count : 0), left = b.pending() - count;
  put(*w.block, address, Mbarrier::of(expected, left ? left : expected, b.odd_phase() != (left == 0)));
  spin_.changed();
  if (left == 0) tell_mbarrier(w, pc, lane, address, MbarrierStep::complete);
}

// Executes an instruction on barriers in shared memory. The lanes of the mask may name different barriers or the same one.
class AsyncPipe::MbarrierRun {
 public:
  MbarrierRun(AsyncPipe& pipe, Warp& w, Fragment& f, const Instruction& in, Mask mask)
      : x_(pipe), w_(w), f_(f), in_(in), mask_(mask) {
    x_.pipe_.shared_addresses(w, f, in, mask, at_);
  }

  void run() {
    for_each_lane(mask_, [&](u32 l) { execute(l); });
    if (wait_failed_) give_way();
    if (in_.op == Op::cp_async_mbarrier_arrive)
      x_.end_arrivals(w_);  // of lanes that have no copies under way
  }

 private:
  void execute(u32 l) {
    switch (in_.op) {
      case Op::mbarrier_init: return initialise(l);
      case Op::mbarrier_inval: return set_up(l, {});
      case Op::mbarrier_arrive:
      case Op::mbarrier_arrive_drop: return arrive(l);
      case Op::cp_async_mbarrier_arrive: return arrive_after_copies(l);
      case Op::mbarrier_test_wait: return test(l);
      default: refuse(l, std::string("'") + mnemonic(in_.op) + "' is not simulated; run this on a GPU");
    }
  }

  Mbarrier barrier(u32 l) const { return barrier_at(*w_.block, at_[l]); }
  u32 number(u32 l) const { return lane_value<u32>(f_.frame, in_.s[1], l); }
  [[noreturn]] void refuse(u32 l, const std::string& what) const {
    x_.faults_.fault(FaultCode::launch_failure, f_.pc, w_, l, what);
  }
  void must_be_initialised(u32 l, const char* does) const {
    if (!barrier(l).is_initialised())
      refuse(l, std::string(does) +
                    " a barrier in shared memory that was not initialised: let one thread init() it, and "
                    "put __syncthreads() after that");
  }

  void initialise(u32 l) {
    const u32 count = number(l);
    if (count == 0 || count > Mbarrier::kMostArrivals)
      refuse(l, "a barrier in shared memory is for 1 to 1048575 arrivals, not for " + std::to_string(count));
    set_up(l, Mbarrier::of(count, count, false));
  }
  void set_up(u32 l, Mbarrier b) {
    x_.tell_mbarrier(w_, f_.pc, l, at_[l], MbarrierStep::set_up);
    put(*w_.block, at_[l], b);
    x_.spin_.changed();
  }

  void arrive(u32 l) {
    const Mbarrier b = barrier(l);
    const u64 count = in_.mode == kNoComplete ? number(l) : 1;
    must_be_initialised(l, "it arrives at");
    if (in_.mode == kNoComplete && count >= b.pending())
      refuse(l, "an arrival with .noComplete must not complete a phase, but this one does: it counts as " +
                    arrivals(count) + ", and " + std::to_string(b.pending()) + " were missing");
    x_.tell_mbarrier(w_, f_.pc, l, at_[l], MbarrierStep::arrive);
    x_.arrive_at_mbarrier(w_, f_.pc, l, at_[l], count, in_.op == Op::mbarrier_arrive_drop);
    set_lane_value(f_.frame, in_.d[0], l, b);
  }
  // When the lane's copies so far have ended.
  void arrive_after_copies(u32 l) {
    const Mbarrier b = barrier(l);
    must_be_initialised(l, "a copy arrives at");
    const bool is_counted = in_.mode == kNoIncrement;
    if (!is_counted) put(*w_.block, at_[l], Mbarrier::of(b.expected(), b.pending() + 1, b.odd_phase()));
    if (!w_.async_copies) w_.async_copies = std::make_unique<AsyncCopies>();
    w_.async_copies->arrivals.push_back({f_.pc, l, at_[l], w_.async_copies->asked});
  }

  void test(u32 l) {
    const bool phase =
        in_.mode == kParity ? number(l) & 1 : Mbarrier{lane_value<u64>(f_.frame, in_.s[1], l)}.odd_phase();
    must_be_initialised(l, "it waits at");
    const auto is_over = [&] { return barrier(l).odd_phase() != phase; };
    const bool done = is_over() || (x_.end_copies_for(*w_.block, at_[l]) && is_over());
    if (done) x_.tell_mbarrier(w_, f_.pc, l, at_[l], MbarrierStep::passed);
    else wait_failed_ = true;
    set_lane_predicate(f_.frame, in_.d[0], l, done);
  }
  void give_way() {
    x_.spin_.polled();
    if (++x_.spin_.failed_waits <= kMostFailedWaits) return;
    const u32 l = u32(std::countr_zero(mask_));
    x_.faults_.fault(FaultCode::timeout, f_.pc, w_, l,
                     "deadlock: it waits at a barrier in shared memory for " +
                         arrivals(barrier(l).pending()) + " that never come");
  }

  AsyncPipe& x_;
  Warp& w_;
  Fragment& f_;
  const Instruction& in_;
  const Mask mask_;
  u64 at_[kWarpSize];  // where the lanes' barriers are
  bool wait_failed_ = false;
};

void AsyncPipe::mbarrier(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  MbarrierRun(*this, w, f, in, mask).run();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
