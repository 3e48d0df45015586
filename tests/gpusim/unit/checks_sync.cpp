// The checks of barriers and of shuffles, told by hand what a kernel does.
#include <doctest/doctest.h>

#include <memory>

#include "checking/checks.h"
#include "execution/events.h"
#include "ptx/program.h"
#include "runtime/process.h"

using namespace gpusim;

namespace {

// A kernel of 64 threads a block of which only shapes and lines matter; pc i is the i-th instruction added.
struct Kernel {
  Program program;
  KernelInfo info;
  LaunchInfo launch;
  std::unique_ptr<Observer> check;

  explicit Kernel(std::unique_ptr<Observer> (*make)(const Memory&, Findings&))
      : check(make(runtime::device().memory, runtime::current().gpu.findings)) {
    clear_findings();
    program.files = {"/src/kernels.cuh"};
    program.functions.emplace_back();
    info.pretty_name = "sum_tile";
    launch.program = &program;
    launch.kernel = &info;
    launch.grid = {3, 1, 1};
    launch.block = {64, 1, 1};
    launch.warps_per_block = 2;
  }
  ~Kernel() { clear_findings(); }

  Instruction& add(Op op, Shape shape, u32 line) {
    program.code.emplace_back();
    program.code.back().op = op;
    program.code.back().shape = shape;
    program.lines.push_back({0, 5, line});
    program.functions[0].end = u32(program.code.size());
    return program.code.back();
  }
  u32 add_barrier(u32 line, u32 id = 0, Op op = Op::bar_sync) {
    add(op, Shape::barrier, line).s[0] = 100 + id;
    Constant number;
    number.frame = 100 + id;
    number.value = id;
    program.functions[0].constants.push_back(number);
    return u32(program.code.size() - 1);
  }
  u32 add_exit(u32 line) { return add(Op::exit, Shape::leave, line), u32(program.code.size() - 1); }
  u32 add_shuffle(u32 line) { return add(Op::shfl_sync, Shape::shuffle, line), u32(program.code.size() - 1); }

  void begin() {
    check->launch_begin(launch);
    for (u64 block = 0; block < launch.grid.count(); ++block) check->block_begin(block);
  }
  void end() {
    for (u64 block = 0; block < launch.grid.count(); ++block) check->block_end(block);
    check->launch_end(launch, true);
  }
  void arrive(u32 pc, u32 warp, Mask lanes = kAllLanes, u64 block = 0) {
    check->sync({pc, lanes, block, warp}, SyncKind::block_barrier, lanes);
  }
  void leave(u32 pc, u32 warp, Mask lanes = kAllLanes, u64 block = 0) {
    check->exit({pc, lanes, block, warp});
  }
  void shuffle(u32 pc, Mask lanes, Mask members, const u32* from, u32 warp = 0) {
    const Issue issue{pc, lanes, 0, warp};
    check->sync(issue, SyncKind::shuffle, members);
    check->shuffled(issue, members, lanes & members, from);
  }
};

bool says(const Finding& f, const char* text) {
  INFO(f.message);
  const bool found = f.message.find(text) != std::string::npos;
  CHECK(found);
  return found;
}

struct Sources {
  u32 lane[kWarpSize];
  explicit Sources(u32 distance) {
    for (u32 l = 0; l < kWarpSize; ++l) lane[l] = l + distance < kWarpSize ? l + distance : l;
  }
};

}  // namespace

TEST_CASE("a barrier that all threads reach at one place is silent, even when they come in parts") {
  Kernel k(make_barrier_check);
  const u32 barrier = k.add_barrier(10);
  k.begin();
  for (int round = 0; round < 3; ++round) {
    k.arrive(barrier, 1, 0xffff0000u);
    k.arrive(barrier, 0);
    k.arrive(barrier, 1, 0x0000ffffu);
    k.check->barrier_complete(0, 0);
  }
  k.end();
  CHECK(findings().empty());
}

TEST_CASE("threads let go together from two barriers are an error that names both lines") {
  Kernel k(make_barrier_check);
  const u32 first = k.add_barrier(10), second = k.add_barrier(20);
  k.begin();
  k.arrive(second, 0, 0xffffff00u, 2);
  k.arrive(first, 0, 0x000000ffu, 2);
  k.arrive(second, 1, kAllLanes, 2);
  k.check->barrier_complete(2, 0);
  k.end();
  REQUIRE(findings().size() == 1);
  const Finding& f = findings()[0];
  CHECK(f.check == "barrier");
  CHECK(f.severity == Severity::error);
  CHECK(f.kernel == "sum_tile");
  CHECK(f.place.line == 10);
  CHECK(f.other.line == 20);
  says(f, "block 2");
  says(f, "threads 0 to 7 here");
  says(f, "threads 8 to 63 at line 20");
  says(f, "every thread of the block must reach the same __syncthreads()");
}

