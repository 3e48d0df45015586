// Races on global memory, told by hand what threads do: each wrong order beside a right one that must stay silent.
#include <doctest/doctest.h>

#include "checking/races/races_global.h"
#include "execution/events.h"
#include "global_events.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

struct Grid : GlobalEvents {
  explicit Grid(u32 blocks = 3) : GlobalEvents(make_global_race_check, blocks) { begin(); }
  std::size_t races() {
    end();
    const std::size_t found = findings().size();
    begin();
    return found;
  }
};

}  // namespace

TEST_CASE("blocks that write elements of their own do not race; blocks that write one element do") {
  Grid g;
  for (u32 block = 0; block < 2; ++block) g.warp(Grid::kStore, block, 0, kAllLanes, 32 * block);
  CHECK(g.races() == 0);
  for (u32 block = 0; block < 2; ++block) g.one(Grid::kStore, block, 0, 5, 7 + block);
  CHECK(g.races() == 1);
}

TEST_CASE("a race between blocks names both accesses, both threads, and what to do") {
  Grid g;
  g.one(Grid::kStore, 0, 37, 3, 1);
  g.one(Grid::kLoad, 2, 4, 3);
  REQUIRE(g.races() == 1);
  const Finding& f = findings()[0];
  CHECK(f.check == "race");
  CHECK(f.severity == Severity::error);
  CHECK(f.kernel == "sum_tile");
  CHECK(f.place.line == Grid::kLoad);
  CHECK(f.other.line == Grid::kStore);
  CHECK(
      f.message ==
      "block 2, thread 4 (warp 0, lane 4) reads 4 bytes at offset 12 of an allocation of 256 bytes while "
      "block 0, thread 37 (warp 1, lane 5) writes it; nothing orders these blocks: read in a separate launch, write to "
      "another array, or use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then "
      "__threadfence(), then this)");
}

TEST_CASE("a race that comes again is one finding with a count") {
  Grid g;
  g.warp(Grid::kStore, 0, 0, kAllLanes, 0, 1, 1);
  g.warp(Grid::kLoad, 1, 0, kAllLanes, 0);
  CHECK(g.races() == 1);
  CHECK(findings()[0].count == 32);
}

TEST_CASE("blocks may read what another reads, but not what another then writes") {
  Grid g;
  for (u32 block = 0; block < 3; ++block) g.warp(Grid::kLoad, block, 0, kAllLanes, 0);
  CHECK(g.races() == 0);
  g.one(Grid::kLoad, 1, 0, 0);
  g.one(Grid::kLoad, 0, 0, 0);
  g.one(Grid::kStore, 0, 0, 0, 9);  // block 1 has read it, though not last
  CHECK(g.races() == 1);
}

TEST_CASE("a launch comes after the one before it") {
  Grid g;
  g.warp(Grid::kStore, 0, 0, kAllLanes, 0, 1, 1);
  CHECK(g.races() == 0);
  g.warp(Grid::kLoad, 1, 0, kAllLanes, 0);
  CHECK(g.races() == 0);
  g.warp(Grid::kStore, 2, 0, kAllLanes, 0, 1, 2);
  CHECK(g.races() == 0);
}

TEST_CASE("atomics do not race with atomics, but with plain accesses") {
  Grid g;
  for (u32 block = 0; block < 3; ++block) g.warp(Grid::kAtomic, block, 0, kAllLanes, 0, 0);
  CHECK(g.races() == 0);
  g.one(Grid::kAtomic, 0, 0, 0);
  g.one(Grid::kLoad, 1, 0, 0);
  CHECK(g.races() == 1);
  clear_findings();
  g.one(Grid::kAtomic, 0, 0, 0);
  g.one(Grid::kStore, 0, 1, 0, 1);
  CHECK(g.races() == 1);
}

TEST_CASE("a plain access races with atomics of other blocks, though its own thread's came last") {
  for (const Grid::Line line : {Grid::kLoad, Grid::kStore}) {
    Grid g;
    for (const u32 block : {0, 1, 2}) g.warp(Grid::kAtomic, block, 0, kAllLanes, 0, 0);
    g.one(line, 2, 31, 0, 1);
    CHECK(g.races() == 1);
    clear_findings();
    for (const u32 thread : {0, 40}) g.one(Grid::kAtomic, 1, thread, 0);
    g.one(line, 1, 40, 0, 1);  // of the same block, no barrier between
    CHECK(g.races() == 1);
    clear_findings();
    for (const u32 thread : {0, 40}) g.one(Grid::kAtomic, 1, thread, 0);
    g.barrier(1);
    g.one(line, 1, 40, 0, 1);
    CHECK(g.races() == 0);
  }
}

