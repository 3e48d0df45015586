// Words that every part of the simulated GPU uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gpusim {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using s8 = std::int8_t;
using s16 = std::int16_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// Bit i is lane i of a warp.
using Mask = u32;

inline constexpr u32 kWarpSize = 32;
inline constexpr Mask kAllLanes = 0xffffffffu;

// Lanes in a mask. Written out because __builtin_popcount is a library call without -mpopcnt, and this runs
// once per simulated warp instruction.
inline u32 lane_count(Mask mask) {
  if (mask == kAllLanes) return kWarpSize;
  mask -= mask >> 1 & 0x55555555u;
  mask = (mask & 0x33333333u) + (mask >> 2 & 0x33333333u);
  mask = (mask + (mask >> 4)) & 0x0f0f0f0fu;
  return mask * 0x01010101u >> 24;
}

// The next multiple of `align`, or the value if it is one.
constexpr u64 align_up(u64 value, u64 align) { return (value + align - 1) / align * align; }

struct Dim3 {
  u32 x = 1, y = 1, z = 1;
  u64 count() const { return u64(x) * y * z; }
  bool operator==(const Dim3&) const = default;
};
// Where number `index` stands in a grid or block of that size.
inline Dim3 position(u64 index, const Dim3& size) {
  return {u32(index % size.x), u32(index / size.x % size.y), u32(index / size.x / size.y)};
}

// The state spaces of PTX that hold memory (PTX ISA, "State Spaces").
enum class Space : u8 { generic, global, shared, local, constant, param };

}  // namespace gpusim
// SPDX-License-Identifier: MIT
