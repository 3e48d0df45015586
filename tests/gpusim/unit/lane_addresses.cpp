// The addresses of a warp's access: rows of lanes, and bounds, against a look at each lane; by the loops for every processor and by
// those for this one.
#include "lanes/lane_addresses.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "lanes/lane_ops.h"

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

namespace {

// Whether lanes of the mask, at these addresses, lie in a row of accesses of so many bytes within [base, base + size).
void check_row(const Lanes& lanes, u32 address_bytes, Mask mask, u32 bytes, u64 base, u64 size, bool is_row,
               bool all_there = true) {
  std::vector<RowFunction> all = {lane_ops_base::row};
  if (has_better_loops()) all.push_back(find_row());
  alignas(64) u8 frame[64 + kWarpSize * sizeof(u64)] = {};
  Instruction in;
  in.s[0] = 64;
  in.address_bytes = u8(address_bytes);
  in.offset = -8;
  for (u32 l = 0; l < kWarpSize; ++l) {
    const u64 value = lanes[l] - u64(in.offset);
    std::memcpy(frame + 64 + l * address_bytes, &value, address_bytes);
  }
  u8 memory[1];  // only its address matters
  for (const RowFunction find : all) {
    LaneRow row{};
    REQUIRE(find(in, frame, mask, bytes, {memory, base, size}, row) == is_row);
    if (!is_row) continue;
    CHECK(row.first == lanes[0]);
    CHECK(row.step == lanes[1] - lanes[0]);
    CHECK(reinterpret_cast<u64>(row.where) == reinterpret_cast<u64>(memory) + (lanes[0] - base));
    CHECK(row.all_there == all_there);
  }
}

}  // namespace

TEST_CASE("a row is one if what its lanes touch is in the piece of memory, and aligned") {
  for (const u32 address_bytes : {4u, 8u}) {
    const u64 base = address_bytes == 8 ? kFirst : 4096;
    const auto row = [&](u64 step, u64 at) { return in_rows(32, step, {base + at}); };
    check_row(row(4, 0), address_bytes, kAllLanes, 4, base, 128, true);
    check_row(row(4, 0), address_bytes, kAllLanes, 4, base, 127, false);
    check_row(row(4, 4), address_bytes, kAllLanes, 4, base, 128, false);
    check_row(row(0, 124), address_bytes, kAllLanes, 4, base, 128, true);
    check_row(row(0, 126), address_bytes, kAllLanes, 4, base, 4096, false);  // not aligned
    check_row(row(6, 0), address_bytes, kAllLanes, 4, base, 4096, false);
    check_row(row(u64(0) - 4, 124), address_bytes, kAllLanes, 4, base, 128, true);
    check_row(row(u64(0) - 4, 120), address_bytes, kAllLanes, 4, base, 128,
              false);  // the last lane is before it
    check_row(row(16, 0), address_bytes, kAllLanes, 16, base, 512, true);
    check_row(row(4, 0), address_bytes, kAllLanes, 4, base, 2, false);  // a piece smaller than an element
    // Lanes that take no part may lie elsewhere.
    check_row(row(4, 4), address_bytes, 0x7fffffff, 4, base, 128, true, false);
    check_row(row(4, 0), address_bytes, 0x0000ffff, 4, base, 64, true, false);
    check_row(row(4, 0), address_bytes, 0x0001ffff, 4, base, 64, false);
    check_row(row(4, u64(0) - 4), address_bytes, 0xfffffffe, 4, base, 128, true, false);
    check_row(row(4, u64(0) - 4), address_bytes, 0xffffffff, 4, base, 128, false);
    Lanes bent = row(4, 0);
    bent[31] += 4;
    check_row(bent, address_bytes, 0x7fffffff, 4, base, 4096, false);
  }
  check_row(in_rows(32, u64(1) << 41, {kFirst}), 8, kAllLanes, 4, 0, ~u64(0), false);
}
// SPDX-License-Identifier: MIT