TEST_CASE(
    "a last block comes after the atomics of others that their threads have waited for before the ticket") {
  for (const bool waits : {true, false}) {
    Grid g;
    for (const u32 block : {0, 1, 2}) {
      for (const u32 warp : {0, 1}) g.warp(Grid::kAtomic, block, warp, kAllLanes, 0, 0);
      if (waits) g.barrier(block);
      g.fence(block, 0);
      g.one(Grid::kAtomic, block, 0, 9);
      g.barrier(block);
    }
    g.fence(2, 40);
    g.one(Grid::kLoad, 2, 40, 0);
    CHECK(g.races() == (waits ? 0 : 1));
    if (waits) continue;
    CHECK(findings()[0].message.ends_with(
        " has not waited for that write: put __syncthreads() between the write and the fence"));
    clear_findings();
  }
}

TEST_CASE("an atomic races with a plain store, though the thread that made it has added atomically since") {
  Grid g;
  g.one(Grid::kStore, 0, 0, 0, 0);
  g.one(Grid::kAtomic, 0, 0, 0);
  g.one(Grid::kAtomic, 1, 0, 0);  // may come before the store, which then undoes it
  CHECK(g.races() == 1);
  clear_findings();
  g.one(Grid::kStore, 0, 0, 0, 0);
  g.barrier(0);
  for (u32 thread : {0, 40}) g.one(Grid::kAtomic, 0, thread, 0);  // the barrier orders the threads of block 0
  CHECK(g.races() == 0);
  g.one(Grid::kStore, 0, 0, 0, 0);
  g.fence(0, 0);
  g.one(Grid::kAtomic, 0, 0, 0);
  g.one(Grid::kAtomic, 0, 0, 10);  // publishes the store
  for (const u32 block : {1, 2}) {
    g.one(Grid::kVolatileLoad, block, 0, 10);
    g.fence(block, 0);
    g.one(Grid::kAtomic, block, 0, 0);
  }
  CHECK(g.races() == 0);
}

TEST_CASE("a loop around atomicCAS may read its first guess without an atomic, and no other value") {
  GlobalEvents g(make_global_race_check);
  constexpr FrameOffset kRegister = 256;
  g.program.code[Grid::kLoad - Grid::kLoad].d[0] = kRegister;
  for (const FrameOffset expected : {kRegister, kRegister + 128}) {
    Instruction& cas = g.program.code[Grid::kAtomic - Grid::kLoad];
    cas.op = Op::atom_cas;
    cas.s[1] = expected;
    g.begin();
    for (u32 thread = 0; thread < 2; ++thread)
      g.one(Grid::kLoad, 0, thread, 0), g.one(Grid::kAtomic, 0, thread, 0);
    g.end();
    CHECK(findings().empty() == (expected == kRegister));
  }
}

TEST_CASE("stores of the same value are a warning, and none within one instruction of a warp") {
  Grid g;
  g.warp(Grid::kStore, 0, 0, kAllLanes, 0, 0, 1, 0);
  CHECK(g.races() == 0);
  for (u32 block = 0; block < 2; ++block) g.warp(Grid::kStore, block, 0, kAllLanes, 0, 0, 1, 0);
  REQUIRE(g.races() == 1);
  CHECK(findings()[0].severity == Severity::warning);
  clear_findings();
  g.warp(Grid::kStore, 0, 0, kAllLanes, 0, 0, 1, 1);  // lanes of one instruction, different values
  REQUIRE(g.races() == 1);
  CHECK(findings()[0].severity == Severity::error);
}

TEST_CASE("a block barrier orders the threads of its block, and of no other") {
  Grid g;
  g.one(Grid::kStore, 0, 0, 0, 1);
  g.barrier(0);
  g.one(Grid::kLoad, 0, 63, 0);
  g.barrier(0);
  g.one(Grid::kStore, 0, 40, 0, 2);
  CHECK(g.races() == 0);
  g.one(Grid::kStore, 0, 0, 0, 1);
  g.barrier(1);
  g.one(Grid::kLoad, 0, 63, 0);
  CHECK(g.races() == 1);
  CHECK(findings()[0].message.find("put __syncthreads() between") != std::string::npos);
}

