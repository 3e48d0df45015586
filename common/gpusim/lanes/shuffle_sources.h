// From which lane each lane of a warp gets its value in a shuffle (PTX ISA, "shfl.sync").
#pragma once

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

// Fills in the source lane of each lane from operands b and c. Bit l of the result: the source of lane l lies in its segment, so the
// shuffle's predicate is true. (The first loop has no branch, so compilers vectorise it.)
inline Mask find_sources(ShuffleMode mode, const u32* b, const u32* c, u32* source) {
  u32 is_inside[kWarpSize];
  const auto each = [&](auto find) {
    for (u32 l = 0; l < kWarpSize; ++l) {
      const u32 clamp = c[l] & 31, segment = c[l] >> 8 & 31;
      const s32 last = s32((l & segment) | (clamp & ~segment));
      s32 from = 0;
      const bool inside = find(s32(l), s32(b[l] & 31), s32(segment), last, from);
      source[l] = u32(inside ? from : s32(l)) & 31;
      is_inside[l] = inside;
    }
    Mask all = 0;
    for (u32 l = 0; l < kWarpSize; ++l) all |= is_inside[l] << l;
    return all;
  };
  switch (mode) {
    case ShuffleMode::up:
      return each([](s32 l, s32 b, s32, s32 last, s32& from) { return from = l - b, from >= last; });
    case ShuffleMode::down:
      return each([](s32 l, s32 b, s32, s32 last, s32& from) { return from = l + b, from <= last; });
    case ShuffleMode::bfly:
      return each([](s32 l, s32 b, s32, s32 last, s32& from) { return from = l ^ b, from <= last; });
    case ShuffleMode::idx: break;
  }
  return each([](s32 l, s32 b, s32 segment, s32 last, s32& from) {
    from = (l & segment) | (b & ~segment);
    return from <= last;
  });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
