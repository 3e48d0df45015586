#include "timing/barrier_cost.h"

#include <algorithm>
#include <bit>

#include "timing/derived_constants.h"
#include "timing/multiprocessor.h"

namespace gpusim::timing {

BarrierCost barrier_cost(const Machine& machine, u32 warps) {
  const OperationTime* const by_warps[] = {&machine.barrier_1_warps,  &machine.barrier_2_warps,
                                           &machine.barrier_4_warps,  &machine.barrier_8_warps,
                                           &machine.barrier_16_warps, &machine.barrier_32_warps};
  const auto measured = [&](u32 count) {  // a power of two
    const OperationTime& time = *by_warps[std::countr_zero(count)];
    const u32 blocks =
        blocks_that_meet(machine.threads_per_multiprocessor, machine.blocks_per_multiprocessor, count);
    const double alone = time.latency, full = time.interval * blocks;
    const double handed_over =
        machine.shared_load_one_scheduler_interval * ((count - 1) / kMostSchedulers);  // one after the other
    const u32 others = (blocks - 1) * count;
    return BarrierCost{alone - handed_over, others > 0 ? std::max(0.0, full - alone) / others : 0, full};
  };
  const u32 fewer = std::bit_floor(std::clamp(warps, 1u, 32u));
  const BarrierCost from = measured(fewer);
  if (fewer == 32) return from;
  const BarrierCost to = measured(2 * fewer);
  const double part = double(warps - fewer) / fewer;
  return {from.alone + part * (to.alone - from.alone),
          from.for_each_other + part * (to.for_each_other - from.for_each_other),
          from.window + part * (to.window - from.window)};
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
