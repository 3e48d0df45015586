// The addresses of one warp access, and how they lie: most accesses take the same step from lane to lane.
#pragma once

#include "base.h"
#include "ptx/program.h"

namespace gpusim {

struct LaneAddresses {
  alignas(64) u64 address[kWarpSize];  // of the lanes of the mask
  u64 low, high;                       // the smallest and the largest of them
  u64 bits;                            // a multiple of 2^k if all of them are, for k < 32
  bool is_even = false;                // all lanes take part, and lane l is at address[0] + l × step
  u64 step = 0;
};

using AddressFunction = void (*)(const Instruction&, const u8* frame, Mask, LaneAddresses&);

// What the instruction's operands make of the registers. For this processor.
AddressFunction lane_addresses();

namespace lane_ops_base {
void addresses(const Instruction&, const u8* frame, Mask, LaneAddresses&);
}
namespace lane_ops_avx2 {
void addresses(const Instruction&, const u8* frame, Mask, LaneAddresses&);
}

}  // namespace gpusim