TEST_CASE("__syncwarp orders the lanes of its mask, and of no other warp") {
  Grid g;
  Instruction waits;  // a kernel that waits for warps is told to do so
  waits.shape = Shape::warp_barrier;
  g.program.code.push_back(waits);
  g.program.lines.push_back({});
  ++g.program.functions[0].end;
  CHECK(g.races() == 0);
  g.one(Grid::kStore, 0, 1, 0, 1);
  g.warp_barrier(0, 0);
  g.one(Grid::kLoad, 0, 0, 0);
  g.one(Grid::kStore, 0, 5, 1, 1);
  g.warp_barrier(0, 0, 0x00ff);
  g.warp_barrier(0, 0, 0xff80);  // lane 7 passes on what lane 5 did
  g.one(Grid::kLoad, 0, 12, 1);
  CHECK(g.races() == 0);
  g.one(Grid::kStore, 0, 5, 1, 2);
  g.warp_barrier(0, 0, 0x00ff);
  g.one(Grid::kLoad, 0, 12, 1);
  CHECK(g.races() == 1);
  CHECK(findings()[0].message.find("put __syncwarp() between") != std::string::npos);
  clear_findings();
  g.one(Grid::kStore, 0, 5, 1, 3);
  g.warp_barrier(0, 1);
  g.one(Grid::kLoad, 0, 40, 1);
  CHECK(g.races() == 1);
}

TEST_CASE("a volatile number is a flag within a block only if the kernel has fences") {
  Grid with_fences;
  with_fences.one(Grid::kVolatileStore, 0, 1, 0, 1);
  with_fences.one(Grid::kVolatileLoad, 0, 0, 0);
  CHECK(with_fences.races() == 0);

  Grid without;
  for (Instruction& in : without.program.code) {
    if (in.shape == Shape::fence) in.shape = Shape::hint;
    if (in.order > MemoryOrder::relaxed)
      in.order = MemoryOrder::relaxed;  // acquire and release are fences, too
  }
  CHECK(without.races() == 0);  // begins a launch of the changed kernel
  without.one(Grid::kVolatileStore, 0, 1, 0, 1);
  without.one(Grid::kVolatileLoad, 0, 0, 0);
  CHECK(without.races() == 1);
}

// Two blocks leave a result and count themselves; the second, being last, reads both results.
static std::size_t last_block(bool fence_after_result, bool fence_before_result = false) {
  Grid g;
  for (u32 block = 0; block < 2; ++block) {
    if (fence_before_result) g.fence(block, 0);
    g.one(Grid::kStore, block, 0, block, 7);
    if (fence_after_result) g.fence(block, 0);
    g.one(Grid::kAtomic, block, 0, 10);
  }
  g.barrier(1);
  g.one(Grid::kLoad, 1, 40, 0);
  g.one(Grid::kLoad, 1, 41, 1);
  return g.races();
}
TEST_CASE(
    "the last block may read the results of blocks that executed a fence before they counted themselves") {
  CHECK(last_block(true) == 0);
  CHECK(last_block(false) == 1);
  CHECK(last_block(false, true) == 1);
}

TEST_CASE(
    "a barrier carries the stores of a block to the thread that publishes them, or after their fences") {
  Grid g;
  const auto read = [&g] {
    g.one(Grid::kAtomic, 0, 0, 10);
    g.one(Grid::kAtomic, 1, 0, 10);
    g.fence(1, 0);
    g.one(Grid::kLoad, 1, 0, 0);
    return g.races();
  };
  g.one(Grid::kStore, 0, 63, 0, 7);
  g.barrier(0);
  g.fence(0, 0);
  CHECK(read() == 0);
  g.one(Grid::kStore, 0, 63, 0, 8);
  g.fence(0, 63);
  g.barrier(0);
  CHECK(read() == 0);
  g.one(Grid::kStore, 0, 63, 0, 9);
  g.fence(0, 0);  // of a thread that thread 63 has not met
  CHECK(read() == 1);
}

