// How many global loads are in flight when a warp first needs one: the observer, told by hand what a warp does.
#include <doctest/doctest.h>

#include "counters_warp.h"
#include "counting/counters.h"
#include "execution/device.h"
#include "ptx/program.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

// A kernel whose instructions name registers: 1, 2, 3 … stand for the places of registers in the frame.
struct Kernel {
  Program program;
  KernelInfo info;
  Report report;
  LaunchCounters counters{[this](Report r) { report = std::move(r); }};
  const Addresses address = strided(0x1000, 16);
  u64 block = 0;
  u32 warp = 0;

  Kernel() {
    program.files = {"/src/kernels.cuh"};
    program.functions.emplace_back();
  }
  u32 add(Shape shape, std::vector<FrameOffset> written, std::vector<FrameOffset> read, u32 line = 1) {
    Instruction in;
    in.shape = shape;
    in.vector = u8(std::max<std::size_t>(1, written.size()));
    std::copy(written.begin(), written.end(), in.d);
    std::copy(read.begin(), read.end(), in.s);
    program.code.push_back(in);
    program.lines.push_back({0, 0, line});
    program.functions.front().end = u32(program.code.size());
    return u32(program.code.size() - 1);
  }
  u32 load(std::vector<FrameOffset> written, u32 line = 1) { return add(Shape::load, written, {99}, line); }
  u32 use(FrameOffset read, u32 line = 2) { return add(Shape::binary, {100}, {read}, line); }

  LaunchInfo launch() const {
    LaunchInfo launch;
    launch.program = &program;
    launch.kernel = &info;
    return launch;
  }
  // Executes instructions by all lanes, or some.
  void run(std::vector<u32> pcs, Mask mask = kAllLanes, Space space = Space::global) {
    if (!begun_) counters.launch_begin(launch());
    begun_ = true;
    for (u32 pc : pcs) {
      const Issue issue{pc, mask, block, warp};
      counters.issue(issue);
      const Shape shape = program.code[pc].shape;
      if (shape != Shape::load && shape != Shape::store) continue;
      Access access;
      static_cast<Issue&>(access) = issue;
      access.space = space;
      access.kind = shape == Shape::load ? AccessKind::load : AccessKind::store;
      access.bytes = 4 * program.code[pc].vector;
      access.address = address.data();
      access.instruction = &program.code[pc];
      counters.access(access);
    }
  }
  const GlobalCounters& end() {
    if (begun_) counters.launch_end(launch(), true);
    begun_ = false;
    return report.total.global;
  }

 private:
  bool begun_ = false;
};

void check(const GlobalCounters& counted, u64 waits, u64 loads) {
  CHECK(counted.load_waits == waits);
  CHECK(counted.loads_awaited == loads);
}

}  // namespace

TEST_CASE("a load that is used at once is alone in flight") {
  Kernel k;
  const u32 a = k.load({1}), use_a = k.use(1), b = k.load({2}), use_b = k.use(2);
  k.run({a, use_a, b, use_b});
  check(k.end(), 2, 2);
  CHECK(k.report.total.global.loads_in_flight() == 1.0);
}

TEST_CASE("loads made before the first use are in flight together, in whichever order they are used") {
  for (const bool last_first : {false, true}) {
    Kernel k;
    const u32 a = k.load({1}), b = k.load({2}), c = k.load({3});
    std::vector<u32> uses = {k.use(1), k.use(2), k.use(3)};
    if (last_first) std::reverse(uses.begin(), uses.end());
    k.run({a, b, c});
    k.run(uses);
    check(k.end(), 1, 3);
    CHECK(k.report.total.global.loads_in_flight() == 3.0);
  }
}

TEST_CASE("the next load is made before the last one is used: two in flight") {
  Kernel k;
  const u32 a = k.load({1}), b = k.load({2}), use_a = k.use(1), use_b = k.use(2);
  k.run({a});
  for (int trip = 0; trip < 10; ++trip) k.run({b, use_a, a, use_b});
  check(k.end(), 10, 20);  // at use_a both arrive, so use_b waits for nothing
}

TEST_CASE("what does not touch a register in flight does not wait") {
  Kernel k;
  const u32 a = k.load({1}), add = k.use(50), barrier = k.add(Shape::barrier, {}, {}),
            branch = k.add(Shape::branch, {}, {});
  k.run({a, add, barrier, branch});
  check(k.end(), 0, 0);
}

