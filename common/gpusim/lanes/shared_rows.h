// What the race check does with the units of a block's shared memory that a warp touches together: a row at a time, in vectors. The
// loops are compiled as those over lanes are, for every processor and for this one (lanes/lane_ops.h).
#pragma once

#include <bit>

#include "base/base.h"

namespace gpusim {

// A row of kWarpSize units. Each is touched by one thread of the warp (no two by the same one), or not touched at all.
struct RowTouch {
  s64 unit;  // the first; may be below 0 if the units there are untouched
  u32 time, pc;
  u32 first_thread;  // of the block: who touches the first unit
  u32 shift;         // each thread touches 2 to the power of this
  Mask is;           // which units are touched: one at least
};

// The times before which an access counts as ordered before the warp's access: see BlockOrder. All times are below 2^31.
struct RowOrder {
  s32 barrier, met, warp;
};

// One past access of each unit, as one array per member. The kWarpSize units before the first and after the last are accessible,
// too.
struct PastUnits {
  u32 *time = nullptr, *pc = nullptr, *thread = nullptr;
  u32* latest = nullptr;  // time of any access of a piece of kWarpSize units
};

// If two threads stored to a unit together, its stored thread belongs to no warp (Stores::kHasTwin).
struct SharedUnits {
  PastUnits stored;
  u32* value;             // stored in each unit
  PastUnits readers[2];   // as Readers keeps them
  PastUnits updaters[2];  // null: there are none
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
