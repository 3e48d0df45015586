// Traces of small PTX kernels that really run.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <nlohmann/json.hpp>

#include "gpusim/report.h"
#include "gpusim/trace.h"
#include "runtime/process.h"

using namespace gpusim;

namespace {

constexpr const char* kPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.file 1 "/src/tiny.cu"
.file 2 "/src/helper.h"
.shared .align 4 .b8 tile[1024];

.visible .entry tiny() {
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .loc 1 3 5
  mov.u32 %r1, %tid.x;
  mov.u32 %r3, tile;
  mad.lo.u32 %r2, %r1, 8, %r3;
  .loc 1 4 7
  st.shared.u32 [%r2], %r1;
  bar.sync 0;
  .loc 1 5 9
  setp.ge.u32 %p1, %r1, 2;
  @%p1 bra DONE;
  ld.shared.u32 %r4, [%r2];
DONE:
  .loc 2 8 1
  shfl.sync.bfly.b32 %r5, %r1, 1, 31, 15;
  ret;
}

.visible .entry apart() {  // the halves of a warp meet in a shuffle that each has written for itself
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  mov.u32 %r1, %laneid;
  setp.ge.u32 %p1, %r1, 16;
  @%p1 bra UPPER;
  shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
  bra.uni DONE;
UPPER:
  shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
DONE:
  ret;
}

.visible .entry mixed() {  // lane 0 reads shared memory, lane 1 its local memory, by one instruction
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  .local .align 8 .b8 mine[16];
  mov.u32 %r1, %laneid;
  mov.u64 %rd1, tile;
  cvta.shared.u64 %rd2, %rd1;
  mov.u64 %rd3, mine;
  cvta.local.u64 %rd4, %rd3;
  setp.eq.u32 %p1, %r1, 0;
  selp.b64 %rd5, %rd2, %rd4, %p1;
  ld.u32 %r2, [%rd5+8];
  ret;
}

.const .align 4 .b8 table[4];
.visible .func nothing() { ret; }
.visible .entry kinds() {  // one instruction of each kind
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .f32 %f1;
  .local .align 8 .b8 own[16];
  mov.u32 %r1, 0;
  setp.eq.u32 %p1, %r1, 0;
  st.shared.u32 [tile], %r1;
  red.shared.add.u32 [tile], 1;
  atom.shared.exch.b32 %r2, [tile], 2;
  st.local.u32 [own+4], %r1;
  ld.local.v2.u32 {%r3, %r4}, [own];
  ld.const.u32 %r5, [table];
  ts: .branchtargets FIRST, SECOND;
  brx.idx %r1, ts;
FIRST:
  bar.red.popc.u32 %r6, 0, %p1;
SECOND:
  vote.sync.any.pred %p2, %p1, 3;
  match.any.sync.b32 %r6, %r1, 3;
  redux.sync.add.u32 %r6, %r1, 3;
  activemask.b32 %r6;
  bar.warp.sync 3;
  call nothing;
  cvt.rn.f32.s32 %f1, %r1;
  ret;
}
)";

const Module& module() {
  static const std::unique_ptr<Module> loaded = [] {
    std::string error;
    auto m = runtime::device().load(kPtx, &error);
    CAPTURE(error);
    REQUIRE(m);
    return m;
  }();
  return *loaded;
}

void launch(const char* kernel, u32 blocks, u32 threads) {
  const KernelInfo* info = module().kernel(kernel);
  REQUIRE(info);
  const auto fault = runtime::device().launch(module(), *info, {{blocks, 1, 1}, {threads, 1, 1}, 0}, nullptr);
  REQUIRE_MESSAGE(!fault, (fault ? fault->message : ""));
}

std::size_t count(const LaunchTrace& trace, StepKind kind) {
  return std::size_t(std::ranges::count(trace.steps, kind, &TraceStep::kind));
}

}  // namespace

