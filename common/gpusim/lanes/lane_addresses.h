// The addresses of one warp access, and how they lie: most accesses take the same step from lane to lane, in rows of lanes that
// are as wide as the block, or its tile.
#pragma once

#include <algorithm>
#include <bit>

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

struct LaneAddresses {
  alignas(64) u64 address[kWarpSize];  // valid for the lanes of the mask
  u64 low, high;                       // the smallest and the largest address
  u64 bits;                            // divisible by 2^k (k < 32) if all addresses are
  // How many lanes form a row (32, 16 or 8): lane l of it is at the row's first address + l × step. 0: not all lanes take part, or the
  // addresses form no rows.
  u32 row = 0;
  u64 step = 0;
};

// A block's shared memory, or an allocation. `base`: its first address on the simulated GPU.
struct Piece {
  u8* bytes;
  u64 base, size;
};

// Lane l accesses first + l × step, all in one piece of memory. Most accesses are such rows, so they have a faster path.
struct LaneRow {
  u64 first, step;
  u8* where;       // where lane 0's bytes are, or would be
  bool all_there;  // the piece also holds the bytes of lanes that take no part
};

// Calls f.operator()<row>() with the length of a row, so that loops over it have a constant number of iterations.
template <class F> inline void with_row(u32 row, F f) {
  if (row == 32) f.template operator()<32>();
  else if (row == 16) f.template operator()<16>();
  else f.template operator()<8>();
}

using AddressFunction = void (*)(const Instruction&, const u8* frame, Mask, LaneAddresses&);
// Whether the lanes of the mask (not empty) form an aligned LaneRow with `bytes` bytes per lane (a power of two). True only if
// the registers of the other lanes would continue the row.
using RowFunction = bool (*)(const Instruction&, const u8* frame, Mask, u32 bytes, const Piece&, LaneRow&);

// Computes the addresses of an access from its operands; the version for this processor.
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
// SPDX-License-Identifier: MIT
