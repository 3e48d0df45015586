// What lanes of a warp hand to each other where they meet (PTX ISA, "shfl.sync" and its neighbours).
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "execution/fault_reporter.h"
#include "execution/lane_registers.h"
#include "execution/synchronisation.h"
#include "lanes/each_lane.h"
#include "lanes/matrices.h"
#include "lanes/shuffle_sources.h"

namespace gpusim {

class Synchronisation::Exchange {
 public:
  Exchange(Synchronisation& sync, Warp& w, u32 pc, const Instruction& in, const SyncLane* lane, bool together,
           Mask mask, Mask members)
      : x_(sync), w_(w), pc_(pc), in_(in), lane_(lane), together_(together), mask_(mask), members_(members) {}

  void run() {
    switch (in_.shape) {
      case Shape::shuffle: return shuffle();
      case Shape::vote: return vote();
      case Shape::match: return match();
      case Shape::redux: return reduce();
      case Shape::matrix_load:
      case Shape::matrix_multiply: return matrices();
      case Shape::warp_barrier: return;  // done: the lanes have met
#define LANE_SHAPE(name, ...) case Shape::name:
#define SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
        return;  // these meet no lanes of their warp
    }
  }

 private:
  Mask taking_part() const { return mask_ & members_; }
  Frame* frame_of_all() const { return lane_[std::countr_zero(mask_)].frame; }  // valid if they are together
  template <class T> T source(u32 l, u32 k) const {
    return lane_value<T>(lane_[l].frame, lane_[l].in->s[k], l);
  }
  template <class T> void set(u32 l, u32 k, T v) const {
    set_lane_value(lane_[l].frame, lane_[l].in->d[k], l, v);
  }
  void set_predicate(u32 l, u32 k, bool p) const {
    set_lane_predicate(lane_[l].frame, lane_[l].in->d[k], l, p);
  }

  // ---- Shuffles
  void shuffle() {
    u32 a[kWarpSize], b[kWarpSize], c[kWarpSize], from[kWarpSize], given[kWarpSize];
    read_sources(0, a);
    read_sources(1, b);
    read_sources(2, c);
    const Mask inside = find_sources(ShuffleMode(in_.mode), b, c, from);
    for (u32 l = 0; l < kWarpSize; ++l) given[l] = a[from[l]];
    for_each_lane(mask_, [&](u32 l) {
      set(l, 0, given[l]);
      set_predicate(l, 1, inside >> l & 1);
    });
    x_.hub_.tell_meeting(
        [&](Observer& o) { o.shuffled(issue_of(w_, pc_, mask_), members_, taking_part(), from); });
  }
  // Reads the source of all lanes; 0 for lanes that are absent.
  void read_sources(u32 k, u32 (&values)[kWarpSize]) const {
    if (together_) {
      std::memcpy(values, frame_of_all()->bytes() + in_.s[k], sizeof values);
      for (u32 l = 0; l < kWarpSize; ++l) values[l] &= 0 - (mask_ >> l & 1);
    } else {
      std::memset(values, 0, sizeof values);
      for_each_lane(mask_, [&](u32 l) { values[l] = source<u32>(l, k); });
    }
  }

