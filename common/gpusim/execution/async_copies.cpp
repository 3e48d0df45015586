// Copies into shared memory that go on by themselves (cp.async): their groups, and when they arrive.
#include <algorithm>
#include <cstring>

#include "execution/async_pipe.h"
#include "lanes/each_lane.h"

namespace gpusim {

AsyncPipe::AsyncPipe(MemoryPipe& pipe, const LoadedModule& module, const ObserverHub& hub,
                     const FaultReporter& faults, SpinReads& spin)
    : pipe_(pipe), module_(module), hub_(hub), faults_(faults), spin_(spin) {}

namespace {

// The event that observers receive for a copy: a store to shared memory by the lanes.
Access store_of(const Warp& w, const AsyncCopies::Copy& copy, Mask lanes) {
  Access a;
  static_cast<Issue&>(a) = issue_of(w, copy.pc, lanes);
  a.space = Space::shared;
  a.kind = AccessKind::store;
  a.bytes = copy.bytes;
  a.address = copy.to;
  a.instruction = copy.instruction;
  return a;
}

}  // namespace

// The bytes are read now, and written when the copy arrives.
void AsyncPipe::copy(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  if (!w.async_copies) w.async_copies = std::make_unique<AsyncCopies>();
  AsyncCopies& all = *w.async_copies;
  constexpr std::size_t kMostUnderWay = 1024;  // a kernel that never waits must not fill the host's memory
  if (all.copies.size() >= kMostUnderWay) wait_for_copies(w, kAllLanes, {});
  AsyncCopies::Copy& copy = all.copies.emplace_back();
  copy.number = all.asked++;
  copy.instruction = &in;
  copy.pc = f.pc;
  copy.under_way = mask;
  copy.bytes = size_of(in.type) * in.vector;
  std::ranges::copy(all.closed, copy.group);
  pipe_.read_for_copy(w, f, in, mask, copy);
  if (hub_.all.empty()) return;
  const Access a = store_of(w, copy, mask);
  hub_.tell([&](Observer& o) { o.copy_begins(a); });
}

// The copies of lanes for which ends(copy, lane) arrive. True if any did. `waits`: because the lanes wait for them.
template <class Ends> bool AsyncPipe::end_copies(Warp& w, bool waits, Ends ends) {
  if (!w.async_copies) return false;
  AsyncCopies& all = *w.async_copies;
  const auto is_for_barrier = [&](const AsyncCopies::Copy& copy, u32 lane) {
    return std::ranges::any_of(all.arrivals,
                               [&](const auto& a) { return a.lane == lane && copy.number < a.before; });
  };
  bool any = false;
  for (AsyncCopies::Copy& copy : all.copies) {
    Mask arrive = 0, for_barrier = 0;
    for_each_lane(copy.under_way, [&](u32 l) {
      if (!ends(copy, l)) return;
      arrive |= Mask(1) << l;
      if (is_for_barrier(copy, l)) for_barrier |= Mask(1) << l;
    });
    if (arrive == 0) continue;
    any = true;
    spin_.changed();
    for_each_lane(arrive,
                  [&](u32 l) { std::memcpy(w.block->shared.data() + copy.to[l], copy.data[l], copy.bytes); });
    copy.under_way &= ~arrive;
    if (hub_.all.empty()) continue;
    const auto tell_end = [&](Mask lanes, CopyEnd end) {
      if (lanes == 0) return;
      const Access a = store_of(w, copy, lanes);
      hub_.tell([&](Observer& o) { o.copy_arrives(a, end); });
    };
    tell_end(arrive & ~for_barrier, CopyEnd::by_wait);
    tell_end(for_barrier, waits ? CopyEnd::by_both : CopyEnd::by_barrier);
  }
  std::erase_if(all.copies, [](const auto& copy) { return copy.under_way == 0; });
  end_arrivals(w);
  return any;
}

// Completes the lanes' copies, except those in the last `left` closed groups and any issued later.
void AsyncPipe::wait_for_copies(Warp& w, Mask lanes, std::optional<u32> left) {
  end_copies(w, true, [&](const AsyncCopies::Copy& copy, u32 l) {
    return (lanes >> l & 1) && (!left || u64(copy.group[l]) + *left < w.async_copies->closed[l]);
  });
}

// A thread waits at a barrier, so the copies that arrive at this barrier complete now.
bool AsyncPipe::end_copies_for(Block& block, u64 barrier) {
  bool any = false;
  for (Warp& w : block.warps) {
    if (!w.async_copies) continue;
    u64 before[kWarpSize] = {};
    for (const auto& a : w.async_copies->arrivals)
      if (a.barrier == barrier) before[a.lane] = std::max(before[a.lane], a.before);
    any |=
        end_copies(w, false, [&](const AsyncCopies::Copy& copy, u32 l) { return copy.number < before[l]; });
  }
  return any;
}

// Lanes whose copies have ended arrive at the barriers that wait for these.
void AsyncPipe::end_arrivals(Warp& w) {
  AsyncCopies& all = *w.async_copies;
  std::vector<AsyncCopies::Arrival> now;
  std::erase_if(all.arrivals, [&](const auto& a) {
    const bool waits = std::ranges::any_of(all.copies, [&](const auto& copy) {
      return copy.number < a.before && (copy.under_way >> a.lane & 1);
    });
    if (!waits) now.push_back(a);
    return !waits;
  });
  for (const auto& a : now) {
    tell_mbarrier(w, a.pc, a.lane, a.barrier, MbarrierStep::copies_arrive);
    arrive_at_mbarrier(w, a.pc, a.lane, a.barrier, 1, false);
  }
}

void AsyncPipe::group_copies(Warp& w, const Fragment& f, const Instruction& in, Mask mask) {
  if (in.op == Op::cp_async_wait_all) return wait_for_copies(w, mask, {});
  if (in.op == Op::cp_async_wait_group) {
    u32 left;
    std::memcpy(&left, f.frame->bytes() + in.s[0], sizeof left);
    return wait_for_copies(w, mask, left);
  }
  if (w.async_copies) for_each_lane(mask, [&](u32 l) { ++w.async_copies->closed[l]; });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
