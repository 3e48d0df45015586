// Sectors of global and local accesses: counted by hand, then against a count written another way.
#include <doctest/doctest.h>

#include <set>

#include "counters_warp.h"
#include "counting/sectors.h"
#include "execution/events.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

void expect(const Addresses& address, Mask mask, u32 bytes, u32 sectors, u32 ideal) {
  const SectorUse use = sector_use(address.data(), mask, bytes);
  CHECK(use.sectors == sectors);
  CHECK(use.ideal == ideal);
}

// Every byte on its own, into a set.
SectorUse by_bytes(const Addresses& address, Mask mask, u32 bytes) {
  std::set<u64> touched, sectors;
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    for (u32 byte = 0; byte < bytes; ++byte) {
      touched.insert(address[lane] + byte);
      sectors.insert((address[lane] + byte) / 32);
    }
  }
  return {u32(sectors.size()), u32(touched.size() + 31) / 32};
}

}  // namespace

TEST_CASE("a strided global access touches as many sectors as counted by hand") {
  // Lane i at element i * stride, all lanes on, starting at a sector. Ideal: 32 lanes * bytes / 32.
  struct Row {
    u32 bytes, ideal;
    u32 sectors[6];  // for strides of 1, 2, 4, 8, 16, 32 elements
  };
  const Row rows[] = {
      {4, 4, {4, 8, 16, 32, 32, 32}},
      {8, 8, {8, 16, 32, 32, 32, 32}},
      {16, 16, {16, 32, 32, 32, 32, 32}},
  };
  for (const Row& row : rows) {
    for (u32 power = 0; power < 6; ++power) {
      CAPTURE(row.bytes);
      CAPTURE(1u << power);
      expect(strided(0x1000, row.bytes << power), kAllLanes, row.bytes, row.sectors[power], row.ideal);
    }
  }
}

TEST_CASE("a contiguous access that starts inside a sector touches one sector more") {
  for (const u64 offset : {4, 8, 12, 16, 28}) {
    CAPTURE(offset);
    expect(strided(0x1000 + offset, 4), kAllLanes, 4, 5, 4);
  }
  expect(strided(0x1008, 8), kAllLanes, 8, 9, 8);
  expect(strided(0x1010, 16), kAllLanes, 16, 17, 16);
  expect(strided(0x1001, 1), kAllLanes, 1, 2, 1);
}

TEST_CASE("lanes that read the same address share its sector") {
  expect(strided(0x1000, 0), kAllLanes, 4, 1, 1);
  Addresses pairs;
  for (u32 lane = 0; lane < kWarpSize; ++lane) pairs[lane] = 0x1000 + lane / 2 * 4;
  expect(pairs, kAllLanes, 4, 2, 2);
}

TEST_CASE("lanes that are off touch no sector") {
  expect(only(0x000000ff, strided(0x1000, 4)), 0x000000ff, 4, 1, 1);
  expect(only(0xff000000, strided(0x1000, 4)), 0xff000000, 4, 1, 1);
  expect(only(0x01010101, strided(0x1000, 4)), 0x01010101, 4, 4, 1);
  expect(only(0x80000000, strided(0x1000, 4)), 0x80000000, 4, 1, 1);
}

TEST_CASE("the order of the lanes does not change the sectors") {
  expect(reversed(strided(0x1000, 4)), kAllLanes, 4, 4, 4);
  expect(reversed(strided(0x1000, 32)), kAllLanes, 4, 32, 4);
  Addresses butterfly = strided(0x1000, 4);
  for (u32 lane = 0; lane < kWarpSize; ++lane) butterfly[lane] = 0x1000 + (lane ^ 21u) * 4;
  expect(butterfly, kAllLanes, 4, 4, 4);
}

TEST_CASE("an access that straddles two sectors counts both") {
  expect(only(1, strided(0x101e, 0)), 1, 4, 2, 1);
}

TEST_CASE("evenly spaced global accesses agree with a set of bytes") {
  for_each_even_spacing([](const Addresses& address, u32 bytes) {
    const SectorUse use = sector_use(address.data(), kAllLanes, bytes);
    const SectorUse truth = by_bytes(address, kAllLanes, bytes);
    REQUIRE(use.sectors == truth.sectors);
    REQUIRE(use.ideal == truth.ideal);
  });
}

