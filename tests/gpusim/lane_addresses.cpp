// The addresses of a warp's access: rows of lanes, and bounds, against a look at each lane; by the loops for every processor and by
// those for this one.
#include "device/lane_addresses.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "device/lane_ops.h"

using namespace gpusim;

namespace {

using Lanes = std::vector<u64>;

// Lane l is at first[l / row] + l % row × step.
Lanes in_rows(u32 row, u64 step, const std::vector<u64>& first) {
  Lanes lanes;
  for (u32 l = 0; l < kWarpSize; ++l) lanes.push_back(first[l / row % first.size()] + l % row * step);
  return lanes;
}

LaneAddresses looked_at(AddressFunction addresses, const Lanes& lanes, u32 address_bytes, s64 offset,
                        Mask mask) {
  alignas(64) u8 frame[64 + kWarpSize * sizeof(u64)] = {};
  Instruction in;
  in.s[0] = 64;
  in.address_bytes = u8(address_bytes);
  in.offset = offset;
  for (u32 l = 0; l < kWarpSize; ++l) {
    const u64 value = lanes[l] - u64(offset);
    std::memcpy(frame + 64 + l * address_bytes, &value, address_bytes);
  }
  LaneAddresses out;
  addresses(in, frame, mask, out);
  return out;
}

void check(const Lanes& lanes, u32 address_bytes, Mask mask, u32 row) {
  std::vector<AddressFunction> all = {lane_ops_base::addresses};
  if (has_better_loops()) all.push_back(lane_addresses());
  for (const AddressFunction addresses : all)
    for (const s64 offset : {0, 12, -40}) {
      const LaneAddresses out = looked_at(addresses, lanes, address_bytes, offset, mask);
      u64 low = ~u64(0), high = 0, bits = 0;
      for (u32 l = 0; l < kWarpSize; ++l) {
        if (!(mask >> l & 1)) continue;
        CHECK(out.address[l] == lanes[l]);
        low = std::min(low, lanes[l]);
        high = std::max(high, lanes[l]);
        bits |= lanes[l];
      }
      CHECK(out.low == low);
      CHECK(out.high == high);
      for (const u64 size : {2, 4, 8, 16}) CHECK((out.bits % size == 0) == (bits % size == 0));
      CHECK(out.row == row);
      if (row) CHECK(out.step == lanes[1] - lanes[0]);
    }
}

constexpr u64 kFirst = u64(0x2000) << 32;

}  // namespace

TEST_CASE("lanes in rows are recognised, in the longest ones") {
  for (const u64 step : {u64(0), u64(1), u64(4), u64(8), u64(4096), u64(0) - 4, u64(0) - 16})
    for (const u32 row : {8u, 16u, 32u}) {
      CAPTURE(step);
      CAPTURE(row);
      check(in_rows(row, step, {kFirst + 4096, kFirst + 70000, kFirst + 1024, kFirst + 2048}), 8, kAllLanes,
            row);
      if (row < 32) check(in_rows(row, step, {kFirst + 4096, kFirst + 70000}), 8, kAllLanes, row);
      if (step <= 8) check(in_rows(row, step, {1024, 2048, 512, 0}), 4, kAllLanes, row);
    }
  check(in_rows(16, 4, {kFirst, kFirst + 64}), 8, kAllLanes, 32);                             // one row
  check(in_rows(8, 4, {kFirst, kFirst + 32, kFirst + 512, kFirst + 544}), 8, kAllLanes, 16);  // two
  check(in_rows(16, 0, {kFirst}), 8, kAllLanes, 32);
}

TEST_CASE("one lane elsewhere, lanes that take no part, and rows beyond all memory are no rows") {
  for (const u32 row : {8u, 16u, 32u})
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      CAPTURE(row);
      CAPTURE(lane);
      Lanes lanes = in_rows(row, 4, {kFirst, kFirst + 4096, kFirst + 512, kFirst + 40960});
      check(lanes, 8, kAllLanes & ~(Mask(1) << lane), 0);
      check(lanes, 8, Mask(1) << lane, 0);
      lanes[lane] += 2;
      check(lanes, 8, kAllLanes, 0);
      lanes[lane] = ~u64(0) - 100;  // also where it takes no part
      check(lanes, 8, kAllLanes, 0);
      check(lanes, 8, kAllLanes & ~(Mask(1) << lane), 0);
    }
  check(in_rows(32, u64(1) << 41, {kFirst}), 8, kAllLanes, 0);
  check(in_rows(32, 4, {u64(0) - 64}), 8, kAllLanes, 0);  // wraps
  check(in_rows(4, 4, {kFirst, kFirst + 4096}), 8, kAllLanes, 0);
}