TEST_CASE("a trace says step by step what four threads did") {
  const Trace trace;
  launch("tiny", 2, 4);
  CHECK(trace.json() == R"([
{"kernel":"tiny","grid":[2,1,1],"block":[4,1,1],"traced_block":0,"completed":true,"truncated":false,"files":["/src/tiny.cu","/src/helper.h"],
 "steps":[
  {"pc":0,"file":0,"line":3,"column":5,"op":"mov.u32","kind":"instr","mask":"0x0000000f","warp":0},
  {"pc":1,"file":0,"line":3,"column":5,"op":"mov.u32","kind":"instr","mask":"0x0000000f","warp":0},
  {"pc":2,"file":0,"line":3,"column":5,"op":"mad.lo.u32","kind":"instr","mask":"0x0000000f","warp":0},
  {"pc":3,"file":0,"line":4,"column":7,"op":"st.shared.u32","kind":"store","mask":"0x0000000f","warp":0,"space":"shared","bytes":4,"addresses":[0,8,16,24],"banks":[0,2,4,6]},
  {"pc":4,"file":0,"line":4,"column":7,"op":"bar.sync","kind":"barrier","mask":"0x0000000f","warp":0},
  {"pc":5,"file":0,"line":5,"column":9,"op":"setp.u32","kind":"instr","mask":"0x0000000f","warp":0},
  {"pc":6,"file":0,"line":5,"column":9,"op":"bra","kind":"branch","mask":"0x0000000f","warp":0,"taken":"0x0000000c"},
  {"pc":7,"file":0,"line":5,"column":9,"op":"ld.shared.u32","kind":"load","mask":"0x00000003","warp":0,"space":"shared","bytes":4,"addresses":[0,8],"banks":[0,2]},
  {"pc":8,"file":1,"line":8,"column":1,"op":"shfl.sync.b32","kind":"shuffle","mask":"0x0000000f","warp":0,"from":[1,0,3,2]},
  {"pc":9,"file":1,"line":8,"column":1,"op":"exit","kind":"leave","mask":"0x0000000f","warp":0}]}
]
)");
}

TEST_CASE("a trace of the only block has a step for every warp instruction counted") {
  clear_reports();
  enable_reports();
  const Trace trace;
  launch("tiny", 1, 100);
  enable_reports(false);
  const Counters& counted = last_report().total;
  REQUIRE(trace.launches().size() == 1);
  const LaunchTrace& t = trace.launches()[0];
  CHECK(t.steps.size() == counted.warp_instructions);
  std::uint64_t lanes = 0;
  for (const TraceStep& step : t.steps) lanes += std::uint64_t(std::popcount(step.mask));
  CHECK(lanes == counted.thread_instructions);
  CHECK(count(t, StepKind::barrier) == counted.barriers);
  CHECK(count(t, StepKind::branch) == counted.branches);
  CHECK(count(t, StepKind::shuffle) == counted.shuffles);
  CHECK(count(t, StepKind::load) == counted.shared.load.requests);
  CHECK(count(t, StepKind::store) == counted.shared.store.requests);
  clear_reports();
}

TEST_CASE("one warp of any block can be traced alone") {
  const Trace trace({.block = 2, .warp = 1});
  launch("tiny", 4, 128);
  REQUIRE(trace.launches().size() == 1);
  const LaunchTrace& t = trace.launches()[0];
  CHECK(t.traced_block == 2);
  CHECK(t.steps.size() == 9);  // the load is lanes 0 and 1 of warp 0 only
  for (const TraceStep& step : t.steps) CHECK(step.warp == 1);
}

TEST_CASE("a long trace is cut off and says so") {
  for (const std::size_t most : {0, 3, 9, 10, 11}) {
    CAPTURE(most);
    const Trace trace({.max_steps = most});
    launch("tiny", 1, 4);
    CHECK(trace.launches()[0].steps.size() == std::min<std::size_t>(most, 10));
    CHECK(trace.launches()[0].truncated == (most < 10));
    const auto json = nlohmann::json::parse(trace.json());
    CHECK(json[0]["truncated"] == (most < 10));
    CHECK(json[0]["steps"].size() == std::min<std::size_t>(most, 10));
  }
}

