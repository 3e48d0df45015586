// The addresses of one warp access, and how they lie: most accesses take the same step from lane to lane, in rows of lanes that
// are as wide as the block, or its tile.
#pragma once

#include <algorithm>
#include <bit>

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

struct LaneAddresses {
  alignas(64) u64 address[kWarpSize];  // of the lanes of the mask
  u64 low, high;                       // the smallest and the largest of them
  u64 bits;                            // a multiple of 2^k if all of them are, for k < 32
  // All lanes take part, and in each row of so many lanes (32, 16 or 8) lane l is at that row's first address + l × step; 0:
  // nothing of the kind.
  u32 row = 0;
  u64 step = 0;
};

// A piece of memory: a block's shared memory, or an allocation, where the simulated GPU's addresses begin at `base`.
struct Piece {
  u8* bytes;
  u64 base, size;
};

// Lane l at first + l × step, in one piece of memory. Most accesses are such rows, and take a short way.
struct LaneRow {
  u64 first, step;
  u8* where;       // the bytes of lane 0, if it takes part
  bool all_there;  // so would be those of all lanes, if they took part
};

// Whether lanes of the mask in a row access `bytes` bytes each (a power of two) in the piece, and aligned.
[[gnu::always_inline]] inline bool row_in_piece(u64 first, u64 step, Mask mask, u32 bytes, const Piece& piece,
                                                LaneRow& out) {
  constexpr u64 kFar = u64(1) << 40;
  if ((first | step) & (bytes - 1) || step + kFar >= 2 * kFar || piece.size < bytes) return false;
  // If both ends are in the piece, nothing between them is elsewhere: steps that go round the whole address space have been
  // ruled out.
  const u64 from = first - piece.base, end = piece.size - bytes;
  const auto holds = [&](u32 a, u32 b) { return std::max(from + a * step, from + b * step) <= end; };
  out.all_there = holds(0, kWarpSize - 1);
  if (!out.all_there &&
      (mask == kAllLanes || !holds(u32(std::countr_zero(mask)), kWarpSize - 1 - u32(std::countl_zero(mask)))))
    return false;
  out.first = first;
  out.step = step;
  out.where = reinterpret_cast<u8*>(reinterpret_cast<u64>(piece.bytes) + from);
  return true;
}

// Calls f.operator()<row>() for the length of a row, so that loops over it have a constant number of turns.
template <class F> inline void with_row(u32 row, F f) {
  if (row == 32) f.template operator()<32>();
  else if (row == 16) f.template operator()<16>();
  else f.template operator()<8>();
}

using AddressFunction = void (*)(const Instruction&, const u8* frame, Mask, LaneAddresses&);
// Whether the lanes of the mask (not empty) access `bytes` bytes each (a power of two) so, and aligned. True only if the registers of
// lanes that take no part would lie in the row as well.
using RowFunction = bool (*)(const Instruction&, const u8* frame, Mask, u32 bytes, const Piece&, LaneRow&);

// What the instruction's operands make of the registers. For this processor.
AddressFunction lane_addresses();
RowFunction find_row();

namespace lane_ops_base {
void addresses(const Instruction&, const u8* frame, Mask, LaneAddresses&);
bool row(const Instruction&, const u8* frame, Mask, u32 bytes, const Piece&, LaneRow&);
}  // namespace lane_ops_base
namespace lane_ops_avx2 {
void addresses(const Instruction&, const u8* frame, Mask, LaneAddresses&);
bool row(const Instruction&, const u8* frame, Mask, u32 bytes, const Piece&, LaneRow&);
}  // namespace lane_ops_avx2

}  // namespace gpusim
