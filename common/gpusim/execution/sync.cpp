#include "execution/synchronisation.h"

#include <bit>
#include <cstring>
#include <utility>

#include "execution/fault_reporter.h"
#include "execution/lane_registers.h"
#include "execution/module.h"
#include "lanes/each_lane.h"
#include "lanes/shuffle_sources.h"

namespace gpusim {
namespace {

// The lanes with which a lane meets.
Mask members_of(const Instruction& in, const Frame* frame, u32 lane) {
  return meets_whole_warp(in.shape) ? kAllLanes : lane_value<Mask>(frame, in.s[mask_operand(in.shape)], lane);
}
// The kind that observers hear; a match or reduction counts as a vote.
SyncKind kind_of(const Instruction& in) {
  switch (facts_of(in.shape).kind) {
    using enum ShapeFacts::Kind;
    case warp_sync: return SyncKind::warp_barrier;
    case shuffle: return SyncKind::shuffle;
    case barrier: return SyncKind::block_barrier;
    case vote:
    case other:
    case load:
    case store:
    case atomic:
    case branch:
    case call:
    case leave: return SyncKind::vote;
  }
  return SyncKind::vote;
}
// Lanes meet at "the same" instruction if it does the same, wherever it stands (PTX ISA, "shfl.sync").
bool same_exchange(const Instruction& a, const Instruction& b) {
  return a.op == b.op && a.mode == b.mode && a.type == b.type &&
         (!meets_whole_warp(a.shape) || a.vector == b.vector);
}

}  // namespace

Synchronisation::Synchronisation(MemoryPipe& pipe, const LoadedModule& module, const LaunchInfo& launch,
                                 const ObserverHub& hub, const FaultReporter& faults)
    : pipe_(pipe), module_(module), launch_(launch), hub_(hub), faults_(faults) {}

Mask Synchronisation::same_members(const Fragment& f, const Instruction& in, Mask mask) const {
  if (meets_whole_warp(in.shape)) return mask;
  Mask members[kWarpSize], same = 0;
  std::memcpy(members, f.frame->bytes() + in.s[mask_operand(in.shape)], sizeof members);
  const Mask first = members[std::countr_zero(mask)];
  Mask differ = 0;
  for (u32 l = 0; l < kWarpSize; ++l) differ |= members[l] ^ first;
  if (differ == 0) return mask;
  for (u32 l = 0; l < kWarpSize; ++l) same |= Mask(members[l] == first) << l;
  return same & mask;
}

bool Synchronisation::warp_sync(Warp& w, std::size_t index, const Instruction& in, Mask mask) {
  Fragment& f = w.fragments[index];
  const Mask members = members_of(in, f.frame, u32(std::countr_zero(mask)));
  if ((members & w.alive & ~mask) == 0) {
    hub_.tell_issue(w, f.pc, mask);
    if (!meets_whole_warp(in.shape))
      hub_.tell_meeting([&](Observer& o) { o.sync(issue_of(w, f.pc, mask), kind_of(in), members); });
    if (in.shape == Shape::shuffle && mask == kAllLanes) {
      shuffle_warp(w, f, in, members);
      return true;
    }
    SyncLane lane[kWarpSize];
    for_each_lane(mask, [&](u32 l) { lane[l] = {f.frame, &in}; });
    exchange(w, f.pc, in, lane, true, mask, members);
    return true;
  }
  f.state = FragmentState::at_warp_sync;
  f.members = members;
  return false;
}

bool Synchronisation::try_warp_sync(Warp& w) {
  for (std::size_t first = 0; first < w.fragments.size(); ++first) {
    if (w.fragments[first].state != FragmentState::at_warp_sync) continue;
    const Instruction& in = module_.code.code[w.fragments[first].pc];
    const Mask members = w.fragments[first].members;
    SyncLane lane[kWarpSize];
    Mask here = 0;
    std::vector<std::size_t> group;
    for (std::size_t k = first; k < w.fragments.size(); ++k) {
      const Fragment& f = w.fragments[k];
      if (f.state != FragmentState::at_warp_sync || f.members != members) continue;
      const Instruction& other = module_.code.code[f.pc];
      if (!same_exchange(in, other)) continue;
      here |= f.mask;
      group.push_back(k);
      for_each_lane(f.mask, [&](u32 l) { lane[l] = {f.frame, &other}; });
    }
    if (members & w.alive & ~here) continue;
    // One issue for each place where lanes stand, so a single one if they all stand together.
    for (std::size_t a = 0; a < group.size(); ++a) {
      const u32 pc = w.fragments[group[a]].pc;
      Mask together = 0;
      bool counted = false;
      for (std::size_t b = 0; b < group.size(); ++b) {
        if (w.fragments[group[b]].pc != pc) continue;
        counted |= b < a;
        together |= w.fragments[group[b]].mask;
      }
      if (counted) continue;
      hub_.tell_issue(w, pc, together);
      if (!meets_whole_warp(in.shape))
        hub_.tell_meeting([&](Observer& o) { o.sync(issue_of(w, pc, together), kind_of(in), members); });
    }
    exchange(w, w.fragments[first].pc, in, lane, false, here, members);
    for (const std::size_t k : group) {
      w.fragments[k].state = FragmentState::ready;
      ++w.fragments[k].pc;
    }
    return true;
  }
  return false;
}

// The effect of a shuffle that a whole warp executes at one place.
void Synchronisation::shuffle_warp(Warp& w, const Fragment& f, const Instruction& in, Mask members) {
  u8* const frame = f.frame->bytes();
  const auto operand = [&](u32 k) { return reinterpret_cast<const u32*>(frame + in.s[k]); };
  u32 source[kWarpSize], copy[kWarpSize];
  const Mask inside = find_sources(ShuffleMode(in.mode), operand(1), operand(2), source);
  if (in.d[0] != kNoOperand) {
    const u32* a = operand(0);
    if (in.d[0] == in.s[0]) a = static_cast<const u32*>(std::memcpy(copy, a, sizeof copy));
    u32* const d = reinterpret_cast<u32*>(frame + in.d[0]);
    for (u32 l = 0; l < kWarpSize; ++l) d[l] = a[source[l]];
  }
  set_lane_value<Mask>(f.frame, in.d[1], 0, inside);
  hub_.tell_meeting([&](Observer& o) { o.shuffled(issue_of(w, f.pc, kAllLanes), members, members, source); });
}

// ---- Block barriers count threads: each lane arrives for itself (PTX ISA, "barrier"; sm_70 and later).

namespace {

u32 waiting_at(const Block& block, u32 id) {
  u32 lanes = 0;
  for (const Warp& w : block.warps)
    for (const Fragment& f : w.fragments)
      if (f.state == FragmentState::at_barrier && f.barrier == id) lanes += lane_count(f.mask);
  return lanes;
}

}  // namespace

void Synchronisation::arrive_at_barrier(Warp& w, Fragment& f, const Instruction& in, Mask mask) {
  const u32 lane = u32(std::countr_zero(mask));
  const bool waits = in.shape != Shape::barrier_arrive;
  if (waits) hub_.tell_issue(w, f.pc, mask);  // lanes that only arrive have reported theirs
  const u32 id = lane_value<u32>(f.frame, in.s[0], lane);
  if (id >= kBarriers)
    faults_.fault(FaultCode::launch_failure, f.pc, w, lane,
                  "barrier " + std::to_string(id) + " does not exist: there are 16");
  Barrier& barrier = w.block->barriers[id];
  barrier.expected = in.s[1] == kNoOperand ? 0 : lane_value<u32>(f.frame, in.s[1], lane);
  barrier.arrived += lane_count(mask);
  if (in.shape == Shape::barrier_red) {
    const Mask p = lane_value<Mask>(f.frame, in.s[2], 0);
    barrier.count += lane_count(f.mask & (in.negate_c ? ~p : p));
  }
  if (waits) {
    f.state = FragmentState::at_barrier;
    f.barrier = id;
  }
  hub_.tell_barrier([&](Observer& o) {
    o.sync(issue_of(w, f.pc, mask), SyncKind::block_barrier, mask);
    o.barrier_arrives(issue_of(w, f.pc, mask), id, waits);
  });
  check_barrier(*w.block, id);
}

// Threads that have left count as arrived. (If the barrier has a thread count, some may have arrived earlier without waiting. So
// such a barrier completes without the missing threads only if all remaining ones wait.)
void Synchronisation::check_barrier(Block& block, u32 id) {
  const Barrier& b = block.barriers[id];
  if (b.arrived == 0) return;
  const bool all_came = b.arrived >= (b.expected ? b.expected : block.live_threads);
  if (all_came || (b.expected > block.live_threads && waiting_at(block, id) == block.live_threads))
    release_barrier(block, id);
}

void Synchronisation::release_barrier(Block& block, u32 id) {
  Barrier& barrier = block.barriers[id];
  const bool is_whole = barrier.expected == 0 || waiting_at(block, id) == launch_.block.count();
  const Instruction* const code = module_.code.code.data();
  for (Warp& w : block.warps)
    for (Fragment& f : w.fragments) {
      if (f.state != FragmentState::at_barrier || f.barrier != id) continue;
      const Instruction& in = code[f.pc];
      if (in.shape == Shape::barrier_red) {
        const bool all = barrier.count == barrier.arrived, any = barrier.count > 0;
        for_each_lane(f.mask, [&](u32 l) {
          if (ReduxOp(in.mode) == ReduxOp::add) set_lane_value(f.frame, in.d[0], l, barrier.count);
          else set_lane_predicate(f.frame, in.d[0], l, ReduxOp(in.mode) == ReduxOp::and_ ? all : any);
        });
      }
      f.state = FragmentState::ready;
      ++f.pc;
    }
  barrier = {};
  hub_.tell_barrier([&](Observer& o) {
    is_whole ? o.barrier_complete(block.index, id) : o.barrier_partly_complete(block.index, id);
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
