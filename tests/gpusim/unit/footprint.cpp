// What host threads note of the memory that they touch, against a set of bytes; and memory as it was.
#include "execution/footprint.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <vector>

#include "ptx/program.h"

using namespace gpusim;

namespace {

constexpr u32 kLoadPc = 0, kAtomicPc = 1;
const std::vector<bool> kMayPutOff = {false, true};

// A host thread's accesses, noted twice.
class Thread {
 public:
  Thread(Memory& memory, std::atomic<u64>& saved) : footprint(memory, kMayPutOff, saved) {
    footprint.begin_block(0);
  }
  void access(AccessKind kind, u32 bytes, Mask mask, u32 row, const std::array<u64, kWarpSize>& address) {
    Access a;
    a.pc = kind == AccessKind::atomic ? kAtomicPc : kLoadPc;
    a.mask = mask;
    a.kind = kind;
    a.bytes = bytes;
    a.address = address.data();
    a.row = row;
    a.instruction = &weak_;
    footprint.access(a);
    std::set<u64>& touched = kind == AccessKind::load ? read : kind == AccessKind::store ? written : deferred;
    for (u32 l = 0; l < kWarpSize; ++l)
      for (u64 k = 0; mask >> l & 1 && k < bytes; ++k) touched.insert(address[l] + k);
  }
  Footprint footprint;
  std::set<u64> read, written, deferred;

 private:
  const Instruction weak_ = {};
};

bool overlap(const std::set<u64>& a, const std::set<u64>& b) {
  return std::ranges::any_of(a, [&](u64 byte) { return b.contains(byte); });
}
bool blocks_are_independent(const std::vector<std::unique_ptr<Thread>>& threads) {
  for (const auto& a : threads)
    for (const auto& b : threads) {
      if (overlap(a->deferred, b->read) || overlap(a->deferred, b->written)) return false;
      if (a != b && (overlap(a->written, b->read) || overlap(a->written, b->written))) return false;
    }
  return true;
}
bool noted_apart(const std::vector<std::unique_ptr<Thread>>& threads) {
  std::vector<const Footprint*> all;
  for (const auto& thread : threads) all.push_back(&thread->footprint);
  return Footprint::blocks_are_independent(all);
}

}  // namespace

TEST_CASE("footprints are apart exactly if no byte that one has written was touched by another") {
  std::mt19937 random(14);
  const auto below = [&](u64 n) { return u64(random()) % n; };
  constexpr u64 kStrip = 1024;  // bytes: threads take turns
  u32 apart = 0, together = 0;
  for (u32 round = 0; round < 400; ++round) {
    CAPTURE(round);
    Memory memory;
    const u64 sizes[] = {3 * 4096 + 256, 768};
    const u64 bases[] = {memory.allocate(sizes[0]), memory.allocate(sizes[1])};
    std::atomic<u64> saved = 0;
    std::vector<std::unique_ptr<Thread>> threads;
    for (u32 k = 0; k < 3; ++k) threads.push_back(std::make_unique<Thread>(memory, saved));
    const u32 accesses = 1 + u32(below(60));
    const bool has_atomics = below(2), strays = below(2);
    for (u32 k = 0; k < accesses; ++k) {
      const u64 t = below(threads.size());
      const u32 bytes = has_atomics ? 4 : 1u << below(5);
      // Loads are of the first part of each strip, which nobody writes; stores of the thread's own, mostly; atomics of the end.
      const u64 of = below(4) ? 0 : 1, strips = sizes[of] / kStrip;
      const u64 kind = strips == 0 ? 0 : below(has_atomics ? 3 : 2);
      const auto place = [&](u64 n) {  // of n bytes
        if (strips == 0) return bases[of] + below((sizes[of] - n) / bytes + 1) * bytes;
        const bool is_astray = strays && below(60) == 0;
        const u64 part[] = {0, 512 + 128 * t, 896}, room = is_astray ? kStrip : 128;
        return bases[of] + below(strips) * kStrip + (is_astray ? 0 : part[kind]) +
               below((room - n) / bytes + 1) * bytes;
      };
      const u32 row = kind == 2 ? 0 : std::array{0u, 8u, 16u, 32u}[below(4)];
      const u64 step = below(2) ? bytes : 0;
      const bool fits = row && row * bytes <= 128;
      std::array<u64, kWarpSize> address;
      u64 first = 0;
      for (u32 l = 0; l < kWarpSize; ++l) {
        if (fits && l % row == 0) first = place(step ? u64(row) * bytes : bytes);
        address[l] = fits ? first + l % row * step : place(bytes);
      }
      bool is_row = fits;
      for (u32 l = 0; fits && l < kWarpSize; ++l)
        is_row &= l % row == 0 || address[l] - address[l - 1] == address[1] - address[0];
      const Mask mask = is_row ? kAllLanes : Mask(random()) | 1;
      threads[t]->access(kind == 0   ? AccessKind::load
                         : kind == 1 ? AccessKind::store
                                     : AccessKind::atomic,
                         bytes, mask, is_row ? row : 0, address);
    }
    const bool are = blocks_are_independent(threads);
    CHECK(noted_apart(threads) == are);
    ++(are ? apart : together);
  }
  CHECK(apart > 50);  // both have been asked about
  CHECK(together > 50);
}

