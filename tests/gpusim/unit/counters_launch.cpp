// The observer that counts a launch, told by hand what a kernel does.
#include <doctest/doctest.h>

#include "counters_warp.h"
#include "counting/counter_fields.h"
#include "counting/counters.h"
#include "execution/device.h"
#include "ptx/program.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

// A kernel of which only shapes and lines matter; pc i is the i-th instruction added.
struct Kernel {
  Program program;
  KernelInfo info;
  Report report;
  LaunchCounters counters{[this](Report r) { report = std::move(r); }};

  Kernel() {
    program.files = {"/src/kernels.cuh", "/src/a_helper.h"};
    program.functions.emplace_back();
    program.calls.emplace_back();  // what a call calls: no function
    info.name = "_Z8sum_tilev";
    info.pretty_name = "sum_tile";
    info.local_bytes = 16;
  }
  u32 add(Shape shape, u32 line, u16 file = 0) {
    Instruction instruction;
    instruction.shape = shape;
    program.code.push_back(instruction);
    program.lines.push_back({file, 0, line});
    program.functions.front().end = u32(program.code.size());
    return u32(program.code.size() - 1);
  }
  LaunchInfo launch() const {
    LaunchInfo launch;
    launch.program = &program;
    launch.kernel = &info;
    launch.grid = {3, 2, 1};
    launch.block = {64, 1, 1};
    launch.static_shared_bytes = 256;
    launch.dynamic_shared_bytes = 128;
    launch.number = 7;
    return launch;
  }
  void begin() { counters.launch_begin(launch()); }
  const Counters& end(bool completed = true) {
    counters.launch_end(launch(), completed);
    return report.total;
  }
  Issue issue(u32 pc, Mask mask = kAllLanes) {
    const Issue issue{pc, mask, 0, 0};
    counters.issue(issue);
    return issue;
  }
  void access(u32 pc, Space space, AccessKind kind, u32 bytes, Addresses address, Mask mask = kAllLanes) {
    Access access;
    static_cast<Issue&>(access) = issue(pc, mask);
    access.space = space;
    access.kind = kind;
    access.bytes = bytes;
    address = only(mask, address);
    access.address = address.data();
    access.instruction = &program.code[pc];
    counters.access(access);
  }
};

}  // namespace

TEST_CASE("warp instructions and active lanes are counted") {
  Kernel k;
  const u32 add = k.add(Shape::binary, 1);
  k.begin();
  k.issue(add);
  k.issue(add, 0x0000ffff);
  const Counters& total = k.end();
  CHECK(total.warp_instructions == 2);
  CHECK(total.thread_instructions == 48);
  CHECK(total.active_lanes() == 24.0);
}

TEST_CASE("a branch diverges only when the active lanes disagree") {
  Kernel k;
  const u32 branch = k.add(Shape::branch, 1);
  k.begin();
  k.counters.branch(k.issue(branch), kAllLanes);               // all jump
  k.counters.branch(k.issue(branch), 0);                       // none jumps
  k.counters.branch(k.issue(branch, 0x0000000f), 0x0000000f);  // all that are on jump
  k.counters.branch(k.issue(branch, 0x0000000f), 0x00000001);  // one of four
  k.issue(branch);                                             // unconditional: no branch event
  const Counters& total = k.end();
  CHECK(total.branches == 4);
  CHECK(total.divergent_branches == 1);
}

TEST_CASE("instructions between lanes and warps are counted by their kind") {
  struct Row {
    Shape shape;
    u64 Counters::* counter;
  };
  const Row rows[] = {
      {Shape::barrier, &Counters::barriers},
      {Shape::barrier_red, &Counters::barriers},
      {Shape::warp_barrier, &Counters::warp_syncs},
      {Shape::shuffle, &Counters::shuffles},
      {Shape::vote, &Counters::votes},
      {Shape::match, &Counters::votes},
      {Shape::redux, &Counters::votes},
      {Shape::activemask, &Counters::votes},
  };
  // Each shape counts in its row's counter and in no other; one without a row, in none.
  const auto look_at = [&](Shape shape, const char* name) {
    Counters expected;
    expected.warp_instructions = 2;
    expected.thread_instructions = 33;
    for (const Row& row : rows)
      if (row.shape == shape) expected.*row.counter = 2;
    Kernel k;
    const u32 pc = k.add(shape, 1);
    k.begin();
    k.issue(pc);
    k.issue(pc, 1);
    const Counters& total = k.end();
    for (const CounterField& field : kCounterFields)
      CHECK_MESSAGE(field.of(total) == field.of(expected), std::string(field.path),
                    " of Shape::", std::string(name), ": the table of this test says otherwise");
  };
#define LANE_SHAPE(name, ...) look_at(Shape::name, #name);
#define WARP_SHAPE(name, ...) look_at(Shape::name, #name);
#define SHAPE(name, ...) look_at(Shape::name, #name);
#include "ptx/shapes.def"
}

