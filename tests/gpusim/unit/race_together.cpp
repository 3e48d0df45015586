// What a warp touches together, the race checks note together. They must find what they find by looking at each lane: the
// same history is told twice, once without saying which accesses are even.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "checking/races/races_global.h"
#include "global_events.h"
#include "race_shared_kernel.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

class Dice {
 public:
  explicit Dice(u32 seed) : engine_(seed) {}
  u32 below(u32 n) { return u32(engine_() % n); }
  template <class T> T one_of(std::initializer_list<T> of) { return of.begin()[below(u32(of.size()))]; }

 private:
  std::mt19937 engine_;
};

std::string text_of(const std::vector<Finding>& found) {
  std::string text;
  for (const Finding& f : found)
    text += std::to_string(f.place.line) + " after " + std::to_string(f.other.line) + ", " +
            std::to_string(f.count) + " times: " + f.message + "\n";
  return text;
}

enum class Orders { of_whole_warps, of_some_threads };

// A few launches of three blocks. With `orders` of whole warps the kernel has no fences.
std::string global_history(u32 seed, Orders orders, bool evenly) {
  using G = GlobalEvents;
  G g(make_global_race_check);
  g.evenly = evenly;
  const bool fences = orders == Orders::of_some_threads;
  if (!fences) g.program.functions[0].end = G::kWideStore - G::kLoad + 1;
  Dice dice(seed);
  const u32 rarely = dice.one_of({2u, 8u, 40u});  // of so many events one is of a single lane
  const u32 launches = 1 + dice.below(3), events = 2 + dice.below(9);
  for (u32 launch = 0; launch < launches; ++launch) {
    g.begin();
    for (u32 event = 0; event < events; ++event) {
      const u32 block = dice.below(3), warp = dice.below(2), value = dice.below(2), word = dice.below(64);
      const auto line =
          fences ? dice.one_of({G::kLoad, G::kStore, G::kAtomic, G::kVolatileLoad, G::kReleaseStore})
                 : dice.one_of({G::kLoad, G::kLoad, G::kStore, G::kAtomic});
      switch (dice.below(7)) {
        case 0: g.barrier(block); break;
        case 1: g.warp_barrier(block, warp); break;
        case 2:
          if (fences) g.fence(block, warp * 32 + dice.below(32), dice.one_of({G::kFence, G::kBlockFence}));
          break;
        case 3:
          g.warp(dice.one_of({G::kWideLoad, G::kWideStore}), block, warp, kAllLanes, 0, 1, value, value);
          break;
        default:
          if (dice.below(rarely) == 0) g.one(line, block, warp * 32 + dice.below(32), word, value);
          else
            g.warp(line, block, warp, kAllLanes, dice.one_of({0u, 0u, 32u, 32u, 7u}),
                   dice.one_of({1u, 1u, 1u, 0u}), value, value);
      }
    }
    g.end();
  }
  return text_of(findings());
}

std::string shared_history(u32 seed, bool evenly) {
  Kernel k;
  k.evenly = evenly;
  Dice dice(seed);
  const bool atomics = dice.below(2);
  const u32 load = k.has(Shape::load), store = k.has(Shape::store), load4 = k.has(Shape::load, Type::f32, 4),
            store2 = k.has(Shape::store, Type::f32, 2), store_double = k.has(Shape::store, Type::f64),
            update = atomics ? k.has(Shape::atomic) : load;
  const u32 rarely = dice.one_of({2u, 8u, 40u});
  const u32 blocks = 1 + dice.below(3), events = 2 + dice.below(9);
  for (u32 block = 0; block < blocks; ++block) {  // one after another, in the same memory
    k.begin();
    for (u32 event = 0; event < events; ++event) {
      const u32 warp = dice.below(4), of_two = dice.below(2),
                pc = dice.one_of({load, load, store, store, load4, store2, store_double, update});
      const u32 bytes = pc == load4 ? 16 : pc == store2 || pc == store_double ? 8 : 4;
      for (u32 v = 0; v < k.value.size(); ++v) k.value[v] = of_two ? 1 : v;
      switch (dice.below(8)) {
        case 0: k.syncthreads(); break;
        case 1: k.syncwarp(warp, kAllLanes); break;
        default:
          if (dice.below(rarely) == 0)
            k.lane(pc, warp * 32 + dice.below(32), bytes * dice.below(1024 / bytes));
          else
            k.access(pc, warp, dice.below(6) ? kAllLanes : kLow,
                     strided(bytes * dice.below(1024 / bytes - 31), dice.below(4) ? bytes : 0));
      }
    }
    k.end();
  }
  return text_of(k.finish());
}

}  // namespace

TEST_CASE("races on global memory are the same, noted for whole lines or lane by lane") {
  u32 with_findings = 0;
  for (u32 seed = 0; seed < 1500; ++seed)
    for (const Orders orders : {Orders::of_whole_warps, Orders::of_some_threads}) {
      CAPTURE(seed);
      const std::string one_by_one = global_history(seed, orders, false);
      REQUIRE(global_history(seed, orders, true) == one_by_one);
      with_findings += !one_by_one.empty();
    }
  CHECK(with_findings > 500);
  CHECK(with_findings < 2500);
}

TEST_CASE("races on shared memory are the same, noted for rows or lane by lane") {
  u32 with_findings = 0;
  for (u32 seed = 0; seed < 1500; ++seed) {
    CAPTURE(seed);
    const std::string one_by_one = shared_history(seed, false);
    REQUIRE(shared_history(seed, true) == one_by_one);
    with_findings += !one_by_one.empty();
  }
  CHECK(with_findings > 300);
  CHECK(with_findings < 1200);
}
// SPDX-License-Identifier: MIT
