// The race check on shared memory, told by hand what a kernel does. Each race has a right twin that stays silent.
#include <doctest/doctest.h>

#include "execution/events.h"
#include "race_shared_kernel.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

// Two accesses with something between; whether they race.
template <class Between>
bool races(Shape first, u32 first_thread, Shape second, u32 second_thread, Between between,
           WarpSyncs syncs = WarpSyncs::whole) {
  Kernel k(syncs);
  const u32 a = k.has(first), b = k.has(second);
  k.value[0] = 1;
  k.begin();
  k.lane(a, first_thread, 84);
  between(k);
  k.lane(b, second_thread, 84);
  k.end();
  return !k.finish().empty();
}
void nothing(Kernel&) {}

}  // namespace

TEST_CASE("accesses of two threads race unless both load, or both are atomic, or they are ordered") {
  const Shape shapes[] = {Shape::load, Shape::store, Shape::atomic};
  for (const Shape first : shapes)
    for (const Shape second : shapes)
      for (const u32 other : {5u, 40u}) {  // a lane of the same warp, a thread of another
        CAPTURE(int(first));
        CAPTURE(int(second));
        CAPTURE(other);
        const bool harmless = first == second && first != Shape::store;
        CHECK(races(first, 21, second, other, nothing) == !harmless);
        CHECK_FALSE(races(first, 21, second, 21, nothing));
        CHECK_FALSE(races(first, 21, second, other, [](Kernel& k) { k.syncthreads(); }));
        const bool one_warp = other < 32;
        CHECK(races(first, 21, second, other, [](Kernel& k) { k.syncwarp(0, kAllLanes); }) ==
              (!harmless && !one_warp));
      }
}

TEST_CASE("a __syncwarp() of another warp, a shuffle and a vote order nothing") {
  CHECK(races(Shape::store, 3, Shape::load, 4, [](Kernel& k) { k.syncwarp(1, kAllLanes); }));
  CHECK(races(Shape::store, 3, Shape::load, 4, [](Kernel& k) { k.meet(SyncKind::shuffle, 0); }));
  CHECK(races(Shape::store, 3, Shape::load, 4, [](Kernel& k) { k.meet(SyncKind::vote, 0); }));
}

TEST_CASE("a race between warps names both threads, both places and __syncthreads()") {
  Kernel k;
  const u32 store = k.has(Shape::store), load = k.has(Shape::load);
  k.begin(2);
  k.lane(store, 21, 84, 2);
  k.lane(load, 37, 84, 2);
  k.lane(load, 38, 84, 2);
  const std::vector<Finding>& found = k.finish();
  REQUIRE(found.size() == 1);
  CHECK(found[0].check == "race");
  CHECK(found[0].severity == Severity::error);
  CHECK(found[0].kernel == "sum");
  CHECK(found[0].place.line == int(load) + 1);
  CHECK(found[0].other.line == int(store) + 1);
  CHECK(found[0].count == 2);
  CHECK(found[0].message ==
        "block 2, thread 37 (warp 1, lane 5) reads tile[21] while thread 21 (warp 0, lane 21) "
        "writes it; nothing orders them: put __syncthreads() between writing and reading, if both are to "
        "access this element");
}

TEST_CASE("a race in a warp names both lanes and __syncwarp()") {
  Kernel k;
  const u32 load = k.has(Shape::load), store = k.has(Shape::store);
  k.begin();
  k.access(load, 0, kLow, strided(64, 4));  // lane i reads tile[i + 16]
  k.access(store, 0, kAllLanes, strided(0, 4));
  const std::vector<Finding>& found = k.finish();
  REQUIRE(found.size() == 1);
  CHECK(found[0].place.line == int(store) + 1);
  CHECK(found[0].other.line == int(load) + 1);
  CHECK(found[0].count == 16);
  CHECK(found[0].message ==
        "block 0, lane 16 of warp 0 writes tile[16] while lane 0 reads it; nothing orders them: put "
        "__syncwarp() between reading and writing, if both are to access this element");
}

TEST_CASE("a pair of places that races in a warp and between warps is reported once, as between warps") {
  Kernel k;
  const u32 store = k.has(Shape::store), load = k.has(Shape::load);
  k.begin();
  k.lane(store, 1, 4);
  k.lane(load, 2, 4);
  k.lane(load, 33, 4);
  const std::vector<Finding>& found = k.finish();
  REQUIRE(found.size() == 1);
  CHECK(found[0].count == 2);
  CHECK(found[0].message.find("thread 33") != std::string::npos);
  CHECK(found[0].message.find("__syncthreads()") != std::string::npos);
}