TEST_CASE("global loads and stores are counted apart") {
  Kernel k;
  const u32 load = k.add(Shape::load, 1), store = k.add(Shape::store, 2);
  k.begin();
  k.access(load, Space::global, AccessKind::load, 4, strided(0x1000, 4));
  k.access(load, Space::global, AccessKind::load, 4, strided(0x1000, 8));
  k.access(store, Space::global, AccessKind::store, 8, strided(0x1000, 8), 0x0000000f);
  const GlobalCounters& global = k.end().global;
  CHECK(global.load.requests == 2);
  CHECK(global.load.sectors == 4 + 8);
  CHECK(global.load.ideal_sectors == 4 + 4);
  CHECK(global.load.bytes == 2 * 128);
  CHECK(global.load.sectors_per_request() == 6.0);
  CHECK(global.store.requests == 1);
  CHECK(global.store.sectors == 1);
  CHECK(global.store.bytes == 32);
}

TEST_CASE("shared loads and stores are counted apart") {
  Kernel k;
  const u32 load = k.add(Shape::load, 1), store = k.add(Shape::store, 2);
  k.begin();
  k.access(load, Space::shared, AccessKind::load, 4, strided(0, 8));
  k.access(store, Space::shared, AccessKind::store, 4, strided(0, 128));
  const Counters& total = k.end();
  CHECK(total.shared.load.requests == 1);
  CHECK(total.shared.load.wavefronts == 2);
  CHECK(total.shared.load.bank_conflicts() == 1);
  CHECK(total.shared.store.wavefronts == 32);
  CHECK(total.shared.store.bank_conflicts() == 31);
  CHECK(total.shared.bank_conflicts() == 32);
  CHECK(total.global.load.requests + total.global.store.requests == 0);
}

TEST_CASE("one instruction may reach several spaces through a generic address") {
  Kernel k;
  const u32 load = k.add(Shape::load, 1);
  k.begin();
  k.access(load, Space::global, AccessKind::load, 4, strided(0x1000, 4));
  k.access(load, Space::shared, AccessKind::load, 4, strided(0, 4));
  k.access(load, Space::local, AccessKind::load, 4, strided(0, 0));
  k.access(load, Space::constant, AccessKind::load, 4, strided(0, 0));
  const Counters& total = k.end();
  CHECK(total.global.load.requests == 1);
  CHECK(total.shared.load.requests == 1);
  CHECK(total.local.load.requests == 1);
  CHECK(total.local.load.sectors == 4);
  CHECK(total.warp_instructions == 4);
}

TEST_CASE("atomics are counted by lanes and by the lanes that meet on one address") {
  Kernel k;
  const u32 atomic = k.add(Shape::atomic, 1);
  k.begin();
  k.access(atomic, Space::global, AccessKind::atomic, 4, strided(0x1000, 0));              // all on one: 32
  k.access(atomic, Space::global, AccessKind::atomic, 4, strided(0x1000, 4));              // each its own: 1
  k.access(atomic, Space::global, AccessKind::atomic, 4, strided(0x1000, 0), 0x0000000f);  // four on one: 4
  Addresses histogram;  // bins 0 1 2 0 1 2 …: 11 lanes on bin 0, not in ascending order
  for (u32 lane = 0; lane < kWarpSize; ++lane) histogram[lane] = 4 * (lane % 3);
  k.access(atomic, Space::shared, AccessKind::atomic, 4, histogram);
  const Counters& total = k.end();
  CHECK(total.global.atomics == 3);
  CHECK(total.global.atomic_lanes == 32 + 32 + 4);
  CHECK(total.global.atomic_serialised == 32 + 1 + 4);
  CHECK(total.shared.atomics == 1);
  CHECK(total.shared.atomic_lanes == 32);
  CHECK(total.shared.atomic_serialised == 11);
  CHECK(total.global.load.requests + total.global.store.requests == 0);
  CHECK(total.shared.load.requests + total.shared.store.requests == 0);
}

