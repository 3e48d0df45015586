// What the race check does with the units of a block's shared memory that a warp touches together: a row at a time, in vectors. The
// loops are compiled as those over lanes are, for every processor and for this one (device/lane_ops.h).
#pragma once

#include <bit>

#include "base.h"

namespace gpusim {

// kWarpSize units, each touched by a thread of its own of one warp, or not at all.
struct RowTouch {
  u64 unit;  // the first
  u32 time, pc;
  u32 first_thread;  // of the block: who touches the first unit
  u32 shift;         // each thread touches 2 to the power of this
  Mask is;           // which units are touched: one at least
  // Where the first and the last of these are, of pieces of kWarpSize units.
  u64 first_piece = (unit + u32(std::countr_zero(is))) / kWarpSize;
  u64 last_piece = (unit + kWarpSize - 1 - u32(std::countl_zero(is))) / kWarpSize;
};

// When what may be ordered before an access of a warp must have been: see BlockOrder, whose times are below 2^31.
struct RowOrder {
  s32 barrier, met, warp;
};

// A past access of each unit, by member.
struct PastRow {
  u32 *time, *pc, *thread;
};
struct StoredRow : PastRow {
  u32 *value, *twin;  // as Stores has them
};

struct SharedRows {
  // Whether each access is ordered before that of the unit's thread now.
  bool (*all_ordered)(const PastRow&, const RowTouch&, const RowOrder&);
  bool (*all_stores_ordered)(const StoredRow&, const RowTouch&, const RowOrder&);
  void (*put)(const PastRow&, const RowTouch&);
  // As Witnesses::add() does, where two a unit are kept. True: second ones are set, too.
  bool (*add)(const PastRow& first, const PastRow& second, const RowTouch&, const RowOrder&);
  void (*store)(const StoredRow&, const RowTouch&, const u32* values);
};
const SharedRows& shared_rows();  // for this processor

namespace lane_ops_base {
extern const SharedRows kSharedRows;
}
namespace lane_ops_avx2 {
extern const SharedRows kSharedRows;
}

}  // namespace gpusim
