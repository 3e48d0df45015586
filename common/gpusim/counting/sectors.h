// Sectors: the 32-byte pieces in which global and local memory are moved.
#pragma once

#include "counting/lanes.h"

namespace gpusim {

inline constexpr u32 kSectorShift = 5;
inline constexpr u32 kSectorBytes = 1u << kSectorShift;

struct SectorUse {
  u32 sectors = 0;  // distinct 32-byte sectors touched
  u32 ideal = 0;    // fewest sectors that hold as many distinct bytes
  u32 requests = 1;
};

// 32 lanes, `step` bytes apart from address `first` on. Both are multiples of `bytes`: no lane straddles two
// sectors.
inline SectorUse evenly_spaced_sector_use(u64 first, u64 step, u32 bytes) {
  const u64 last = first + (kWarpSize - 1) * step;
  const u64 spanned = ((last + bytes - 1) >> kSectorShift) - (first >> kSectorShift) + 1;
  const u32 distinct_bytes = step == 0 ? bytes : kWarpSize * bytes;
  const bool skips_none = step <= kSectorBytes;  // else each lane has a sector of its own
  return {skips_none ? u32(spanned) : kWarpSize, (distinct_bytes + kSectorBytes - 1) / kSectorBytes};
}

// So many bytes from an address on, without a gap.
inline SectorUse stretch_sector_use(u64 first, u64 bytes) {
  return {u32(((first + bytes - 1) >> kSectorShift) - (first >> kSectorShift) + 1),
          u32((bytes + kSectorBytes - 1) / kSectorBytes)};
}

// 32 lanes in a row of aligned accesses, `step` bytes apart, forwards or backwards.
inline SectorUse row_sector_use(u64 first, u64 step, u32 bytes) {
  const bool is_backwards = step >> 63;
  return evenly_spaced_sector_use(is_backwards ? first + (kWarpSize - 1) * step : first,
                                  is_backwards ? 0 - step : step, bytes);
}

// A warp access to global memory: each lane of the mask touches [address, address + bytes). row: as in Access.
inline SectorUse sector_use(const u64* address, Mask mask, u32 bytes, u32 row = 0) {
  const auto fewest = [](u32 distinct_bytes) { return (distinct_bytes + kSectorBytes - 1) / kSectorBytes; };
  if (row == 8 || row == 16) {
    const u64 step = address[1] - address[0];
    if (step == 0 ||
        step == bytes) {  // then a row touches all bytes from its first to its last: as one lane would
      const AscendingAddresses rows(address, row == 8 ? 0x01010101 : 0x00010001);
      const u32 of_row = step == 0 ? bytes : row * bytes;
      return {rows.units(of_row, kSectorShift), fewest(rows.units(of_row, 0))};
    }
  }
  if (row == kWarpSize || (mask == kAllLanes && is_evenly_spaced(address))) {
    const u64 first = std::min(address[0], address[kWarpSize - 1]);
    const u64 step = (std::max(address[0], address[kWarpSize - 1]) - first) / (kWarpSize - 1);
    if ((first | step) % bytes == 0) return evenly_spaced_sector_use(first, step, bytes);
  }
  const AscendingAddresses lanes(address, mask);
  return {lanes.units(bytes, kSectorShift), fewest(lanes.units(bytes, 0))};
}

// A warp access to local memory, whose addresses count from the start of each thread's own. A GPU interleaves
// the threads: 4-byte word w of lane l lies at byte 128 * w + 4 * l, so that one word of all 32 lanes is 128
// contiguous bytes. A sector thus holds one word of eight neighbouring lanes, and each word of an access of 8 or
// 16 bytes is a request of its own (measured on an H200: tests/gpusim/data/ncu_h200.json, "local 8 bytes, …").
inline SectorUse local_sector_use(const u64* address, Mask mask, u32 bytes) {
  constexpr u32 kWordShift = 2, kLanesPerSector = kSectorBytes >> kWordShift;
  constexpr Mask kGroup = (Mask(1) << kLanesPerSector) - 1;
  SectorUse use;
  for (u32 lane = 0; lane < kWarpSize; lane += kLanesPerSector)
    use.sectors += AscendingAddresses(address + lane, mask >> lane & kGroup).units(bytes, kWordShift);
  use.requests = std::max(1u, bytes >> kWordShift);
  use.ideal = (lane_count(mask) * bytes + kSectorBytes - 1) / kSectorBytes;
  return use;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
