// Wavefronts of shared accesses: counted by hand, then against a count written another way.
#include <doctest/doctest.h>

#include <set>

#include "counters_warp.h"
#include "counting/banks.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

// Loads and stores alike.
void expect(const Addresses& address, Mask mask, u32 bytes, u32 wavefronts, u32 ideal) {
  for (const bool is_load : {false, true}) {
    CAPTURE(is_load);
    const BankUse use = bank_use(address.data(), mask, bytes, is_load);
    CHECK(use.wavefronts == wavefronts);
    CHECK(use.ideal == ideal);
  }
}

// Loads and stores apart. Without conflicts each has as many wavefronts as its ideal.
void expect_free_of_conflicts(const Addresses& address, Mask mask, u32 bytes, u32 loads, u32 stores) {
  const BankUse load = bank_use(address.data(), mask, bytes, true);
  const BankUse store = bank_use(address.data(), mask, bytes, false);
  CHECK(load.wavefronts == loads);
  CHECK(load.ideal == loads);
  CHECK(store.wavefronts == stores);
  CHECK(store.ideal == stores);
}

// Lane i at the element that `element` gives it.
template <class F>
Addresses elements(u32 bytes, F element) {
  Addresses a;
  for (u32 lane = 0; lane < kWarpSize; ++lane) a[lane] = u64(element(lane)) * bytes;
  return a;
}

// A set of words for each bank, group by group.
BankUse by_words(const Addresses& address, Mask mask, u32 bytes, bool is_load) {
  u32 together = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  const auto all_share = [&](u32 distance) {
    std::set<u64> in_group[kWarpSize];  // addresses by pair
    bool share = true;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      auto& group = in_group[lane & ~distance];
      if (mask >> lane & 1) group.insert(address[lane]);
      share = share && group.size() <= 1;
    }
    return share;
  };
  if (bytes >= 8 && is_load && (all_share(1) || all_share(2))) together *= 2;
  BankUse use;
  for (u32 first = 0; first < kWarpSize; first += together) {
    std::array<std::set<u64>, 32> words_of_bank;
    for (u32 lane = first; lane < first + together; ++lane) {
      for (u32 byte = 0; mask >> lane & 1 && byte < bytes; ++byte) {
        const u64 word = (address[lane] + byte) / 4;
        words_of_bank[word % 32].insert(word);
      }
    }
    std::size_t largest = 0;
    for (const auto& each : words_of_bank) largest = std::max(largest, each.size());
    use.wavefronts += u32(largest);
    use.ideal += largest > 0;
  }
  return use;
}

void expect_as_by_words(const Addresses& address, Mask mask, u32 bytes) {
  for (const bool is_load : {false, true}) {
    const BankUse use = bank_use(address.data(), mask, bytes, is_load);
    const BankUse truth = by_words(address, mask, bytes, is_load);
    REQUIRE(use.wavefronts == truth.wavefronts);
    REQUIRE(use.ideal == truth.ideal);
    REQUIRE(use.wavefronts >= use.ideal);
  }
}

}  // namespace

TEST_CASE("shared accesses in rows take as many wavefronts as a set of words says") {
  for_random_rows([](const Addresses& address, u32 bytes, u32 row) {
    for (const bool is_load : {false, true}) {
      const BankUse use = bank_use(address.data(), kAllLanes, bytes, is_load, row);
      const BankUse truth = by_words(address, kAllLanes, bytes, is_load);
      REQUIRE(use.wavefronts == truth.wavefronts);
      REQUIRE(use.ideal == truth.ideal);
    }
  });
}

TEST_CASE("a strided shared access takes as many wavefronts as counted by hand") {
  // Lane i at element i * stride, all lanes on. Ideal: 32 lanes * bytes / 128, one for each group.
  struct Row {
    u32 bytes, ideal;
    u32 wavefronts[6];  // for strides of 1, 2, 4, 8, 16, 32 elements
  };
  const Row rows[] = {
      {4, 1, {1, 2, 4, 8, 16, 32}},
      {8, 2, {2, 4, 8, 16, 32, 32}},    // two groups of 16 lanes: at worst 16 each
      {16, 4, {4, 8, 16, 32, 32, 32}},  // four groups of 8 lanes: at worst 8 each
  };
  for (const Row& row : rows) {
    for (u32 power = 0; power < 6; ++power) {
      CAPTURE(row.bytes);
      CAPTURE(1u << power);
      expect(strided(0, row.bytes << power), kAllLanes, row.bytes, row.wavefronts[power], row.ideal);
    }
  }
}

