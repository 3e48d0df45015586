// Barriers in shared memory (mbarrier): who arrives, when a phase completes, who has waited for it.
#include <bit>
#include <cstring>

#include "execution/exec.h"
#include "lanes/each_lane.h"
#include "lanes/mbarrier.h"

namespace gpusim {
namespace {

constexpr u64 kMostVainWaits = u64(1) << 22;  // in a row, by all warps, while nobody changes anything

template <class T> T value(const Frame* frame, FrameOffset at, u32 lane) {
  T v;
  std::memcpy(&v, frame->bytes() + at + lane * sizeof v, sizeof v);
  return v;
}
Mbarrier barrier_at(const Block& block, u64 address) {
  Mbarrier b;
  std::memcpy(&b, block.shared.data() + address, sizeof b);
  return b;
}
void put(Block& block, u64 address, Mbarrier b) { std::memcpy(block.shared.data() + address, &b, sizeof b); }
std::string arrivals(u64 count) { return std::to_string(count) + (count == 1 ? " arrival" : " arrivals"); }

}  // namespace

void Executor::tell_mbarrier(const Warp& w, u32 pc, u32 lane, u64 barrier, MbarrierStep step) const {
  if (observers_.empty()) return;
  u64 address[kWarpSize] = {};
  address[lane] = barrier;
  Access a;
  static_cast<Issue&>(a) = issue_of(w, pc, Mask(1) << lane);
  a.space = Space::shared;
  a.kind = step == MbarrierStep::set_up ? AccessKind::store : AccessKind::atomic;
  a.bytes = sizeof(Mbarrier);
  a.address = address;
  a.instruction = &instruction(pc);
  tell([&](Observer& o) { o.mbarrier(a, step); });
}

// One lane arrives, `count` times.
void Executor::arrive_at_mbarrier(Warp& w, u32 pc, u32 lane, u64 address, u64 count, bool drops) {
  const Mbarrier b = barrier_at(*w.block, address);
  if (count > b.pending())
    fault(FaultCode::launch_failure, pc, w, lane,
          arrivals(count) + " at a barrier in shared memory that waits for " + std::to_string(b.pending()) +
              ": the count that it was initialised with is too small");
  const u64 expected = b.expected() - (drops ? count : 0), left = b.pending() - count;
  put(*w.block, address, Mbarrier::of(expected, left ? left : expected, b.odd_phase() != (left == 0)));
  changed();
  if (left == 0) tell_mbarrier(w, pc, lane, address, MbarrierStep::complete);
}

void Executor::mbarrier(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  u64 at[kWarpSize];
  shared_addresses(w, f, in, mask, at);
  const auto number = [&](u32 l) { return value<u32>(f.frame, in.s[1], l); };
  const auto refuse = [&](u32 lane, const std::string& what) {
    fault(FaultCode::launch_failure, f.pc, w, lane, what);
  };
  bool waits_in_vain = false;
  for_each_lane(mask, [&](u32 l) {
    const Mbarrier b = barrier_at(*w.block, at[l]);
    const auto must_be_initialised = [&](const char* does) {
      if (!b.is_initialised())
        refuse(l, std::string(does) +
                      " a barrier in shared memory that was not initialised: let one thread init() it, and "
                      "put __syncthreads() behind that");
    };
    switch (in.op) {
      case Op::mbarrier_init:
        if (number(l) == 0 || number(l) > Mbarrier::kMostArrivals)
          refuse(l, "a barrier in shared memory is for 1 to 1048575 arrivals, not for " +
                        std::to_string(number(l)));
        tell_mbarrier(w, f.pc, l, at[l], MbarrierStep::set_up);
        put(*w.block, at[l], Mbarrier::of(number(l), number(l), false));
        changed();
        break;
      case Op::mbarrier_inval:
        tell_mbarrier(w, f.pc, l, at[l], MbarrierStep::set_up);
        put(*w.block, at[l], {});
        changed();
        break;
      case Op::mbarrier_arrive:
      case Op::mbarrier_arrive_drop: {
        const u64 count = in.mode == kNoComplete ? number(l) : 1;
        must_be_initialised("it arrives at");
        if (in.mode == kNoComplete && count >= b.pending())
          refuse(l, "an arrival that must not complete a phase (.noComplete) completes it: " +
                        arrivals(count) + " of " + std::to_string(b.pending()));
        tell_mbarrier(w, f.pc, l, at[l], MbarrierStep::arrive);
        arrive_at_mbarrier(w, f.pc, l, at[l], count, in.op == Op::mbarrier_arrive_drop);
        if (in.d[0] != kNoOperand) std::memcpy(f.frame->bytes() + in.d[0] + l * sizeof b, &b, sizeof b);
        break;
      }
      case Op::cp_async_mbarrier_arrive: {
        must_be_initialised("a copy arrives at");
        const bool counted = in.mode == kNoIncrement;
        if (!counted) put(*w.block, at[l], Mbarrier::of(b.expected(), b.pending() + 1, b.odd_phase()));
        if (!w.async_copies) w.async_copies = std::make_unique<AsyncCopies>();
        w.async_copies->arrivals.push_back({f.pc, l, at[l], w.async_copies->asked});
        break;
      }
      case Op::mbarrier_test_wait: {
        const bool phase =
            in.mode == kParity ? number(l) & 1 : Mbarrier{value<u64>(f.frame, in.s[1], l)}.odd_phase();
        must_be_initialised("it waits at");
        bool done = b.odd_phase() != phase;
        if (!done && end_copies_for(*w.block, at[l])) done = barrier_at(*w.block, at[l]).odd_phase() != phase;
        if (done) {
          tell_mbarrier(w, f.pc, l, at[l], MbarrierStep::passed);
        } else {
          waits_in_vain = true;
        }
        u8* const d = f.frame->bytes() + in.d[0];
        Mask p;
        std::memcpy(&p, d, sizeof p);
        p = done ? p | Mask(1) << l : p & ~(Mask(1) << l);
        std::memcpy(d, &p, sizeof p);
        break;
      }
      default: break;
    }
  });
  if (waits_in_vain) {
    polled();
    const u32 l = u32(std::countr_zero(mask));
    if (++vain_waits_ > kMostVainWaits)
      fault(FaultCode::timeout, f.pc, w, l,
            "deadlock: it waits at a barrier in shared memory for " +
                arrivals(barrier_at(*w.block, at[l]).pending()) + ", which nobody makes");
  }
  if (in.op == Op::cp_async_mbarrier_arrive) end_arrivals(w);  // of lanes that have no copies under way
}

}  // namespace gpusim