TEST_CASE("blocks that run in turns do not mix their barriers") {
  Kernel k(make_barrier_check);
  const u32 first = k.add_barrier(10), second = k.add_barrier(20);
  k.begin();
  k.arrive(first, 0, kAllLanes, 0);
  k.arrive(second, 0, kAllLanes, 1);
  k.arrive(first, 1, kAllLanes, 0);
  k.check->barrier_complete(0, 0);
  k.check->block_end(0);
  k.arrive(second, 1, kAllLanes, 1);
  k.check->barrier_complete(1, 0);
  k.end();
  CHECK(findings().empty());
}

TEST_CASE("barriers of two numbers are two barriers") {
  Kernel k(make_barrier_check);
  const u32 first = k.add_barrier(10, 0), second = k.add_barrier(20, 1);
  k.begin();
  for (u32 warp : {0u, 1u}) k.arrive(first, warp);
  k.arrive(second, 0);
  k.check->barrier_complete(0, 0);
  k.arrive(second, 1);
  k.check->barrier_complete(0, 1);
  k.end();
  CHECK(findings().empty());
}

TEST_CASE("barrier.sync and barriers for a number of threads may be reached from different places") {
  Kernel k(make_barrier_check);
  const u32 a = k.add_barrier(10, 0, Op::barrier), b = k.add_barrier(20, 0, Op::barrier);
  const u32 c = k.add_barrier(30, 1), d = k.add_barrier(40, 1);
  k.program.code[c].s[1] = k.program.code[d].s[1] = 200;
  k.begin();
  k.arrive(a, 0);
  k.arrive(b, 1);
  k.check->barrier_complete(0, 0);
  k.arrive(c, 0);
  k.arrive(d, 1);
  k.check->barrier_complete(0, 1);
  k.end();
  CHECK(findings().empty());
}

TEST_CASE("threads that left before a barrier are a warning that names the branch by which they left") {
  Kernel k(make_barrier_check);
  Instruction& leave_early = k.add(Op::bra, Shape::branch, 8);
  leave_early.guard = 0;
  leave_early.target = leave_early.reconverge = 2;
  const u32 barrier = k.add_barrier(10), exit = k.add_exit(12);
  k.begin();
  k.arrive(barrier, 0);
  k.check->branch({0, kAllLanes, 0, 1}, 0xfff00000u);
  k.leave(exit, 1, 0xfff00000u);
  k.arrive(barrier, 1, 0x000fffffu);
  k.check->barrier_complete(0, 0);
  k.leave(exit, 0);
  k.leave(exit, 1, 0x000fffffu);
  k.end();
  REQUIRE(findings().size() == 1);
  const Finding& f = findings()[0];
  CHECK(f.check == "barrier");
  CHECK(f.severity == Severity::warning);
  CHECK(f.place.line == 10);
  CHECK(f.other.line == 8);
  says(f, "threads 52 to 63 left the kernel at line 8");
}

namespace {

// if (…) __syncthreads(); then something for all; the branch is pc 0, the barrier 1, the exit 3.
void add_barrier_in_branch(Kernel& k) {
  Instruction& around = k.add(Op::bra, Shape::branch, 8);
  around.guard = 0;
  around.target = around.reconverge = 2;
  k.add_barrier(9);
  k.add(Op::add, Shape::binary, 11);
  k.add_exit(12);
}

}  // namespace

TEST_CASE(
    "threads that a branch leads past a barrier, to what all do behind it, are an error that names both lines") {
  Kernel k(make_barrier_check);
  add_barrier_in_branch(k);
  k.begin();
  k.check->branch({0, kAllLanes, 0, 0}, 0);
  k.arrive(1, 0);
  k.check->branch({0, kAllLanes, 0, 1}, kAllLanes);
  k.leave(3, 1);
  k.check->barrier_complete(0, 0);
  k.leave(3, 0);
  k.end();
  REQUIRE(findings().size() == 1);
  const Finding& f = findings()[0];
  CHECK(f.severity == Severity::error);
  CHECK(f.place.line == 9);
  CHECK(f.other.line == 8);
  says(
      f,
      "threads 32 to 63 never reach this barrier, where others wait: the branch at line 8 leads them past it");
}

TEST_CASE(
    "a barrier that all threads pass together is silent, and who has left by the time they come to it is a warning") {
  Kernel k(make_barrier_check);
  add_barrier_in_branch(k);
  k.begin();
  for (u32 warp : {0u, 1u}) k.check->branch({0, kAllLanes, 0, warp}, kAllLanes);
  CHECK(findings().empty());
  k.leave(3, 1);  // the others come again
  k.check->branch({0, kAllLanes, 0, 0}, 0);
  k.arrive(1, 0);
  k.check->barrier_complete(0, 0);
  k.leave(3, 0);
  k.end();
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].severity == Severity::warning);
}