TEST_CASE("odd strides of 4-byte words are free of conflicts") {
  for (const u32 stride : {3, 5, 7, 31, 33}) {
    CAPTURE(stride);
    expect(strided(0, 4 * stride), kAllLanes, 4, 1, 1);
  }
  expect(strided(0, 4 * 6), kAllLanes, 4, 2, 1);
  expect(strided(0, 4 * 12), kAllLanes, 4, 4, 1);
}

TEST_CASE("where a contiguous access starts does not matter to the banks") {
  for (const u64 offset : {4, 12, 60, 124}) {
    CAPTURE(offset);
    expect(strided(offset, 4), kAllLanes, 4, 1, 1);
  }
  expect(strided(8, 8), kAllLanes, 8, 2, 2);
  expect(strided(16, 16), kAllLanes, 16, 4, 4);
}

TEST_CASE("lanes that read the same word are served by one broadcast") {
  expect(strided(64, 0), kAllLanes, 4, 1, 1);
  expect(strided(64, 1), kAllLanes, 1, 1, 1);  // four lanes to a word
  expect(strided(64, 2), kAllLanes, 2, 1, 1);  // two lanes to a word
  expect_free_of_conflicts(strided(64, 0), kAllLanes, 8, 1,
                           2);  // a store serves one half-warp after the other
  expect_free_of_conflicts(strided(64, 0), kAllLanes, 16, 2, 4);
  Addresses two_rows;  // two words of each bank, each asked for by two lanes
  for (u32 lane = 0; lane < kWarpSize; ++lane) two_rows[lane] = 4 * (lane / 2 % 8) + 128 * (lane / 16);
  expect(two_rows, kAllLanes, 4, 2, 1);
}

TEST_CASE("a load of 8 or 16 bytes takes half the wavefronts where neighbours share") {
  // Wavefronts of 8-byte and of 16-byte loads. A half-warp, or quarter-warp, is one wavefront unless doubled.
  struct Row {
    const char* what;
    u32 (*element)(u32 lane);
    u32 of_8_bytes, of_16_bytes;
  };
  const Row rows[] = {
      {"each lane its own", [](u32 l) { return l; }, 2, 4},
      {"lanes 0 and 1, 2 and 3, …", [](u32 l) { return l / 2; }, 1, 2},
      {"lanes 0 and 2, 1 and 3, …", [](u32 l) { return l / 4 * 2 + l % 2; }, 1, 2},
      {"lanes 0 and 4, …", [](u32 l) { return l / 8 * 4 + l % 4; }, 2, 4},
      {"lanes 0 and 16, …", [](u32 l) { return l % 16; }, 2, 4},
      {"one element for each half-warp", [](u32 l) { return l / 16; }, 1, 2},
      {"pairs, in one half-warp only", [](u32 l) { return l < 16 ? l / 2 : l; }, 2, 4},
      {"pairs but for one", [](u32 l) { return l < 30 ? l / 2 : l - 15; }, 2, 4},
      {"lanes 1 apart and lanes 2 apart", [](u32 l) { return l < 16 ? l / 2 : 8 + l / 4 * 2 + l % 2; }, 2, 4},
  };
  for (const Row& row : rows) {
    CAPTURE(row.what);
    expect_free_of_conflicts(elements(8, row.element), kAllLanes, 8, row.of_8_bytes, 2);
    expect_free_of_conflicts(elements(16, row.element), kAllLanes, 16, row.of_16_bytes, 4);
  }
}