TEST_CASE("every counter in the list is counted by something") {
  Kernel k;
  std::vector<u32> plain;
  for (const Shape shape : {Shape::barrier, Shape::warp_barrier, Shape::shuffle, Shape::vote})
    plain.push_back(k.add(shape, 1));
  const u32 branch = k.add(Shape::branch, 1), load = k.add(Shape::load, 1), store = k.add(Shape::store, 1),
            atomic = k.add(Shape::atomic, 1), use = k.add(Shape::binary, 1);
  constexpr FrameOffset kRegister = 8;
  k.program.code[load].d[0] = k.program.code[use].s[0] = kRegister;
  k.begin();
  for (const u32 pc : plain) k.issue(pc);
  k.counters.branch(k.issue(branch), 1);
  for (const Space space : {Space::shared, Space::local, Space::global}) {
    k.access(store, space, AccessKind::store, 4, strided(0x1000, 4));
    if (space != Space::local) k.access(atomic, space, AccessKind::atomic, 4, strided(0x1000, 4));
    k.access(load, space, AccessKind::load, 4, strided(0x1000, 4));
  }
  k.issue(use);
  const Counters& total = k.end();
  for (const CounterField& field : kCounterFields)
    CHECK_MESSAGE(field.of(total) != 0, std::string(field.path),
                  " is 0: nothing in counting/ counts it, or this kernel lacks what it counts");
}

TEST_CASE("counters fold into source lines, by file and then line") {
  Kernel k;
  const u32 a = k.add(Shape::binary, 20), b = k.add(Shape::load, 20), c = k.add(Shape::binary, 3);
  const u32 helper = k.add(Shape::shuffle, 20, 1), unknown = k.add(Shape::move, 0);
  const u32 never = k.add(Shape::binary, 99);
  k.begin();
  k.issue(a);
  k.access(b, Space::global, AccessKind::load, 4, strided(0x1000, 4));
  k.issue(c, 1);
  k.issue(helper);
  k.issue(unknown);
  k.end();
  CHECK(never < k.program.code.size());
  REQUIRE(k.report.lines.size() == 4);  // line 99 did not run
  const auto is_at = [&](std::size_t i, const char* file, int line) {
    CHECK(k.report.lines[i].file == file);
    CHECK(k.report.lines[i].line == line);
  };
  is_at(0, "", 0);
  is_at(1, "/src/a_helper.h", 20);
  is_at(2, "/src/kernels.cuh", 3);
  is_at(3, "/src/kernels.cuh", 20);
  CHECK(k.report.lines[3].counters.warp_instructions == 2);
  CHECK(k.report.lines[3].counters.global.load.sectors == 4);
  CHECK(k.report.at_line(20).warp_instructions == 3);  // in both files
  CHECK(k.report.at_line(20).shuffles == 1);
  CHECK(k.report.at_line(99).warp_instructions == 0);
}

TEST_CASE("lines add up to the total") {
  Kernel k;
  std::vector<u32> loads;
  for (u32 i = 0; i < 50; ++i) loads.push_back(k.add(Shape::load, 1 + i % 7, u16(i % 2)));
  std::mt19937 random(5);
  k.begin();
  for (int i = 0; i < 1000; ++i) {
    const RandomAccess a = random_access(random);
    const Space spaces[] = {Space::global, Space::shared, Space::local};
    const AccessKind kinds[] = {AccessKind::load, AccessKind::store};
    k.access(loads[random() % loads.size()], spaces[i % 3], kinds[random() % 2], a.bytes, a.address, a.mask);
  }
  const Counters& total = k.end();
  Counters sum;
  for (const LineReport& line : k.report.lines) sum += line.counters;
  CHECK(sum.warp_instructions == 1000);
  CHECK(sum.thread_instructions == total.thread_instructions);
  CHECK(sum.global.load.sectors == total.global.load.sectors);
  CHECK(sum.global.store.bytes == total.global.store.bytes);
  CHECK(sum.shared.load.wavefronts == total.shared.load.wavefronts);
  CHECK(sum.shared.bank_conflicts() == total.shared.bank_conflicts());
  CHECK(sum.local.store.sectors == total.local.store.sectors);
}

TEST_CASE("a report says what was launched") {
  Kernel k;
  k.add(Shape::leave, 1);
  k.begin();
  k.end(false);
  CHECK(k.report.kernel == "sum_tile");
  CHECK(k.report.grid[0] == 3);
  CHECK(k.report.grid[1] == 2);
  CHECK(k.report.block[0] == 64);
  CHECK(k.report.blocks() == 6);
  CHECK(k.report.shared_bytes == 384);
  CHECK(k.report.local_bytes == 16);
  CHECK(k.report.launch == 7);
  CHECK_FALSE(k.report.completed);
}

TEST_CASE("a second launch starts from zero") {
  Kernel k;
  const u32 load = k.add(Shape::load, 1);
  for (int launch = 0; launch < 2; ++launch) {
    k.begin();
    k.access(load, Space::global, AccessKind::load, 4, strided(0x1000, 4));
    const Counters& total = k.end();
    CHECK(total.warp_instructions == 1);
    CHECK(total.global.load.sectors == 4);
  }
}
// SPDX-License-Identifier: MIT
