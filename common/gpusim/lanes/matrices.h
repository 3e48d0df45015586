// Products of small matrices whose elements the 32 lanes of a warp hold: mma.sync.
#pragma once

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

// d = a · b + c. `frame[l]` holds the registers of lane l, which executes `*in[l]`: the same product for all.
//
// Exact where products and sums are: integers (modulo 2^32), and floats of which nothing must be rounded. Sums of f32 drop
// what is small beside the largest term, as GPUs of compute capability 9.0 do; sums of f16 are made in double and rounded once, to the nearest.
// f64 is a chain of fma, in the order of k.
void multiply_matrices(u8* const (&frame)[kWarpSize], const Instruction* const (&in)[kWarpSize]);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
