// Compiled twice on x86-64, as device/lane_ops.cpp is.
#ifndef GPUSIM_LANE_OPS
#define GPUSIM_LANE_OPS lane_ops_base
#endif

#include "device/lane_addresses.h"

namespace gpusim::GPUSIM_LANE_OPS {

void addresses(const Instruction& in, const u8* frame, Mask mask, LaneAddresses& out) {
  const u64 offset = u64(in.offset);
  u64* const address = out.address;
  if (in.address_bytes == 8) {
    const u64* const a = reinterpret_cast<const u64*>(frame + in.s[0]);
    for (u32 lane = 0; lane < kWarpSize; ++lane) address[lane] = a[lane] + offset;
  } else {
    const u32* const a = reinterpret_cast<const u32*>(frame + in.s[0]);
    for (u32 lane = 0; lane < kWarpSize; ++lane) address[lane] = u32(a[lane] + u32(offset));
  }
  out.is_even = false;
  if (mask == kAllLanes) {
    constexpr u64 kFar = u64(1) << 40;
    const u64 step = address[1] - address[0], last = address[kWarpSize - 1];
    u64 difference = 0;
    for (u32 lane = 1; lane < kWarpSize; ++lane) difference |= (address[lane] - address[lane - 1]) ^ step;
    const bool is_backwards = step >> 63, wraps = (last < address[0]) != is_backwards;
    if (difference == 0 && step + kFar < 2 * kFar && !wraps) {
      out.is_even = true;
      out.step = step;
      out.low = is_backwards ? last : address[0];
      out.high = is_backwards ? address[0] : last;
      out.bits = address[0] | step;
      return;
    }
  }
  u64 low = ~u64(0), high = 0, bits = 0;
  for (; mask != 0; mask &= mask - 1) {
    const u64 a = address[__builtin_ctz(mask)];
    low = a < low ? a : low;
    high = a > high ? a : high;
    bits |= a;
  }
  out.low = low;
  out.high = high;
  out.bits = bits;
}

}  // namespace gpusim::GPUSIM_LANE_OPS