TEST_CASE("pages that several threads have saved become what they were before the first of them wrote") {
  Memory memory;
  constexpr u64 kBytes = 5 * 4096 + 100;
  const u64 base = memory.allocate(kBytes);
  u8* const bytes = memory.resolve(base, kBytes);
  for (u64 k = 0; k < kBytes; ++k) bytes[k] = u8(k * 37 >> 3);
  const std::vector<u8> before(bytes, bytes + kBytes);
  std::atomic<u64> saved = 0;
  std::vector<std::unique_ptr<Thread>> threads;
  for (u32 k = 0; k < 3; ++k) threads.push_back(std::make_unique<Thread>(memory, saved));
  std::mt19937 random(15);
  for (u32 k = 0; k < 200; ++k) {
    std::array<u64, kWarpSize> address;
    for (u64& a : address) a = base + random() % (kBytes / 4) * 4;
    threads[random() % 3]->access(AccessKind::store, 4, kAllLanes, 0, address);
    for (const u64 a : address) bytes[a - base] ^= 0xff;
  }
  std::vector<const Footprint*> all;
  for (const auto& thread : threads) all.push_back(&thread->footprint);
  CHECK(std::memcmp(bytes, before.data(), kBytes) != 0);
  Footprint::restore(all);
  CHECK(std::memcmp(bytes, before.data(), kBytes) == 0);
}

TEST_CASE("pages of one number throughout are not copied, and become what they were all the same") {
  constexpr std::size_t kPage = SavedPages::kPageBytes, kPages = 4;
  Memory memory;
  std::atomic<u64> saved = 0;
  Thread thread(memory, saved);
  const u64 base = memory.allocate(kPages * kPage);
  u8* const bytes = memory.resolve(base, kPages * kPage);
  for (std::size_t k = 0; k < kPages * kPage; ++k) bytes[k] = u8(3 + k % 8);  // eight bytes, again and again
  bytes[2 * kPage + kPage - 1] ^= 1;                                          // … but for the last of a page
  const std::vector<u8> before(bytes, bytes + kPages * kPage);
  for (std::size_t page = 0; page < kPages; ++page) {
    std::array<u64, kWarpSize> address;
    for (u32 l = 0; l < kWarpSize; ++l) address[l] = base + page * kPage + 4 * l;
    thread.access(AccessKind::store, 4, kAllLanes, kWarpSize, address);
    std::memset(bytes + page * kPage, 0xaa, kPage);
  }
  CHECK(saved == kPages);
  CHECK(thread.footprint.copied_pages() == 1);
  const Footprint* const all[] = {&thread.footprint};
  Footprint::restore(all);
  CHECK(std::memcmp(bytes, before.data(), before.size()) == 0);
}

TEST_CASE("atomics of two sizes in one page, and memory of nobody, must run on one thread") {
  Memory memory;
  const u64 base = memory.allocate(4096);
  std::atomic<u64> saved = 0;
  Thread thread(memory, saved);
  std::array<u64, kWarpSize> address;
  address.fill(base);
  thread.access(AccessKind::atomic, 4, 1, 0, address);
  CHECK_THROWS_AS(thread.access(AccessKind::atomic, 8, 1, 0, address), NeedsSerialOrder);
  address.fill(base + 8192);
  CHECK_THROWS_AS(thread.access(AccessKind::load, 4, 1, 0, address), NeedsSerialOrder);
}
// SPDX-License-Identifier: MIT
