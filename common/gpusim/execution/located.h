// Where the bytes of a warp's access are, and the walk over the spaces that it touches: for the files that define MemoryPipe.
#pragma once

#include "execution/memory_pipe.h"
#include "lanes/each_lane.h"

namespace gpusim {

// One warp access in one space; addresses as events.h says for the space.
struct MemoryPipe::Located : LaneAddresses {
  // Where the lanes' bytes are. One piece of memory holds those of all lanes, nearly always: then a lane's are at
  // origin + address, and `where` is not filled.
  bool is_one_piece = false;
  u64 origin;
  u8* where[kWarpSize];
  Space space;

  // Calls f(lane, bytes) for the lanes of the mask.
  template <class F> void for_bytes(Mask mask, F f) const {
    if (is_one_piece) for_each_lane(mask, [&](u32 l) { f(l, reinterpret_cast<u8*>(origin + address[l])); });
    else for_each_lane(mask, [&](u32 l) { f(l, where[l]); });
  }
  u8* bytes(u32 lane) const {
    return is_one_piece ? reinterpret_cast<u8*>(origin + address[lane]) : where[lane];
  }
};

// The space of all addresses between two generic ones; `generic` if they span several spaces.
inline Space space_between(u64 low, u64 high) {
  if (low >= kLocalWindow + kWindowBytes) return Space::global;
  const Space space = space_of(low);
  return space != Space::global && space == space_of(high) ? space : Space::generic;
}

[[gnu::always_inline]] inline MemoryAccess MemoryPipe::access_of(const Warp& w, u32 pc, const u8* frame,
                                                                 const Instruction& in, Mask lanes,
                                                                 Space space, AccessKind kind) const {
  const u32 bytes = size_of(in.type) * in.vector;
  return {issue_of(w, pc, lanes), space, kind, bytes, &in, frame};
}

inline void MemoryPipe::tell_access(const Warp& w, const Fragment& f, const Instruction& in, Mask lanes,
                                    Space space, AccessKind kind, const u64* address, u32 row) const {
  Access a;
  static_cast<MemoryAccess&>(a) = access_of(w, f.pc, f.frame->bytes(), in, lanes, space, kind);
  a.address = address;
  a.row = row;
  for (Observer* o : hub_.accesses) o->access(a);
}

// Calls f(located, mask) for the lanes of each space that the access touches; one space unless it is generic.
template <class F> void MemoryPipe::for_spaces(Warp& w, Fragment& f, const Instruction& in, Mask mask,
                                               AccessKind kind, F body) {
  Located at;
  lane_addresses_(in, f.frame->bytes(), mask, at);
  const auto access = [&](Space space, Mask lanes) {
    locate(w, f, in, lanes, space, kind, at);
    at.space = space;
    if (!hub_.accesses.empty() && space != Space::param)
      tell_access(w, f, in, lanes, space, kind, at.address, at.row);
    body(at, lanes);
  };
  if (in.space != Space::generic) return access(in.space, mask);
  if (const Space one = space_between(at.low, at.high); one != Space::generic) return access(one, mask);
  Mask by_space[3] = {};
  constexpr Space spaces[3] = {Space::global, Space::shared, Space::local};
  for_each_lane(mask, [&](u32 l) {
    const Space s = space_of(at.address[l]);
    by_space[s == Space::shared ? 1 : s == Space::local ? 2 : 0] |= Mask(1) << l;
  });
  for (u32 k = 0; k < 3; ++k)
    if (by_space[k]) {
      lane_addresses_(in, f.frame->bytes(), by_space[k], at);
      access(spaces[k], by_space[k]);
    }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