TEST_CASE("a lane that is off shares with any neighbour") {
  const Addresses packed = elements(8, [](u32 l) { return l / 2; });
  expect_free_of_conflicts(only(0x55555555, packed), 0x55555555, 8, 1, 2);         // even lanes
  expect_free_of_conflicts(only(0x80000001, packed), 0x80000001, 8, 1, 2);         // lanes 0 and 31
  expect_free_of_conflicts(only(0x33333333, packed), 0x33333333, 8, 1, 2);         // 0 1 share, 4 5 share, …
  expect_free_of_conflicts(only(0x0f0f0f0f, strided(0, 8)), 0x0f0f0f0f, 8, 2, 2);  // 0 1 2 3 do not
}

TEST_CASE("lanes served together conflict with each other") {
  // Even lanes at elements 0 2 4 …: a load serves all 16 together, and words 0 and 32 share a bank.
  const Addresses address = only(0x55555555, strided(0, 8));
  const BankUse load = bank_use(address.data(), 0x55555555, 8, true);
  CHECK(load.wavefronts == 2);
  CHECK(load.ideal == 1);
  const BankUse store = bank_use(address.data(), 0x55555555, 8, false);
  CHECK(store.wavefronts == 2);
  CHECK(store.ideal == 2);
}

TEST_CASE("lanes that are off take no wavefront") {
  expect(only(0x0000ffff, strided(0, 8)), 0x0000ffff, 4, 1, 1);  // 16 lanes at stride 2 fit the banks
  expect(only(0x0001ffff, strided(0, 8)), 0x0001ffff, 4, 2, 1);  // lane 16 meets lane 0
  expect(only(0x0000ffff, strided(0, 8)), 0x0000ffff, 8, 1, 1);  // the upper half-warp is not there
  expect(only(0xff0000ff, strided(0, 16)), 0xff0000ff, 16, 2, 2);
  expect(only(0x00000001, strided(0, 4)), 0x00000001, 4, 1, 1);
}

TEST_CASE("the order of the lanes does not change the wavefronts") {
  expect(reversed(strided(0, 4)), kAllLanes, 4, 1, 1);
  expect(reversed(strided(0, 16)), kAllLanes, 4, 4, 1);
}

TEST_CASE("a column of a 32 by 32 tile conflicts and of a padded tile does not") {
  expect(strided(0, 32 * 4), kAllLanes, 4, 32, 1);
  expect(strided(0, 33 * 4), kAllLanes, 4, 1, 1);
}

TEST_CASE("evenly spaced shared accesses agree with sets of words") {
  for_each_even_spacing(
      [](const Addresses& address, u32 bytes) { expect_as_by_words(address, kAllLanes, bytes); });
}

TEST_CASE("one row of shared accesses, known by its step, agrees with sets of words") {
  for_each_even_spacing([](const Addresses& address, u32 bytes) {
    const u64 step = address[1] - address[0];
    const bool is_near = step == 0 || step == bytes;
    if ((address[0] | step) % bytes != 0 || (bytes < kBankBytes && !is_near)) return;
    for (const bool is_load : {false, true}) {
      const BankUse use = row_bank_use(step, bytes, is_load);
      for (const Mask mask : {kAllLanes, 0x00000001u, 0x55555555u, 0x00ffff00u}) {
        if (mask != kAllLanes && (bytes > kBankBytes || !is_near)) continue;
        const BankUse truth = by_words(address, mask, bytes, is_load);
        REQUIRE(use.wavefronts == truth.wavefronts);
        REQUIRE(use.ideal == truth.ideal);
      }
    }
  });
}

TEST_CASE("random shared accesses agree with sets of words") {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    RandomAccess a = random_access(random);
    if (i % 4 == 1)
      for (u32 lane = 0; lane < kWarpSize; ++lane) a.address[lane] = a.address[lane & ~1u];
    if (i % 4 == 2)
      for (u32 lane = 0; lane < kWarpSize; ++lane) a.address[lane] = a.address[lane & ~2u];
    if (i % 4 != 0)  // the lane that others share with may have been off
      for (u64& address : a.address) address = address == kInvalid ? 4096 : address;
    expect_as_by_words(a.address, a.mask, a.bytes);
  }
}
// SPDX-License-Identifier: MIT