TEST_CASE("one row of accesses, known by its first and its step, agrees with a set of bytes") {
  for_each_even_spacing([](const Addresses& address, u32 bytes) {
    const u64 first = address[0], step = address[1] - address[0];
    if ((first | step) % bytes != 0) return;
    const SectorUse use = row_sector_use(first, step, bytes), truth = by_bytes(address, kAllLanes, bytes);
    REQUIRE(use.sectors == truth.sectors);
    REQUIRE(use.ideal == truth.ideal);
  });
  for (const u32 bytes : {1u, 2u, 4u, 8u, 16u})
    for (u64 first = 0x1000; first < 0x1040; first += bytes)
      for (const Mask mask : {0x00000001u, 0x000003feu, 0xffff0000u, 0x80000000u, 0x7fffffffu}) {
        RowAccess a;
        a.mask = mask;
        a.bytes = bytes;
        a.first = first;
        a.step = bytes;
        REQUIRE(a.is_gapless());
        const SectorUse use = stretch_sector_use(a.begin(), u64(lane_count(mask)) * bytes),
                        truth = by_bytes(strided(first, bytes), mask, bytes);
        REQUIRE(use.sectors == truth.sectors);
        REQUIRE(use.ideal == truth.ideal);
      }
  RowAccess gap;
  gap.mask = 0x0000ff0f;
  gap.bytes = gap.step = 4;
  CHECK(!gap.is_gapless());
  gap.mask = 0x00000ff0;
  CHECK(gap.is_gapless());
  gap.step = 8;
  CHECK(!gap.is_gapless());
}

TEST_CASE("global accesses in rows agree with a set of bytes") {
  for_random_rows([](const Addresses& address, u32 bytes, u32 row) {
    const SectorUse use = sector_use(address.data(), kAllLanes, bytes, row);
    const SectorUse truth = by_bytes(address, kAllLanes, bytes);
    REQUIRE(use.sectors == truth.sectors);
    REQUIRE(use.ideal == truth.ideal);
  });
}

TEST_CASE("random global accesses agree with a set of bytes") {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    const RandomAccess a = random_access(random);
    const SectorUse use = sector_use(a.address.data(), a.mask, a.bytes);
    const SectorUse truth = by_bytes(a.address, a.mask, a.bytes);
    REQUIRE(use.sectors == truth.sectors);
    REQUIRE(use.ideal == truth.ideal);
  }
}

TEST_CASE("the same local word of all lanes is 128 contiguous bytes") {
  const Addresses same = strided(40, 0);
  CHECK(local_sector_use(same.data(), kAllLanes, 4).sectors == 4);
  CHECK(local_sector_use(same.data(), kAllLanes, 4).ideal == 4);
  CHECK(local_sector_use(same.data(), kAllLanes, 8).sectors == 8);
  CHECK(local_sector_use(same.data(), kAllLanes, 16).sectors == 16);
  CHECK(local_sector_use(same.data(), 0x000000ff, 4).sectors == 1);
  CHECK(local_sector_use(same.data(), 0x01010101, 4).sectors == 4);
  CHECK(local_sector_use(same.data(), 0x01010101, 4).ideal == 1);
}

TEST_CASE("a local access is a request for each of its words") {
  const Addresses same = strided(0, 0), own = strided(0, 16);
  for (const Addresses& address : {same, own}) {
    CHECK(local_sector_use(address.data(), kAllLanes, 1).requests == 1);
    CHECK(local_sector_use(address.data(), kAllLanes, 4).requests == 1);
    CHECK(local_sector_use(address.data(), kAllLanes, 8).requests == 2);
    CHECK(local_sector_use(address.data(), 0x00000020, 16).requests == 4);
    CHECK(sector_use(address.data(), kAllLanes, 16).requests == 1);
  }
}

TEST_CASE("a different local word in each lane is a sector for each lane") {
  const Addresses own = strided(0, 4);
  CHECK(local_sector_use(own.data(), kAllLanes, 4).sectors == 32);
  CHECK(local_sector_use(own.data(), kAllLanes, 4).ideal == 4);
}

TEST_CASE("random local accesses agree with a set of interleaved bytes") {
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    RandomAccess a = random_access(random);
    const SectorUse use = local_sector_use(a.address.data(), a.mask, a.bytes);
    std::set<u64> bytes, sectors;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      for (u64 at = a.address[lane]; a.mask >> lane & 1 && at < a.address[lane] + a.bytes; ++at) {
        const u64 interleaved = at / 4 * 128 + lane * 4 + at % 4;
        bytes.insert(interleaved);
        sectors.insert(interleaved / 32);
      }
    }
    REQUIRE(use.sectors == sectors.size());
    REQUIRE(use.ideal == (bytes.size() + 31) / 32);
  }
}

TEST_CASE("the lanes of a mask are counted right") {
  CHECK(lane_count(0) == 0);
  CHECK(lane_count(kAllLanes) == 32);
  std::mt19937 random(3);
  for (int i = 0; i < 10000; ++i) {
    const Mask mask = random();
    u32 lanes = 0;
    for (u32 lane = 0; lane < kWarpSize; ++lane) lanes += mask >> lane & 1;
    REQUIRE(lane_count(mask) == lanes);
  }
}
// SPDX-License-Identifier: MIT
