// What lanes and warps do together: shuffles, votes, barriers.
#include <array>
#include <bit>
#include <cstring>
#include <utility>

#include "execution/exec.h"
#include "execution/module.h"
#include "lanes/each_lane.h"
#include "lanes/matrices.h"
#include "lanes/shuffle_sources.h"

namespace gpusim {
namespace {

template <class T> T value(Frame* frame, FrameOffset at, u32 lane) {
  T v;
  std::memcpy(&v, frame->bytes() + at + lane * sizeof v, sizeof v);
  return v;
}
template <class T> void give(Frame* frame, FrameOffset at, u32 lane, T v) {
  if (at != kNoOperand) std::memcpy(frame->bytes() + at + lane * sizeof v, &v, sizeof v);
}
bool predicate(Frame* frame, FrameOffset at, u32 lane) { return value<Mask>(frame, at, 0) >> lane & 1; }
void give_predicate(Frame* frame, FrameOffset at, u32 lane, bool p) {
  if (at == kNoOperand) return;
  const Mask old = value<Mask>(frame, at, 0), bit = Mask(1) << lane;
  give<Mask>(frame, at, 0, p ? old | bit : old & ~bit);
}

bool is_of_matrices(const Instruction& in) {
  return in.shape == Shape::matrix_load || in.shape == Shape::matrix_multiply;
}
// Where the mask operand is.
FrameOffset members_operand(const Instruction& in) {
  return in.shape == Shape::shuffle        ? in.s[3]
         : in.shape == Shape::warp_barrier ? in.s[0]
                                           : in.s[1];  // vote, match, redux
}
// That of a lane.
Mask members_of(const Instruction& in, Frame* frame, u32 lane) {
  return is_of_matrices(in) ? kAllLanes : value<Mask>(frame, members_operand(in), lane);
}
SyncKind kind_of(const Instruction& in) {
  return in.shape == Shape::warp_barrier ? SyncKind::warp_barrier
         : in.shape == Shape::shuffle    ? SyncKind::shuffle
                                         : SyncKind::vote;
}
// Lanes meet at "the same" instruction if it does the same, wherever it stands (PTX ISA, "shfl.sync").
bool same_exchange(const Instruction& a, const Instruction& b) {
  return a.op == b.op && a.mode == b.mode && a.type == b.type && (!is_of_matrices(a) || a.vector == b.vector);
}

}  // namespace

// The lanes of `mask` that name the same member mask as its first lane.
Mask Executor::same_members(const Fragment& f, const Instruction& in, Mask mask) const {
  if (is_of_matrices(in)) return mask;
  Mask members[kWarpSize], same = 0;
  std::memcpy(members, f.frame->bytes() + members_operand(in), sizeof members);
  const Mask first = members[std::countr_zero(mask)];
  Mask differ = 0;
  for (u32 l = 0; l < kWarpSize; ++l) differ |= members[l] ^ first;
  if (differ == 0) return mask;
  for (u32 l = 0; l < kWarpSize; ++l) same |= Mask(members[l] == first) << l;
  return same & mask;
}

// True: the lanes need not wait, the instruction is done. False: the fragment waits for other lanes of its mask.
bool Executor::warp_sync(Warp& w, std::size_t index, const Instruction& in, Mask mask) {
  Fragment& f = w.fragments[index];
  const Mask members = members_of(in, f.frame, u32(std::countr_zero(mask)));
  if ((members & w.alive & ~mask) == 0) {
    tell_issue(w, f.pc, mask);
    if (!is_of_matrices(in))
      tell_meeting([&](Observer& o) { o.sync(issue_of(w, f.pc, mask), kind_of(in), members); });
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

// All lanes of a warp at one instruction: none waits. It is done, and its issue is not told. False: they name different lanes.
bool Executor::meet_all(Warp& w, Fragment& f, const Instruction& in) {
  if (same_members(f, in, kAllLanes) != kAllLanes) return false;
  const Mask members = members_of(in, f.frame, 0);
  if (!is_of_matrices(in))
    tell_meeting([&](Observer& o) { o.sync(issue_of(w, f.pc, kAllLanes), kind_of(in), members); });
  if (in.shape == Shape::shuffle) {
    shuffle_warp(w, f, in, members);
    return true;
  }
  SyncLane lane[kWarpSize];
  for (SyncLane& l : lane) l = {f.frame, &in};
  exchange(w, f.pc, in, lane, true, kAllLanes, members);
  return true;
}

// Looks for fragments that wait for each other and are all here now. True if some went on.
bool Executor::try_warp_sync(Warp& w) {
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
    // One warp instruction where the lanes stand at one place, one for each place otherwise.
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
      tell_issue(w, pc, together);
      if (!is_of_matrices(in))
        tell_meeting([&](Observer& o) { o.sync(issue_of(w, pc, together), kind_of(in), members); });
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
void Executor::shuffle_warp(Warp& w, const Fragment& f, const Instruction& in, Mask members) {
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
  give<Mask>(f.frame, in.d[1], 0, inside);
  tell_meeting([&](Observer& o) { o.shuffled(issue_of(w, f.pc, kAllLanes), members, members, source); });
}

// The effect of a shuffle, vote, match or redux on the lanes of `mask` (PTX ISA, "shfl.sync" and its neighbours).
// together: all of them stand at `in`, with one frame.
void Executor::exchange(Warp& w, u32 pc, const Instruction& in, const SyncLane* lane, bool together,
                        Mask mask, Mask members) {
  const Mask taking_part = mask & members;
  switch (in.shape) {
    case Shape::shuffle: {
      u32 operands[3][kWarpSize], source[kWarpSize], given[kWarpSize];
      const auto& [a, b, c] = operands;  // 0 of lanes that are not there
      for (u32 k = 0; k < 3; ++k)
        if (together) {
          Frame* const frame = lane[std::countr_zero(mask)].frame;
          std::memcpy(operands[k], frame->bytes() + in.s[k], sizeof a);
          for (u32 l = 0; l < kWarpSize; ++l) operands[k][l] &= 0 - (mask >> l & 1);
        } else {
          std::memset(operands[k], 0, sizeof a);
          for_each_lane(mask,
                        [&](u32 l) { operands[k][l] = value<u32>(lane[l].frame, lane[l].in->s[k], l); });
        }
      const Mask inside = find_sources(ShuffleMode(in.mode), b, c, source);
      for (u32 l = 0; l < kWarpSize; ++l) given[l] = a[source[l]];
      for_each_lane(mask, [&](u32 l) {
        give(lane[l].frame, lane[l].in->d[0], l, given[l]);
        give_predicate(lane[l].frame, lane[l].in->d[1], l, inside >> l & 1);
      });
      tell_meeting([&](Observer& o) { o.shuffled(issue_of(w, pc, mask), members, taking_part, source); });
      break;
    }
    case Shape::vote: {
      Mask yes = 0;
      if (together) {  // a predicate is a mask already
        Frame* const frame = lane[std::countr_zero(mask)].frame;
        const Mask p = value<Mask>(frame, in.s[0], 0);
        yes = taking_part & (in.negate_c ? ~p : p);
        const VoteMode vote = VoteMode(in.mode);
        if (vote == VoteMode::ballot && mask == kAllLanes) {
          std::array<Mask, kWarpSize> all;
          all.fill(yes);
          if (in.d[0] != kNoOperand) std::memcpy(frame->bytes() + in.d[0], all.data(), sizeof all);
          break;
        }
        if (vote != VoteMode::ballot) {
          const bool none = yes == 0, all = yes == taking_part;
          const bool answer = vote == VoteMode::all ? all : vote == VoteMode::any ? !none : none || all;
          if (in.d[0] == kNoOperand) break;
          const Mask old = value<Mask>(frame, in.d[0], 0);
          give<Mask>(frame, in.d[0], 0, answer ? old | mask : old & ~mask);
          break;
        }
      } else
        for_each_lane(taking_part, [&](u32 l) {
          if (predicate(lane[l].frame, lane[l].in->s[0], l) != lane[l].in->negate_c) yes |= Mask(1) << l;
        });
      for_each_lane(mask, [&](u32 l) {
        const FrameOffset d = lane[l].in->d[0];
        switch (VoteMode(in.mode)) {
          case VoteMode::all: give_predicate(lane[l].frame, d, l, yes == taking_part); break;
          case VoteMode::any: give_predicate(lane[l].frame, d, l, yes != 0); break;
          case VoteMode::uni: give_predicate(lane[l].frame, d, l, yes == 0 || yes == taking_part); break;
          case VoteMode::ballot: give(lane[l].frame, d, l, yes); break;
        }
      });
      break;
    }
    case Shape::match: {
      u64 a[kWarpSize] = {};
      for_each_lane(taking_part, [&](u32 l) {
        a[l] = size_of(in.type) == 8 ? value<u64>(lane[l].frame, lane[l].in->s[0], l)
                                     : value<u32>(lane[l].frame, lane[l].in->s[0], l);
      });
      for_each_lane(taking_part, [&](u32 l) {
        Mask same = 0;
        for_each_lane(taking_part, [&](u32 other) { same |= a[other] == a[l] ? Mask(1) << other : 0; });
        const bool all = in.op == Op::match_all;
        give(lane[l].frame, lane[l].in->d[0], l, all && same != taking_part ? Mask(0) : same);
        if (all) give_predicate(lane[l].frame, lane[l].in->d[1], l, same == taking_part);
      });
      break;
    }
    case Shape::redux: {
      bool begun = false;
      u32 total = 0;
      const auto smaller = [&](u32 x, u32 y) { return in.type == Type::s32 ? s32(x) < s32(y) : x < y; };
      for_each_lane(taking_part, [&](u32 l) {
        const u32 a = value<u32>(lane[l].frame, lane[l].in->s[0], l);
        if (!begun) total = a;
        else switch (ReduxOp(in.mode)) {
            case ReduxOp::add: total += a; break;
            case ReduxOp::min: total = smaller(a, total) ? a : total; break;
            case ReduxOp::max: total = smaller(total, a) ? a : total; break;
            case ReduxOp::and_: total &= a; break;
            case ReduxOp::or_: total |= a; break;
            case ReduxOp::xor_: total ^= a; break;
          }
        begun = true;
      });
      for_each_lane(mask, [&](u32 l) { give(lane[l].frame, lane[l].in->d[0], l, total); });
      break;
    }
    case Shape::matrix_load:
    case Shape::matrix_multiply: {
      if (mask != kAllLanes)
        fault(FaultCode::launch_failure, pc, w, u32(std::countr_zero(mask)),
              "part of a warp: " + std::string(mnemonic(in.op)) + " by " +
                  std::to_string(std::popcount(mask)) +
                  " of 32 lanes: all lanes of the warp must execute it together");
      Frame* frame[kWarpSize];
      u8* bytes[kWarpSize];
      const Instruction* of[kWarpSize];
      for (u32 l = 0; l < kWarpSize; ++l)
        frame[l] = lane[l].frame, bytes[l] = frame[l]->bytes(), of[l] = lane[l].in;
      if (in.shape == Shape::matrix_load) load_matrices(w, pc, in, frame, of);
      else multiply_matrices(bytes, of);
      break;
    }
    default: break;  // warp_barrier: meeting was all
  }
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

void Executor::arrive_at_barrier(Warp& w, Fragment& f, const Instruction& in, Mask mask, bool is_counted) {
  const u32 lane = u32(std::countr_zero(mask));
  const bool waits = in.shape != Shape::barrier_arrive;
  if (waits && !is_counted) tell_issue(w, f.pc, mask);  // that of others has been told
  const u32 id = value<u32>(f.frame, in.s[0], lane);
  if (id >= kBarriers)
    fault(FaultCode::launch_failure, f.pc, w, lane,
          "barrier " + std::to_string(id) + " does not exist: there are 16");
  Barrier& barrier = w.block->barriers[id];
  barrier.expected = in.s[1] == kNoOperand ? 0 : value<u32>(f.frame, in.s[1], lane);
  barrier.arrived += lane_count(mask);
  if (in.shape == Shape::barrier_red) {
    const Mask p = value<Mask>(f.frame, in.s[2], 0);
    barrier.count += lane_count(f.mask & (in.negate_c ? ~p : p));
  }
  if (waits) {
    f.state = FragmentState::at_barrier;
    f.barrier = id;
  }
  tell_barrier([&](Observer& o) {
    o.sync(issue_of(w, f.pc, mask), SyncKind::block_barrier, mask);
    o.barrier_arrives(issue_of(w, f.pc, mask), id, waits);
  });
  check_barrier(*w.block, id);
}

// Threads that have left count as arrived. (At a barrier with a number of threads they may have arrived before, without
// waiting: it is complete without them only where all others wait.)
void Executor::check_barrier(Block& block, u32 id) {
  const Barrier& b = block.barriers[id];
  if (b.arrived == 0) return;
  const bool all_came = b.arrived >= (b.expected ? b.expected : block.live_threads);
  if (all_came || (b.expected > block.live_threads && waiting_at(block, id) == block.live_threads))
    release_barrier(block, id);
}

void Executor::release_barrier(Block& block, u32 id) {
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
          if (ReduxOp(in.mode) == ReduxOp::add) give(f.frame, in.d[0], l, barrier.count);
          else give_predicate(f.frame, in.d[0], l, ReduxOp(in.mode) == ReduxOp::and_ ? all : any);
        });
      }
      f.state = FragmentState::ready;
      ++f.pc;
    }
  barrier = {};
  tell_barrier([&](Observer& o) {
    is_whole ? o.barrier_complete(block.index, id) : o.barrier_partly_complete(block.index, id);
  });
}

}  // namespace gpusim
