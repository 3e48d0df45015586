// What a barrier of a block costs, from measurements with full multiprocessors and with one block alone.
#pragma once

#include "timing/machine.h"

namespace gpusim::timing {

// What a block of so many warps takes from the last one's arrival at a barrier to the next instruction; and what each warp of
// another block that waits at a barrier at the same time adds to it.
struct BarrierCost {
  double alone = 0, for_each_other = 0;
  double window = 0;  // cycles
};
BarrierCost barrier_cost(const Machine&, u32 warps);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