// Block 0 stores, then sets a flag; block 1 reads the flag, then what block 0 stored.
namespace {
enum Between : u32 {
  kNothing,
  kFence,
  kBlockFence,
  kBarrier,
  kBarrierThenFence,
  kFenceThenBarrier,
  kFenceOfAnother
};
std::string told;  // of the first race: the findings go with the grid
std::size_t message(Grid::Line set, Between before_setting, Grid::Line look, Between after_looking,
                    u32 reader = 0) {
  Grid g;
  const auto between = [&g](Between what, u32 block) {
    if (what == kBarrierThenFence) g.barrier(block);
    if (what == kFence || what == kBarrierThenFence || what == kFenceThenBarrier) g.fence(block, 0);
    if (what == kBlockFence) g.fence(block, 0, Grid::kBlockFence);
    if (what == kFenceOfAnother) g.fence(block, 63);
    if (what == kBarrier || what == kFenceThenBarrier) g.barrier(block);
  };
  g.one(Grid::kStore, 0, 0, 0, 7);
  between(before_setting, 0);
  g.one(set, 0, 0, 10, 1);
  g.one(look, 1, 0, 10);
  between(after_looking, 1);
  g.one(Grid::kLoad, 1, reader, 0);
  const std::size_t races = g.races();
  told = races ? findings().at(0).message : "";
  return races;
}
}  // namespace

TEST_CASE("a message passes if writer and reader have a fence of the device each") {
  using G = Grid;
  for (const auto set : {G::kVolatileStore, G::kRelaxedStore, G::kAtomic})
    for (const auto look : {G::kVolatileLoad, G::kRelaxedLoad, G::kAtomic}) {
      CHECK(message(set, kFence, look, kFence) == 0);
      CHECK(message(set, kFence, look, kNothing) == 1);
      CHECK(message(set, kNothing, look, kFence) == 1);
      CHECK(message(set, kNothing, look, kNothing) == 1);
      CHECK(message(set, kBlockFence, look, kFence) == 1);
      CHECK(message(set, kFence, look, kBlockFence) == 1);
      CHECK(message(set, kFence, look, kFenceOfAnother) == 1);
      CHECK(message(set, kFence, look, kFenceThenBarrier, 63) == 0);
      CHECK(message(set, kFence, look, kBarrierThenFence) == 0);
      CHECK(message(set, kFence, look, kFence, 63) == 1);  // another warp, not waited for
      CHECK(message(set, kFence, look, kBarrier) == (look == G::kAtomic ? 0 : 1));  // NVIDIA's last-block sum
    }
  message(G::kVolatileStore, kFence, G::kVolatileLoad, kNothing);
  CHECK(told.find("put __threadfence() between reading the flag and this") != std::string::npos);
}

TEST_CASE("release and acquire are a fence each; relaxed atomics are none") {
  using G = Grid;
  for (const auto set : {G::kReleaseStore, G::kAcqRelAtomic})
    for (const auto look : {G::kAcquireLoad, G::kAcqRelAtomic})
      CHECK(message(set, kNothing, look, kNothing) == 0);
  CHECK(message(G::kReleaseStore, kNothing, G::kRelaxedLoad, kFence) == 0);
  CHECK(message(G::kRelaxedStore, kFence, G::kAcquireLoad, kNothing) == 0);
  CHECK(message(G::kReleaseStore, kNothing, G::kRelaxedLoad, kNothing) == 1);
  CHECK(message(G::kRelaxedStore, kNothing, G::kAcquireLoad, kNothing) == 1);
  CHECK(message(G::kAtomic, kNothing, G::kAtomic, kNothing) == 1);
}

TEST_CASE("a fence of the block is one for the threads of the block") {
  Grid g;
  g.one(Grid::kStore, 0, 0, 0, 7);
  g.fence(0, 0, Grid::kBlockFence);
  g.one(Grid::kAtomic, 0, 0, 10);
  g.one(Grid::kAtomic, 0, 40, 10);
  g.fence(0, 40, Grid::kBlockFence);
  g.one(Grid::kLoad, 0, 40, 0);
  CHECK(g.races() == 0);
}

TEST_CASE("a flag that another has overwritten tells of nobody before him") {
  Grid g;
  g.one(Grid::kStore, 0, 0, 0, 7);
  g.fence(0, 0);
  g.one(Grid::kVolatileStore, 0, 0, 10, 1);
  g.one(Grid::kVolatileStore, 1, 0, 10, 2);  // who may have come first
  g.one(Grid::kVolatileLoad, 2, 0, 10);
  g.fence(2, 0);
  g.one(Grid::kLoad, 2, 0, 0);
  CHECK(g.races() == 1);
}

