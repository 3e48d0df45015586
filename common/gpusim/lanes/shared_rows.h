// What the race check does with the units of a block's shared memory that a warp touches together: a row at a time, in vectors. The
// loops are compiled as those over lanes are, for every processor and for this one (lanes/lane_ops.h).
#pragma once

#include <bit>

#include "base/base.h"

namespace gpusim {

// kWarpSize units, each touched by a thread of its own of one warp, or not at all.
struct RowTouch {
  s64 unit;  // the first; below 0 where nobody touches those
  u32 time, pc;
  u32 first_thread;  // of the block: who touches the first unit
  u32 shift;         // each thread touches 2 to the power of this
  Mask is;           // which units are touched: one at least
};

// When what may be ordered before an access of a warp must have been: see BlockOrder, whose times are below 2^31.
struct RowOrder {
  s32 barrier, met, warp;
};

// A past access of each unit, by member. kWarpSize units before the first one and behind the last can be read and written, too.
struct PastUnits {
  u32 *time = nullptr, *pc = nullptr, *thread = nullptr;
  u32* latest = nullptr;  // time of any access of a piece of kWarpSize units
};

// Stores' threads are those of no warp where another thread stored together with one (Stores::kHasTwin).
struct SharedUnits {
  PastUnits stored;
  u32* value;             // stored in each unit
  PastUnits readers[2];   // as Readers keeps them
  PastUnits updaters[2];  // null: nobody updates
};

// Both are false, and nothing has changed, if some unit's past accesses are not ordered before this one.
struct SharedRows {
  bool (*load)(const SharedUnits&, const RowTouch&, const RowOrder&);
  bool (*store)(const SharedUnits&, const RowTouch&, const RowOrder&, const u32* values);
};
const SharedRows& shared_rows();  // for this processor

namespace lane_ops_base {
extern const SharedRows kSharedRows;
}
namespace lane_ops_avx2 {
extern const SharedRows kSharedRows;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