TEST_CASE("of each kernel the first launch is traced") {
  const Trace trace;
  launch("tiny", 3, 4);
  launch("tiny", 5, 4);
  launch("apart", 1, 32);
  REQUIRE(trace.launches().size() == 2);
  CHECK(trace.launches()[0].grid[0] == 3);
  CHECK(trace.launches()[1].kernel == "apart");
}

TEST_CASE("lanes that shuffle from different places have a step at each") {
  const Trace trace;
  launch("apart", 1, 32);
  std::vector<TraceStep> shuffles;
  for (const TraceStep& step : trace.launches()[0].steps)
    if (step.kind == StepKind::shuffle) shuffles.push_back(step);
  REQUIRE(shuffles.size() == 2);
  CHECK((shuffles[0].mask | shuffles[1].mask) == kAllLanes);
  for (const TraceStep& step : shuffles) {
    REQUIRE(step.from.size() == 16);
    CHECK(step.from[0] == (step.mask & 1 ? 16 : 0));
  }
  CHECK(shuffles[0].line == 0);  // the PTX gives none there
}

TEST_CASE("a generic access that reaches two spaces says mixed and keeps the lanes in order") {
  const Trace trace;
  launch("mixed", 1, 2);
  const auto& steps = trace.launches()[0].steps;
  const auto load = std::ranges::find(steps, StepKind::load, &TraceStep::kind);
  REQUIRE(load != steps.end());
  CHECK(load->op == "ld.u32");
  CHECK(load->space == "mixed");
  CHECK(load->addresses == std::vector<std::uint64_t>{8, 8});
  const auto json = nlohmann::json::parse(trace.json());
  CHECK_FALSE(json[0]["steps"][load - steps.begin()].contains("banks"));
}

TEST_CASE("nothing is recorded before and after the life of a trace") {
  const std::size_t observers = runtime::device().observers.size();
  {
    const Trace trace;
    CHECK(runtime::device().observers.size() == observers + 1);
    CHECK(trace.json() == "[]\n");
  }
  CHECK(runtime::device().observers.size() == observers);
}

TEST_CASE("each step has its operation, its kind and, where it is an access, its memory") {
  const Trace trace;
  launch("kinds", 1, 2);
  const struct {
    const char* op;
    StepKind kind;
    const char* space;
  } kSteps[] = {
      {"mov.u32", StepKind::instr, ""},
      {"setp.u32", StepKind::instr, ""},
      {"st.shared.u32", StepKind::store, "shared"},
      {"red.add.shared.u32", StepKind::atomic, "shared"},
      {"atom.exch.shared.b32", StepKind::atomic, "shared"},
      {"st.local.u32", StepKind::store, "local"},
      {"ld.local.v2.u32", StepKind::load, "local"},
      {"ld.const.u32", StepKind::load, "const"},
      {"brx.idx", StepKind::branch, ""},
      {"bar.red.u32", StepKind::barrier, ""},
      {"vote.sync.pred", StepKind::vote, ""},
      {"match.any.sync.b32", StepKind::vote, ""},
      {"redux.sync.u32", StepKind::vote, ""},
      {"activemask.b32", StepKind::vote, ""},
      {"bar.warp.sync", StepKind::warp_sync, ""},
      {"call", StepKind::call, ""},
      {"ret", StepKind::leave, ""},
      {"cvt.f32.s32", StepKind::instr, ""},
      {"exit", StepKind::leave, ""},
  };
  const auto& steps = trace.launches()[0].steps;
  std::string ops, wanted;
  for (const TraceStep& step : steps) ops += step.op + " ";
  for (const auto& each : kSteps) wanted += std::string(each.op) + " ";
  REQUIRE(ops == wanted);
  for (std::size_t k = 0; k < steps.size(); ++k) {
    CAPTURE(steps[k].op);
    CHECK(steps[k].kind == kSteps[k].kind);
    CHECK(steps[k].space == kSteps[k].space);
  }
}
// SPDX-License-Identifier: MIT