TEST_CASE("__syncwarp() is not the advice where warps race at the same two places, in whichever order") {
  Kernel k;
  const u32 store = k.has(Shape::store), load = k.has(Shape::load);
  k.begin();
  k.lane(store, 1, 4), k.lane(load, 2, 4);
  k.lane(load, 3, 8), k.lane(store, 40, 8);
  const std::vector<Finding>& found = k.finish();
  REQUIRE(found.size() == 2);
  for (const Finding& f : found) CHECK(f.message.find("put __syncthreads() between") != std::string::npos);
}

TEST_CASE("a __syncwarp() of some lanes orders those lanes only") {
  struct Row {
    u32 first, second;
    bool is_race;
  };
  for (const Row& row : {Row{3, 7, false}, Row{3, 20, true}, Row{20, 3, true}, Row{20, 21, true}}) {
    const u32 writer = row.first, reader = row.second;
    CAPTURE(writer);
    CAPTURE(reader);
    const auto sync_low = [](Kernel& k) { k.syncwarp(0, kLow); };
    CHECK(races(Shape::store, writer, Shape::load, reader, sync_low, WarpSyncs::parts) == row.is_race);
    CHECK(races(Shape::load, writer, Shape::store, reader, sync_low, WarpSyncs::parts) == row.is_race);
  }
}

TEST_CASE("a chain of __syncwarp() leads from lane to lane in the order in which they come") {
  const auto there = [](Kernel& k) { k.syncwarp(0, 0x3), k.syncwarp(0, 0x6), k.syncwarp(0, 0xc); };
  const auto back = [](Kernel& k) { k.syncwarp(0, 0xc), k.syncwarp(0, 0x6), k.syncwarp(0, 0x3); };
  CHECK_FALSE(races(Shape::store, 0, Shape::load, 3, there, WarpSyncs::parts));
  CHECK(races(Shape::store, 0, Shape::load, 3, back, WarpSyncs::parts));
  CHECK_FALSE(races(Shape::store, 3, Shape::load, 0, back, WarpSyncs::parts));
  CHECK(races(Shape::store, 0, Shape::load, 4, there, WarpSyncs::parts));
}

TEST_CASE("every reader counts: neither the first nor the last speaks for the others") {
  for (const WarpSyncs syncs : {WarpSyncs::whole, WarpSyncs::parts})
    for (const u32 racy : {20u, 40u})  // a lane of the writer's warp, a thread of another
      for (const bool racy_first : {false, true})
        for (const bool has_racy : {false, true}) {
          CAPTURE(racy);
          CAPTURE(racy_first);
          CAPTURE(has_racy);
          Kernel k(syncs);
          const u32 load = k.has(Shape::load), store = k.has(Shape::store);
          k.begin();
          if (has_racy && racy_first) k.lane(load, racy, 0);
          k.access(load, 0, 0xff, strided(0, 0));
          if (has_racy && !racy_first) k.lane(load, racy, 0);
          if (syncs == WarpSyncs::parts) k.syncwarp(0, kLow);
          if (syncs == WarpSyncs::whole) k.syncwarp(0, kAllLanes);
          if (has_racy && !racy_first) k.lane(load, racy, 0);
          k.lane(store, 2, 0);
          // After a __syncwarp() of all, the reader that came before it is ordered if it is in the warp.
          const bool is_race = has_racy && !(syncs == WarpSyncs::whole && racy_first && racy < 32);
          CHECK(k.finish().empty() == !is_race);
        }
}

TEST_CASE("readers of one warp, some before and some after a __syncwarp(): those after it race") {
  for (const bool again : {false, true}) {
    Kernel k;
    const u32 load = k.has(Shape::load), store = k.has(Shape::store);
    k.begin();
    k.access(load, 0, 0x3, strided(0, 0));
    k.syncwarp(0, kAllLanes);
    k.lane(load, 1, 0);  // the writer itself
    if (again) k.lane(load, 2, 0);
    k.lane(store, 1, 0);
    CHECK(k.finish().empty() == !again);
  }
}

