// Loads and stores of lanes in a row (lanes/lane_addresses.h): the short way, which most accesses take.
#pragma once

#include <cstring>

#include "execution/memory_pipe.h"

namespace gpusim {

[[gnu::always_inline]] inline MemoryAccess MemoryPipe::access_of(const Warp& w, u32 pc, const u8* frame,
                                                                 const Instruction& in, Mask lanes,
                                                                 Space space, AccessKind kind) const {
  const u32 bytes = size_of(in.type) * in.vector;
  return {issue_of(w, pc, lanes), space, kind, bytes, &in, frame};
}

// What a RowMover is told of the bytes of lanes that take no part. Those that other host threads may write at the same time are left
// alone.
inline bool may_touch_all(const LaneRow& row, AccessKind kind, Space space) {
  return row.all_there && (kind == AccessKind::load || space == Space::shared);
}

// True: the load or store was of a row in one piece of memory, and is done. `find` is a RowFunction, `move` a RowMover;
// tell_row(observer, access) tells one who takes rows.
template <class Find, class Move, class TellRow>
[[gnu::always_inline]] inline bool MemoryPipe::move_row(const Warp& w, u32 pc, u8* frame,
                                                        const Instruction& in, Mask mask, AccessKind kind,
                                                        Find find, Move move, TellRow tell_row) const {
  u8& not_asked = no_row_[pc % kFound];
  if (not_asked && not_asked--) return false;
  Space space = in.space;
  if (space == Space::generic) {
    if (in.address_bytes != sizeof(u64)) return false;
    u64 first;
    std::memcpy(&first, frame + in.s[0], sizeof first);
    space = space_of(first + u64(in.offset));
  }
  Piece piece;
  u64 base = 0;  // of the addresses that observers hear of
  if (space == Space::shared) {
    base = in.space == Space::generic ? kSharedWindow : 0;
    piece = {w.block->shared.data(), base, w.block->shared.size()};
  } else {
    const Allocation* const last = last_found_[pc % kFound];
    if (!last || space == Space::local || space == Space::param ||
        (kind != AccessKind::load && last->kind == MemoryKind::constant))
      return false;
    piece = {last->bytes, last->base, last->size};
  }
  LaneRow row;
  if (!find(in, frame, mask, size_of(in.type) * in.vector, piece, row)) {
    not_asked = kNotAsked;
    return false;
  }
  if (!hub_.accesses.empty()) {
    RowAccess a;
    static_cast<MemoryAccess&>(a) = access_of(w, pc, frame, in, mask, space, kind);
    a.first = row.first - base;
    a.step = row.step;
    for (Observer* o : hub_.take_rows) tell_row(*o, a);
    for (Observer* o : hub_.take_lanes_and_issues) o->issue(a);
    if (!hub_.take_lanes.empty()) {
      u64 address[kWarpSize];
      const Access of_lanes = a.of_lanes(address);
      for (Observer* o : hub_.take_lanes) o->access(of_lanes);
    }
  }
  move(in, frame, mask, row.where, row.step, may_touch_all(row, kind, space));
  return true;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
