// What a barrier of a block costs, from measurements with full multiprocessors and with one block alone.
#pragma once

#include "timing/machine.h"

namespace gpusim::timing {

// `alone`: cycles from the arrival of a block's last warp at a barrier to the next instruction. `for_each_other`: what each warp of
// another block adds to that if it waits at a barrier at the same time.
struct BarrierCost {
  double alone = 0, for_each_other = 0;
  double window = 0;  // cycles
};
BarrierCost barrier_cost(const Machine&, u32 warps);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
