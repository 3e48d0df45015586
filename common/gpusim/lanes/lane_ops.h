// Binds an instruction, once, at decoding, to the function that executes it on the lanes of a warp. Types and
// modifiers are chosen here, so that the executor's loop never looks at them.
#pragma once

#include "base/addresses.h"
#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

// Reads sources and writes destinations in the frame, for the lanes of the mask.
using LaneFunction = void (*)(const Instruction&, u8* frame, Mask mask);
// Does the transfer of a load or store for the lanes of the mask; lane l's bytes are at where + l × step. all_there: the bytes of
// all lanes exist, so a load may read them all, and a store may write back what inactive lanes hold.
using RowMover = void (*)(const Instruction&, u8* frame, Mask mask, u8* where, u64 step, bool all_there);
// The new value of a memory cell, as bits.
using AtomicFunction = u64 (*)(u64 old, u64 b, u64 c);

// Null: the instruction is not lane-wise, or does not exist with these types and modifiers.
LaneFunction bind_lanes(const Instruction&);
AtomicFunction bind_atomic(const Instruction&);
RowMover bind_row(const Instruction&);  // null: neither a load nor a store

// Which loops bind_lanes takes from now on: the best that the processor has, or those that every processor has.
enum class LaneLoops : u8 { best, base };
void use_lane_loops(LaneLoops);
bool has_better_loops();
bool uses_better_loops();

// The same source, compiled for every processor and for x86-64 ones with AVX2 and FMA; bind_lanes chooses.
namespace lane_ops_base {
LaneFunction bind(const Instruction&);
RowMover bind_row(const Instruction&);
}  // namespace lane_ops_base
namespace lane_ops_avx2 {
LaneFunction bind(const Instruction&);
RowMover bind_row(const Instruction&);
}  // namespace lane_ops_avx2

}  // namespace gpusim
// SPDX-License-Identifier: MIT