TEST_CASE("threads that leave after the last barrier are no finding") {
  Kernel k(make_barrier_check);
  const u32 barrier = k.add_barrier(10), exit = k.add_exit(12);
  k.begin();
  for (u32 warp : {0u, 1u}) k.arrive(barrier, warp);
  k.check->barrier_complete(0, 0);
  for (u32 warp : {0u, 1u}) k.leave(exit, warp);
  k.end();
  CHECK(findings().empty());
}

TEST_CASE("threads that leave early because their barriers were mixed up are no second finding") {
  Kernel k(make_barrier_check);
  const u32 first = k.add_barrier(10), second = k.add_barrier(20), exit = k.add_exit(22);
  k.begin();
  k.arrive(first, 0);
  k.arrive(second, 1);
  k.check->barrier_complete(0, 0);
  k.leave(exit, 1);
  k.arrive(second, 0);
  k.check->barrier_complete(0, 0);
  k.end();
  CHECK(findings().size() == 1);
}

TEST_CASE("the same finding of many barriers is one finding with a count") {
  Kernel k(make_barrier_check);
  const u32 first = k.add_barrier(10), second = k.add_barrier(20);
  k.begin();
  for (int round = 0; round < 5; ++round) {
    k.arrive(first, 0);
    k.arrive(second, 1);
    k.check->barrier_complete(0, 0);
  }
  k.end();
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].count == 5);
}

TEST_CASE("shuffles within their mask are silent, also those whose source lies beyond the segment") {
  Kernel k(make_shuffle_check);
  const u32 shuffle = k.add_shuffle(10);
  k.begin();
  k.shuffle(shuffle, kAllLanes, kAllLanes, Sources(16).lane);
  k.shuffle(shuffle, 0x0000ffffu, 0x0000ffffu, Sources(0).lane);
  k.end();
  CHECK(findings().empty());
}

TEST_CASE("a lane that calls a shuffle without being in its mask is named, and so is the mask") {
  Kernel k(make_shuffle_check);
  const u32 shuffle = k.add_shuffle(10);
  k.begin();
  k.shuffle(shuffle, kAllLanes, 0xfffffffeu, Sources(0).lane, 1);
  k.end();
  REQUIRE(findings().size() == 1);
  const Finding& f = findings()[0];
  CHECK(f.check == "shuffle");
  CHECK(f.severity == Severity::error);
  CHECK(f.place.line == 10);
  says(f, "lane 0 of warp 1 calls");
  says(f, "0xfffffffe");
}

TEST_CASE("a shuffle or vote whose mask names a lane that has left is an error, a __syncwarp() is not") {
  Kernel k(make_shuffle_check);
  const u32 exit = k.add_exit(5), vote = (k.add(Op::vote_sync, Shape::vote, 10), 1);
  const u32 barrier = (k.add(Op::bar_warp, Shape::warp_barrier, 11), 2);
  k.begin();
  k.leave(exit, 0, 0x80000000u);
  k.check->sync({barrier, 0x7fffffffu, 0, 0}, SyncKind::warp_barrier, kAllLanes);
  k.check->sync({vote, kAllLanes, 0, 1}, SyncKind::vote, kAllLanes);  // the other warp is complete
  CHECK(findings().empty());
  k.check->sync({vote, 0x7fffffffu, 0, 0}, SyncKind::vote, kAllLanes);
  k.end();
  REQUIRE(findings().size() == 1);
  CHECK(findings()[0].place.line == 10);
  says(findings()[0], "warp 0 calls a vote with the mask 0xffffffff");
  says(findings()[0], "names lane 31 that has left the kernel");
}

TEST_CASE("a shuffle that reads from a lane outside its mask is an error that names both lanes") {
  Kernel k(make_shuffle_check);
  const u32 shuffle = k.add_shuffle(10);
  k.begin();
  k.shuffle(shuffle, 0x0000ffffu, 0x0000ffffu, Sources(8).lane);
  k.end();
  REQUIRE(findings().size() == 1);
  says(findings()[0], "lane 8 of warp 0 reads from lane 16");
  says(findings()[0], "is not in the mask");
}

TEST_CASE("a shuffle that reads from a lane that the block does not have is an error") {
  Kernel k(make_shuffle_check);
  k.launch.block = {40, 1, 1};
  const u32 shuffle = k.add_shuffle(10);
  k.begin();
  k.shuffle(shuffle, 0x000000ffu, kAllLanes, Sources(4).lane, 1);
  k.end();
  REQUIRE(findings().size() == 1);
  says(findings()[0], "lane 4 of warp 1 reads from lane 8");
  says(findings()[0], "does not exist in this block");
}
// SPDX-License-Identifier: MIT