TEST_CASE("atomic accesses of unequal size race") {
  Grid g;
  g.one(Grid::kVolatileStore, 0, 0, 0, 1);
  g.one(Grid::kWideVolatileLoad, 1, 0, 0);
  CHECK(g.races() == 1);
  CHECK(findings()[0].message.find("one access has 4 bytes and the other 8") != std::string::npos);
}

TEST_CASE("a write may be ordered after two readers and not after a third") {
  constexpr u32 kReaders = 20;
  for (u32 unordered = 0; unordered <= kReaders; ++unordered) {
    Grid g(kReaders + 1);
    for (u32 block = 0; block < kReaders; ++block) {
      g.one(Grid::kLoad, block, 0, 0);
      if (block == unordered) continue;
      g.fence(block, 0);
      g.one(Grid::kAtomic, block, 0, 10);
    }
    g.one(Grid::kAtomic, kReaders, 0, 10);
    g.fence(kReaders, 0);
    g.one(Grid::kStore, kReaders, 0, 0, 1);
    CHECK(g.races() == (unordered < kReaders ? 1 : 0));
  }
}

TEST_CASE("what is stored after the publication is not published") {
  Grid g;
  g.fence(0, 0);
  g.one(Grid::kVolatileStore, 0, 0, 10, 1);
  g.one(Grid::kStore, 0, 0, 0, 7);
  g.one(Grid::kVolatileLoad, 1, 0, 10);
  g.fence(1, 0);
  g.one(Grid::kLoad, 1, 0, 0);
  CHECK(g.races() == 1);
}

TEST_CASE("a block that waits for its predecessor's flag sees what that one saw: decoupled look-back") {
  constexpr u32 kBlocks = 20;
  Grid g(kBlocks);
  for (u32 block = 0; block < kBlocks; ++block) {
    if (block > 0) {
      g.one(Grid::kVolatileLoad, block, 0, 20 + block - 1);
      g.fence(block, 0);
      for (u32 earlier = 0; earlier < block; ++earlier) g.one(Grid::kLoad, block, 0, earlier);
    }
    g.one(Grid::kStore, block, 0, block, 7);
    g.fence(block, 0);
    g.one(Grid::kVolatileStore, block, 0, 20 + block, 1);
  }
  CHECK(g.races() == 0);
  g.one(Grid::kStore, 0, 0, 0, 8);
  g.fence(0, 0);
  g.one(Grid::kVolatileStore, 0, 0, 20, 1);
  g.one(Grid::kVolatileLoad, 2, 0, 21);  // another block's flag
  g.fence(2, 0);
  g.one(Grid::kLoad, 2, 0, 0);
  CHECK(g.races() == 1);
}

TEST_CASE("a lock that is taken and given back with fences orders those who take it") {
  Grid g;
  for (u32 block = 0; block < 3; ++block)
    for (const u32 thread : {0, 32}) {
      g.one(Grid::kAtomic, block, thread, 10);
      g.fence(block, thread);
      g.one(Grid::kLoad, block, thread, 0);
      g.one(Grid::kStore, block, thread, 0, block * 2 + thread + 1);
      g.fence(block, thread);
      g.one(Grid::kAtomic, block, thread, 10);
    }
  CHECK(g.races() == 0);
}

TEST_CASE("bytes of one word belong to different blocks when the kernel has byte accesses") {
  GlobalEvents g(make_global_race_check);
  g.add(Grid::kByteStore, Type::u8);
  g.begin();
  g.one(Grid::kByteStore, 0, 0, 0, 1);
  g.one(Grid::kByteStore, 1, 0, 1, 2);
  g.end();
  CHECK(findings().empty());
  g.begin();
  g.one(Grid::kByteStore, 0, 0, 3, 1);
  g.one(Grid::kLoad, 1, 0, 0);
  g.end();
  CHECK(findings().size() == 1);
}

TEST_CASE("memory that is freed and allocated anew has no past") {
  Grid g;
  g.one(Grid::kStore, 0, 0, 0, 1);
  g.end();
  g.check->freed(*g.memory.find(g.base));
  g.memory.release(g.base);
  g.base = g.memory.allocate(256);
  g.begin();
  g.one(Grid::kLoad, 1, 0, 0);
  CHECK(g.races() == 0);
}
// SPDX-License-Identifier: MIT
