// Compiled twice on x86-64, as device/lane_ops.cpp is.
#ifndef GPUSIM_LANE_OPS
#define GPUSIM_LANE_OPS lane_ops_base
#endif

#include "device/lane_addresses.h"

#include <algorithm>
#include <bit>

namespace gpusim::GPUSIM_LANE_OPS {
namespace {

// Written as vectors, for compilers find worse ones; and none lies across two that have just been stored, for which a processor
// would wait.
using Four [[gnu::vector_size(4 * sizeof(u64)), gnu::aligned(sizeof(u64)), gnu::may_alias]] = u64;
using FourShort [[gnu::vector_size(4 * sizeof(u32)), gnu::aligned(sizeof(u32)), gnu::may_alias]] = u32;

// True: the lanes, which all take part, lie in rows.
inline bool find_rows(LaneAddresses& out) {
  constexpr u32 kShortest = 8;
  const u64* const address = out.address;
  const Four* const vector = reinterpret_cast<const Four*>(address);
  const u64 step = address[1] - address[0], two = 2 * step;
  const Four left = {0, step, two, two + step}, right = left + 2 * two;  // in the shortest row
  Four differences = {};
  for (u32 lane = 0; lane < kWarpSize; lane += kShortest) {
    differences |= (vector[lane / 4] - address[lane]) ^ left;
    differences |= (vector[lane / 4 + 1] - address[lane]) ^ right;
  }
  const u64 difference = differences[0] | differences[1] | differences[2] | differences[3];
  out.row = 0;
  if (difference != 0) return false;
  const auto goes_on = [&](u32 lane) { return address[lane] - address[lane - 1] == step; };
  const u32 row = !goes_on(8) || !goes_on(24) ? 8 : !goes_on(16) ? 16 : 32;

  constexpr u64 kFar = u64(1) << 40;
  const bool is_backwards = step >> 63;
  u64 low = ~u64(0), high = 0, bits = step;
  bool wraps = step + kFar >= 2 * kFar;
  for (u32 lane = 0; lane < kWarpSize; lane += row) {
    const u64 first = address[lane], last = address[lane + row - 1];
    low = std::min(low, is_backwards ? last : first);
    high = std::max(high, is_backwards ? first : last);
    bits |= first;
    wraps |= (last < first) != is_backwards;
  }
  if (wraps) return false;
  out.row = row;
  out.step = step;
  out.low = low;
  out.high = high;
  out.bits = bits;
  return true;
}

inline void find_bounds(Mask mask, LaneAddresses& out) {
  out.row = 0;
  const u64 first = out.address[mask ? __builtin_ctz(mask) : 0];  // stands for those that take no part
  u64 low = first, high = first, bits = first;
  constexpr int kFew = 8;
  if (std::popcount(mask) <= kFew) {  // a thread that works alone, above all
    for (Mask left = mask; left; left &= left - 1) {
      const u64 a = out.address[__builtin_ctz(left)];
      low = std::min(low, a);
      high = std::max(high, a);
      bits |= a;
    }
    out.low = low;
    out.high = high;
    out.bits = bits;
    return;
  }
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    const u64 takes_part = u64(0) - (mask >> lane & 1);
    const u64 a = (out.address[lane] & takes_part) | (first & ~takes_part);
    low = a < low ? a : low;
    high = a > high ? a : high;
    bits |= a;
  }
  out.low = low;
  out.high = high;
  out.bits = bits;
}

}  // namespace

void addresses(const Instruction& in, const u8* frame, Mask mask, LaneAddresses& out) {
  const u64 offset = u64(in.offset);
  const u8* const registers = frame + in.s[0];
  Four* const address = reinterpret_cast<Four*>(out.address);
  if (in.address_bytes == 8) {
    for (u32 k = 0; k < kWarpSize / 4; ++k) address[k] = reinterpret_cast<const Four*>(registers)[k] + offset;
  } else {
    for (u32 k = 0; k < kWarpSize / 4; ++k)
      address[k] =
          __builtin_convertvector(reinterpret_cast<const FourShort*>(registers)[k] + u32(offset), Four);
  }
  if (mask != kAllLanes || !find_rows(out)) find_bounds(mask, out);
}

}  // namespace gpusim::GPUSIM_LANE_OPS
