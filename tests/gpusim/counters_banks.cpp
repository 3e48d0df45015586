// Wavefronts of shared accesses: counted by hand, then against a count written another way.
#include <doctest/doctest.h>

#include <set>

#include "counters_warp.h"
#include "observers/banks.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

void expect(const Addresses& address, Mask mask, u32 bytes, u32 wavefronts, u32 ideal) {
  const BankUse use = bank_use(address.data(), mask, bytes);
  CHECK(use.wavefronts == wavefronts);
  CHECK(use.ideal == ideal);
}

// A set of words for each bank, group by group.
BankUse by_words(const Addresses& address, Mask mask, u32 bytes) {
  const u32 together = bytes == 16 ? 8 : bytes == 8 ? 16 : 32;
  BankUse use;
  for (u32 first = 0; first < kWarpSize; first += together) {
    std::array<std::set<u64>, 32> words_of_bank;
    std::set<u64> words;
    for (u32 lane = first; lane < first + together; ++lane) {
      for (u32 byte = 0; mask >> lane & 1 && byte < bytes; ++byte) {
        const u64 word = (address[lane] + byte) / 4;
        words_of_bank[word % 32].insert(word);
        words.insert(word);
      }
    }
    std::size_t largest = 0;
    for (const auto& each : words_of_bank) largest = std::max(largest, each.size());
    use.wavefronts += u32(largest);
    use.ideal += u32(words.size() + 31) / 32;
  }
  return use;
}

}  // namespace

TEST_CASE("a strided shared access takes as many wavefronts as counted by hand") {
  // Lane i at element i * stride, all lanes on. Ideal: 32 lanes * bytes / 128, one for each group.
  struct Row {
    u32 bytes, ideal;
    u32 wavefronts[6];  // for strides of 1, 2, 4, 8, 16, 32 elements
  };
  const Row rows[] = {
      {4, 1, {1, 2, 4, 8, 16, 32}},
      {8, 2, {2, 4, 8, 16, 32, 32}},     // two groups of 16 lanes: at worst 16 each
      {16, 4, {4, 8, 16, 32, 32, 32}},   // four groups of 8 lanes: at worst 8 each
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
  expect(strided(64, 1), kAllLanes, 1, 1, 1);   // four lanes to a word
  expect(strided(64, 2), kAllLanes, 2, 1, 1);   // two lanes to a word
  expect(strided(64, 0), kAllLanes, 8, 2, 2);   // the two half-warps are served one after the other
  Addresses two_rows;                           // two words of each bank, each asked for by two lanes
  for (u32 lane = 0; lane < kWarpSize; ++lane) two_rows[lane] = 4 * (lane / 2 % 8) + 128 * (lane / 16);
  expect(two_rows, kAllLanes, 4, 2, 1);
}

TEST_CASE("lanes that are off take no wavefront") {
  expect(only(0x0000ffff, strided(0, 8)), 0x0000ffff, 4, 1, 1);   // 16 lanes at stride 2 fit the banks
  expect(only(0x0001ffff, strided(0, 8)), 0x0001ffff, 4, 2, 1);   // lane 16 meets lane 0
  expect(only(0x0000ffff, strided(0, 8)), 0x0000ffff, 8, 1, 1);   // the upper half-warp is not there
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
  for_each_even_spacing([](const Addresses& address, u32 bytes) {
    const BankUse use = bank_use(address.data(), kAllLanes, bytes);
    const BankUse truth = by_words(address, kAllLanes, bytes);
    REQUIRE(use.wavefronts == truth.wavefronts);
    REQUIRE(use.ideal == truth.ideal);
  });
}

TEST_CASE("random shared accesses agree with sets of words") {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    const RandomAccess a = random_access(random);
    const BankUse use = bank_use(a.address.data(), a.mask, a.bytes);
    const BankUse truth = by_words(a.address, a.mask, a.bytes);
    REQUIRE(use.wavefronts == truth.wavefronts);
    REQUIRE(use.ideal == truth.ideal);
    REQUIRE(use.wavefronts >= use.ideal);
  }
}