TEST_CASE("a vector is in flight until one of its elements is used") {
  Kernel k;
  const u32 a = k.load({1, 2, 3, 4}), b = k.load({5, 6, 7, 8}), use = k.use(7);
  k.run({a, b, use});
  check(k.end(), 1, 2);
}

TEST_CASE("to store a value, to use it as an address or to overwrite it is to need it") {
  for (const Shape shape : {Shape::store, Shape::load, Shape::shuffle, Shape::select}) {
    Kernel k;
    const u32 a = k.load({1}), b = k.load({2});
    const u32 reads = shape == Shape::load ? k.add(shape, {3}, {1}) : k.add(shape, {}, {98, 1});
    k.run({a, b, reads});
    check(k.end(), 1, 2);
  }
  Kernel k;
  const u32 a = k.load({1}), b = k.load({2}), overwrites = k.add(Shape::binary, {2}, {50});
  k.run({a, b, overwrites});
  check(k.end(), 1, 2);
}

TEST_CASE("a copy is another name for what is in flight, and to need it is to need the load") {
  Kernel k;
  const u32 a = k.load({1}), copy = k.add(Shape::move, {3}, {1}), b = k.load({2}), use_copy = k.use(3),
            use_b = k.use(2);
  k.run({a, copy, b, use_copy, use_b});
  check(k.end(), 1, 2);

  Kernel renamed;  // the name gets another value: no need of the load
  const u32 load = renamed.load({1}), other = renamed.add(Shape::move, {1}, {50}), use = renamed.use(1);
  renamed.run({load, other, use});
  check(renamed.end(), 0, 0);

  Kernel paired;
  const u32 one = paired.load({1}), two = paired.load({2}), pack = paired.add(Shape::move, {3}, {1, 2}),
            use_pair = paired.use(3);
  paired.run({one, two, pack, use_pair});
  check(paired.end(), 1, 2);
}

TEST_CASE("a call waits for everything, and what is never used is nobody's wait") {
  Kernel k;
  const u32 a = k.load({1}), b = k.load({2}), call = k.add(Shape::call, {}, {}),
            leave = k.add(Shape::leave, {}, {});
  k.program.calls.emplace_back();  // of the host
  k.run({a, b, call, a, leave});
  check(k.end(), 1, 2);
}

TEST_CASE("only global loads count") {
  for (const Space space : {Space::shared, Space::local, Space::constant}) {
    Kernel k;
    const u32 a = k.load({1}), use = k.use(1);
    k.run({a, use}, kAllLanes, space);
    check(k.end(), 0, 0);
  }
  Kernel k;
  const u32 store = k.add(Shape::store, {}, {98, 1}), use = k.use(1);
  k.run({store, use});
  check(k.end(), 0, 0);
}

TEST_CASE("warps, blocks and lanes that execute apart wait apart") {
  Kernel k;
  const u32 a = k.load({1}), b = k.load({2}), use = k.use(1);
  k.run({a, b});
  k.warp = 1;
  k.run({a, use});
  check(k.end(), 1, 1);  // warp 1's own; warp 0 has not waited

  Kernel blocks;
  const u32 load = blocks.load({1}), used = blocks.use(1);
  for (blocks.block = 0; blocks.block < 1000; ++blocks.block) blocks.run({load});
  for (blocks.block = 0; blocks.block < 1000; ++blocks.block) blocks.run({used});
  check(blocks.end(), 1000, 1000);

  Kernel lanes;
  const u32 one = lanes.load({1}), two = lanes.load({2}), use_one = lanes.use(1);
  lanes.run({one, two}, 0x0000ffff);
  lanes.run({one}, 0xffff0000);
  lanes.run({use_one}, 0xffff0000);
  check(lanes.end(), 1, 1);
}

TEST_CASE("a line counts the waits of its own instructions") {
  Kernel k;
  const u32 a = k.load({1}, 10), b = k.load({2}, 10), use = k.use(2, 11);
  k.run({a, b, use});
  k.end();
  CHECK(k.report.at_line(10).global.load_waits == 0);
  CHECK(k.report.at_line(11).global.load_waits == 1);
  CHECK(k.report.at_line(11).global.loads_awaited == 2);
}

TEST_CASE("what a launch left in flight is not the next one's") {
  Kernel k;
  const u32 a = k.load({1}), use = k.use(1);
  k.run({a});
  check(k.end(), 0, 0);
  k.run({use});
  check(k.end(), 0, 0);
}
// SPDX-License-Identifier: MIT