TEST_CASE("every atomic counts: the last is ordered before a plain access, the first is not") {
  for (const bool other : {false, true}) {
    Kernel k;
    const u32 atomic = k.has(Shape::reduction), load = k.has(Shape::load);
    k.begin();
    if (other) k.lane(atomic, 70, 0);
    k.lane(atomic, 5, 0);
    k.lane(load, 5, 0);
    CHECK(k.finish().empty() == !other);
  }
}

TEST_CASE("lanes may store the same value by one instruction, not different ones") {
  for (const u32 last : {7u, 8u}) {
    Kernel k;
    const u32 store = k.has(Shape::store);
    k.value.fill(7);
    k.value[31] = last;
    k.begin();
    k.access(store, 0, kAllLanes, strided(12, 0));
    const std::vector<Finding>& found = k.finish();
    REQUIRE(found.size() == (last == 7 ? 0 : 1));
    if (last != 7)
      CHECK(found[0].message ==
            "block 0, lanes 30 and 31 of warp 0 write different values to tile[3]; it is "
            "undefined which value remains: let one lane write it, or use an atomic");
  }
}

TEST_CASE("lanes that run alone and store the same value by one instruction are as right as in lockstep") {
  for (const u32 second : {7u, 8u}) {
    Kernel k;
    const u32 store = k.has(Shape::store);
    k.value[3] = 7;
    k.begin();
    k.lane(store, 3, 12);
    k.value[3] = 0;  // the register has a new value by now
    k.value[4] = second;
    k.lane(store, 4, 12);
    CHECK(k.finish().empty() == (second == 7));
  }
}

TEST_CASE("a lane that stored together with others is not ordered after them") {
  for (const bool synced : {false, true}) {
    Kernel k;
    const u32 store = k.has(Shape::store), load = k.has(Shape::load);
    k.begin();
    k.access(store, 0, kAllLanes, strided(12, 0));
    if (synced) k.syncwarp(0, kAllLanes);
    k.lane(load, 31, 12);
    const std::vector<Finding>& found = k.finish();
    REQUIRE(found.size() == (synced ? 0 : 1));
    const std::string expected = "lane 31 of warp 0 reads tile[3] while lane 30 writes it";
    if (!synced) CHECK(found[0].message.find(expected) != std::string::npos);
  }
}

TEST_CASE("the same value stored by two instructions, or by two warps, is a race") {
  Kernel k;
  const u32 first = k.has(Shape::store), second = k.has(Shape::store);
  k.begin();
  k.lane(first, 3, 12);
  k.lane(second, 4, 12);
  k.lane(first, 3, 40);
  k.lane(first, 35, 40);
  CHECK(k.finish().size() == 2);
}

TEST_CASE("threads may use different bytes of one word, not the same") {
  for (const u32 address : {1u, 2u, 3u}) {
    CAPTURE(address);
    Kernel k;
    const u32 bytes = k.has(Shape::store, Type::u8), halves = k.has(Shape::load, Type::u16);
    k.begin();
    k.lane(bytes, 0, 0), k.lane(bytes, 1, 1);
    if (address == 2) k.lane(halves, 40, 2);
    if (address == 3) k.lane(bytes, 40, 3);
    if (address == 1) k.lane(halves, 40, 0);
    CHECK(k.finish().empty() == (address != 1));
  }
}

TEST_CASE("a vector access covers all its words") {
  for (const u8 vector : {u8(2), u8(4)})
    for (u32 word = 0; word < 5; ++word) {
      CAPTURE(int(vector));
      CAPTURE(word);
      Kernel k;
      const u32 store = k.has(Shape::store, Type::f32, vector), load = k.has(Shape::load);
      k.begin();
      k.lane(store, 1, 32);
      k.lane(load, 64, 32 + 4 * word);
      const std::vector<Finding>& found = k.finish();
      REQUIRE(found.size() == (word < vector ? 1 : 0));
      if (word < vector)
        CHECK(found[0].message.find("tile[" + std::to_string(8 + word) + "]") != std::string::npos);
    }
}

TEST_CASE("values of vectors and of 8-byte elements are compared to their last byte") {
  for (const bool differs : {false, true}) {
    Kernel k;
    const u32 doubles = k.has(Shape::store, Type::f64, 2), pairs = k.has(Shape::store, Type::f32, 2);
    k.value.fill(7);
    if (differs) k.value[32 + 4] = 7 | u64(1) << 63;
    k.begin();
    k.access(doubles, 0, 0x18, strided(0, 0));
    k.value[4 + 32] = differs ? 8 : 7;
    k.access(pairs, 0, 0x18, strided(64, 0));
    CHECK(k.finish().size() == (differs ? 2 : 0));
  }
}