  // ---- Votes
  void vote() {
    if (together_) return vote_together();
    Mask yes = 0;
    for_each_lane(taking_part(), [&](u32 l) {
      if (lane_predicate(lane_[l].frame, lane_[l].in->s[0], l) != lane_[l].in->negate_c) yes |= Mask(1) << l;
    });
    if (VoteMode(in_.mode) == VoteMode::ballot) return set_ballots(yes);
    for_each_lane(mask_, [&](u32 l) { set_predicate(l, 0, answer(yes)); });
  }
  // A predicate is a mask already.
  void vote_together() {
    Frame* const frame = frame_of_all();
    const Mask p = lane_value<Mask>(frame, in_.s[0], 0);
    const Mask yes = taking_part() & (in_.negate_c ? ~p : p);
    if (VoteMode(in_.mode) == VoteMode::ballot)
      return mask_ == kAllLanes ? set_all_ballots(yes) : set_ballots(yes);
    if (in_.d[0] == kNoOperand) return;
    const Mask old = lane_value<Mask>(frame, in_.d[0], 0);
    set_lane_value<Mask>(frame, in_.d[0], 0, answer(yes) ? old | mask_ : old & ~mask_);
  }
  bool answer(Mask yes) const {
    switch (VoteMode(in_.mode)) {
      case VoteMode::all: return yes == taking_part();
      case VoteMode::any: return yes != 0;
      case VoteMode::uni: return yes == 0 || yes == taking_part();
      case VoteMode::ballot: break;  // which gives the lanes themselves
    }
    return false;
  }
  void set_ballots(Mask yes) const {
    for_each_lane(mask_, [&](u32 l) { set(l, 0, yes); });
  }
  void set_all_ballots(Mask yes) const {
    std::array<Mask, kWarpSize> all;
    all.fill(yes);
    if (in_.d[0] != kNoOperand) std::memcpy(frame_of_all()->bytes() + in_.d[0], all.data(), sizeof all);
  }

  // ---- Matches and reductions
  void match() {
    u64 a[kWarpSize] = {};
    for_each_lane(taking_part(),
                  [&](u32 l) { a[l] = size_of(in_.type) == 8 ? source<u64>(l, 0) : source<u32>(l, 0); });
    for_each_lane(taking_part(), [&](u32 l) {
      Mask same = 0;
      for_each_lane(taking_part(), [&](u32 other) { same |= a[other] == a[l] ? Mask(1) << other : 0; });
      const bool needs_all = in_.op == Op::match_all, are_all = same == taking_part();
      set(l, 0, needs_all && !are_all ? Mask(0) : same);
      if (needs_all) set_predicate(l, 1, are_all);
    });
  }
  void reduce() {
    bool begun = false;
    u32 total = 0;
    for_each_lane(taking_part(), [&](u32 l) {
      const u32 a = source<u32>(l, 0);
      total = begun ? reduced(total, a) : a;
      begun = true;
    });
    for_each_lane(mask_, [&](u32 l) { set(l, 0, total); });
  }
  u32 reduced(u32 total, u32 a) const {
    const auto smaller = [&](u32 x, u32 y) { return in_.type == Type::s32 ? s32(x) < s32(y) : x < y; };
    switch (ReduxOp(in_.mode)) {
      case ReduxOp::add: return total + a;
      case ReduxOp::min: return smaller(a, total) ? a : total;
      case ReduxOp::max: return smaller(total, a) ? a : total;
      case ReduxOp::and_: return total & a;
      case ReduxOp::or_: return total | a;
      case ReduxOp::xor_: return total ^ a;
    }
    return total;
  }

  // ---- Matrices
  void matrices() {
    if (mask_ != kAllLanes) refuse_part();
    Frame* frame[kWarpSize];
    u8* bytes[kWarpSize];
    const Instruction* of[kWarpSize];
    for (u32 l = 0; l < kWarpSize; ++l)
      frame[l] = lane_[l].frame, bytes[l] = frame[l]->bytes(), of[l] = lane_[l].in;
    if (in_.shape == Shape::matrix_load) x_.pipe_.load_matrices(w_, pc_, in_, frame, of);
    else multiply_matrices(bytes, of);
  }
  [[noreturn]] void refuse_part() const {
    x_.faults_.fault(FaultCode::launch_failure, pc_, w_, u32(std::countr_zero(mask_)),
                     "part of a warp: " + std::string(mnemonic(in_.op)) + " by " +
                         std::to_string(std::popcount(mask_)) +
                         " of 32 lanes: all lanes of the warp must execute it together");
  }

  Synchronisation& x_;
  Warp& w_;
  const u32 pc_;
  const Instruction& in_;
  const SyncLane* const lane_;
  const bool together_;
  const Mask mask_, members_;
};

void Synchronisation::exchange(Warp& w, u32 pc, const Instruction& in, const SyncLane* lane, bool together,
                               Mask mask, Mask members) {
  Exchange(*this, w, pc, in, lane, together, mask, members).run();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