TEST_CASE("blocks that take turns have shared memories of their own") {
  for (const bool same_block : {false, true}) {
    Kernel k;
    const u32 store = k.has(Shape::store), load = k.has(Shape::load);
    k.begin(0), k.begin(1);
    k.lane(store, 3, 0, 0);
    k.syncthreads(1);  // orders nothing in block 0
    k.lane(load, 40, 0, same_block ? 0 : 1);
    k.end(1), k.end(0);
    CHECK(k.finish().empty() == !same_block);
  }
}

TEST_CASE("a new block and a new launch begin without the accesses of the one before") {
  Kernel k;
  const u32 store = k.has(Shape::store), load = k.has(Shape::load);
  for (int launch = 0; launch < 2; ++launch) {
    for (u64 block = 0; block < 3; ++block) {
      k.begin(block);
      k.lane(load, u32(40 + block), 0, block);
      k.lane(store, u32(40 + block), 0, block);
      if (launch == 0 || block < 2) k.end(block);  // a fault may end the launch in the middle of a block
    }
    CHECK(k.finish().empty());
  }
}

TEST_CASE("a barrier does not order what comes after it") {
  for (const bool second_barrier : {false, true}) {
    Kernel k;
    const u32 store = k.has(Shape::store), load = k.has(Shape::load);
    k.begin();
    k.lane(store, 3, 0);
    k.syncthreads();
    k.lane(load, 40, 0);
    if (second_barrier) k.syncthreads();
    k.lane(store, 3, 0);
    CHECK(k.finish().empty() == second_barrier);
  }
}

TEST_CASE("what a thread did before it left is ordered by the barrier of the others, and by nothing else") {
  for (const bool barrier : {false, true}) {
    Kernel k;
    const u32 store = k.has(Shape::store), load = k.has(Shape::load);
    k.begin();
    k.lane(store, 40, 0);
    k.exit(1, kAllLanes);
    if (barrier) k.syncthreads();
    k.lane(load, 3, 0);
    CHECK(k.finish().empty() == barrier);
  }
}

TEST_CASE("accesses of threads in random order race exactly where a check of all pairs says so") {
  // Everything that happened since the last block barrier, kept; lanes' order by walking all syncs.
  struct Event {
    bool is_sync;
    u32 warp;
    Mask mask;       // sync
    u32 thread, pc;  // access
  };
  std::mt19937 random(5);
  for (int round = 0; round < 3000; ++round) {
    const bool whole = round % 2 == 0;
    Kernel k(whole ? WarpSyncs::whole : WarpSyncs::parts);
    const u32 load = k.has(Shape::load), store = k.has(Shape::store), atomic = k.has(Shape::atomic);
    k.begin();
    std::vector<Event> past;
    bool is_race = false;
    for (int step = 0; step < 14 && !is_race; ++step) {
      const u32 what = random() % 16;
      if (what == 0) {
        k.syncthreads();
        past.clear();
      } else if (what < 6) {
        const Mask mask = whole ? kAllLanes : Mask(random() % 16);
        const u32 warp = random() % 2;
        if (mask) k.syncwarp(warp, mask), past.push_back({true, warp, mask, 0, 0});
      } else {
        const u32 warp = random() % 8 == 0, thread = warp * 32 + random() % 4;
        const u32 pc = what < 11 ? load : what < 14 ? store : atomic;
        for (std::size_t i = 0; i < past.size(); ++i) {
          const Event& e = past[i];
          if (e.is_sync || (e.pc == pc && pc != store)) continue;
          Mask reached = e.thread / 32 == warp ? 1u << e.thread % 32 : 0;
          for (std::size_t s = i; s < past.size(); ++s)
            if (past[s].is_sync && past[s].warp == warp && past[s].mask & reached) reached |= past[s].mask;
          is_race |= (reached >> thread % 32 & 1) == 0;
        }
        k.value.fill(u64(step));  // no two stores of the same value
        k.lane(pc, thread, 0);
        past.push_back({false, warp, 0, thread, pc});
      }
    }
    CAPTURE(round);
    REQUIRE(k.finish().empty() == !is_race);
  }
}
// SPDX-License-Identifier: MIT
