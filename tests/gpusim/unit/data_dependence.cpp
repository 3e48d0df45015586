// Which kernels make the same accesses whatever memory holds: an instruction or two each, and what is said of them.
#include "analysis/data_dependence.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "execution/builtins.h"
#include "ptx/parser.h"

using namespace gpusim;

namespace {

DataDependence of(const std::string& body, const std::string& locals = "") {
  const Program program = ptx::parse(
      ".version 7.6\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 tile[1024];\n.const .align 4 .b8 table[64];\n"
      ".func (.param .b32 r) f(.param .b32 a)\n{ .reg .b32 %x; ld.param.b32 %x, [a]; st.param.b32 [r], %x; ret; }\n"
      ".func g() { ret; }\n"
      ".extern .func (.param .b32 r) __nv_cosf(.param .b32 a);\n"
      ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".visible .entry test(.param .u64 in, .param .u32 n, .param .align 4 .b8 list[16]) {\n" +
      locals +
      ".reg .pred %p<8>; .reg .b32 %r<16>, %tid; .reg .b64 %d<8>, %in; .reg .b16 %h<4>; .reg .f32 %f<4>;\n"
      "ld.param.u64 %in, [in]; mov.u32 %tid, %tid.x; mov.u32 %r0, 0;\n" +
      body + "\nEND: ret;\n}\n");
  for (u32 k = 0; k < program.functions.size(); ++k)
    if (program.functions[k].is_kernel) {
      REQUIRE(program.functions[k].problems.empty());
      return data_dependence(program, k,
                             [](std::string_view name) { return find_host_lanes_function(name) != nullptr; });
    }
  return {};
}
// What prevents a proof; empty: nothing.
std::string obstacle(const std::string& body, const std::string& locals = "") {
  const auto found = of(body, locals).obstacles;
  return found.empty() ? "" : found.front().what;
}
// The same of an access at [%d1], an address that is computed from register %r1.
std::string at(const std::string& makes_r1) {
  return obstacle(makes_r1 + " mad.wide.u32 %d1, %r1, 4, %in; st.global.u32 [%d1], %tid;");
}

constexpr const char* kFromMemory = "takes its address from memory";
const std::string kLoad = "ld.global.u32 %r1, [%in];";

}  // namespace

TEST_CASE("an address is the same in all runs if it is made of arguments, numbers and indices") {
  for (const char* r1 :
       {"mov.u32 %r1, %tid;",
        "mov.u32 %r1, 7;",
        "ld.param.u32 %r1, [n];",
        "mov.u32 %r1, %ctaid.y;",
        "mov.u32 %r1, %laneid;",
        "mov.u32 %r1, %lanemask_lt;",
        "add.u32 %r1, %tid, %r0;",
        "mul.hi.u32 %r1, %tid, 3;",
        "mad.lo.u32 %r1, %tid, 3, %tid;",
        "shl.b32 %r1, %tid, 2;",
        "bfe.u32 %r1, %tid, 1, 2;",
        "bfi.b32 %r1, %tid, %r0, 1, 2;",
        "popc.b32 %r1, %tid;",
        "lop3.b32 %r1, %tid, %r0, %tid, 0x80;",
        "prmt.b32 %r1, %tid, %r0, 0x3210;",
        "setp.lt.u32 %p1, %tid, 3; selp.u32 %r1, %tid, 1, %p1;",
        "cvt.u32.u16 %r1, 3;",
        "shfl.sync.bfly.b32 %r1|%p1, %tid, 1, 31, -1;",
        "activemask.b32 %r2; mov.u32 %r1, 1;",
        "setp.lt.u32 %p1, %tid, 3; vote.sync.ballot.b32 %r1, %p1, -1;",
        "redux.sync.add.u32 %r1, %tid, -1;",
        "match.any.sync.b32 %r1, %tid, -1;",
        "setp.lt.u32 %p1, %tid, 3; bar.red.popc.u32 %r1, 0, %p1;",
        "ld.param.u32 %r1, [list+4];",
        "mov.b64 %d2, list; mul.wide.u32 %d3, %tid, 4; add.u64 %d2, %d2, %d3; ld.param.u32 %r1, [%d2];"}) {
    CAPTURE(r1);
    CHECK(at(r1) == "");
  }
}

TEST_CASE("an address depends on data if any of its parts was loaded") {
  for (const char* r1 :
       {"ld.global.u32 %r1, [%in];",
        "ld.shared.u32 %r1, [tile];",
        "ld.const.u32 %r1, [table];",
        "ld.global.nc.u32 %r1, [%in];",
        "ld.global.v2.u32 {%r2, %r1}, [%in];",
        "ld.global.u32 %r2, [%in]; add.u32 %r1, %tid, %r2;",
        "ld.global.u32 %r2, [%in]; mad.lo.u32 %r1, %tid, 3, %r2;",
        "ld.global.u32 %r2, [%in]; shl.b32 %r1, 1, %r2;",
        "ld.global.u32 %r2, [%in]; setp.lt.u32 %p1, %r2, 3; selp.u32 %r1, %tid, 1, %p1;",
        "ld.global.u32 %r2, [%in]; setp.lt.u32 %p1, %r2, 3; mov.u32 %r1, 0; @%p1 mov.u32 %r1, %tid;",
        "ld.global.u16 %h1, [%in]; cvt.u32.u16 %r1, %h1;",
        "ld.global.u32 %r2, [%in]; shfl.sync.idx.b32 %r1|%p1, %r2, 0, 31, -1;",
        "ld.global.u32 %r2, [%in]; setp.lt.u32 %p1, %r2, 3; vote.sync.ballot.b32 %r1, %p1, -1;",
        "ld.global.u32 %r2, [%in]; redux.sync.add.u32 %r1, %r2, -1;",
        "ld.global.u32 %r2, [%in]; match.any.sync.b32 %r1, %r2, -1;",
        "ld.global.u32 %r2, [%in]; setp.lt.u32 %p1, %r2, 3; bar.red.popc.u32 %r1, 0, %p1;",
        "ld.global.u32 %r2, [%in]; popc.b32 %r1, %r2;",
        "ld.global.u32 %r2, [%in]; lop3.b32 %r1, %tid, %tid, %r2, 0x80;",
        "ld.global.u64 %d2, [%in]; mov.b64 {%r1, %r2}, %d2;",
        "ld.global.u32 %r2, [%in]; mov.u32 %r3, %r2; mov.u32 %r1, %r3;"}) {
    CAPTURE(r1);
    CHECK(at(r1) == kFromMemory);
  }
  CHECK(
      at("mov.u32 %r1, 0; mov.u32 %r5, 0;\nL: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; mov.u32 %r1, %r2; ld.global.u32 %r2, [%in]; @%p1 bra L;") !=
      "");
}

TEST_CASE("clocks, atomics, active lanes, the place on the GPU and registers without a value are data, too") {
  CHECK(at("atom.global.add.u32 %r1, [%in], 1;") == "takes its address from the result of an atomic");
  CHECK(at("mov.u32 %r1, %clock;") == "takes its address from a clock");
  for (const char* where : {"%smid", "%warpid", "%nsmid", "%nwarpid"})
    CHECK(at(std::string("mov.u32 %r1, ") + where + ";")
              .starts_with("takes its address from where on the GPU it runs"));
  CHECK(at("activemask.b32 %r1;").starts_with("takes its address from which lanes happen to run together"));
  CHECK(at("") == "takes its address from a variable that may have no value yet");
  CHECK(at("setp.lt.u32 %p1, %tid, 3; @%p1 bra L; mov.u32 %r1, 1; L:") ==
        "takes its address from a variable that may have no value yet");
  CHECK(at("setp.lt.u32 %p1, %tid, 3; @%p1 mov.u32 %r1, 1;") ==
        "takes its address from a variable that may have no value yet");
  CHECK(at("setp.lt.u32 %p1, %tid, 3; @%p1 bra L; mov.u32 %r1, 1; bra M; L: mov.u32 %r1, 2; M:") == "");
}

TEST_CASE("private memory and what other functions give are taken for data") {
  CHECK(
      obstacle(
          "st.local.u32 [mine], %tid; ld.local.u32 %r1, [mine]; mad.wide.u32 %d1, %r1, 4, %in; st.global.u32 [%d1], 1;",
          ".local .align 4 .b8 mine[16];") == kFromMemory);
  CHECK(
      at("{ .param .b32 a; .param .b32 r; st.param.b32 [a], %tid; call (r), f, (a); ld.param.b32 %r1, [r]; }") ==
      "takes its address from a function that is called");
  CHECK(
      at("{ .param .b32 a; .param .b32 r; st.param.b32 [a], %tid; call (r), __nv_cosf, (a); ld.param.b32 %r2, [r]; } mov.u32 %r1, 1;") ==
      "");
  CHECK(
      at("{ .param .b64 a; .param .b64 r; st.param.b64 [a], %in; call (r), malloc, (a); } mov.u32 %r1, 1;") ==
      "calls malloc, which may touch memory unseen");
}

TEST_CASE("branches, guards, masks and lanes may not depend on data") {
  const std::string loaded = kLoad + " setp.lt.u32 %p1, %r1, 3; ";
  CHECK(obstacle(loaded + "@%p1 bra END;") == "branches depending on memory");
  CHECK(obstacle(loaded + "@%p1 exit;") == "leaves the kernel depending on memory");
  CHECK(obstacle(loaded + "@%p1 st.shared.u32 [tile], 1;") == "is executed or not depending on memory");
  CHECK(obstacle(loaded + "@%p1 ld.shared.u32 %r2, [tile];") == "is executed or not depending on memory");
  CHECK(obstacle(loaded + "@%p1 atom.shared.add.u32 %r2, [tile], 1;") ==
        "is executed or not depending on memory");
  CHECK(obstacle(loaded + "@%p1 bar.sync 0;") == "is executed or not depending on memory");
  CHECK(obstacle(loaded + "@%p1 bar.warp.sync -1;") == "is executed or not depending on memory");
  CHECK(obstacle(loaded + "@%p1 add.u32 %r2, %tid, 1;") ==
        "");  // changes a value that depends on data anyway
  CHECK(obstacle(kLoad + "bar.warp.sync %r1;") == "takes its mask from memory");
  CHECK(obstacle(kLoad + "shfl.sync.idx.b32 %r2|%p1, %tid, %r1, 31, -1;") ==
        "takes its source lane from memory");
  CHECK(obstacle(kLoad + "shfl.sync.idx.b32 %r2|%p1, %tid, 0, 31, %r1;") == "takes its mask from memory");
  CHECK(obstacle(kLoad + "vote.sync.ballot.b32 %r2, %p1, %r1;") == "takes its mask from memory");
  CHECK(obstacle(kLoad + "redux.sync.add.u32 %r2, %tid, %r1;") == "takes its mask from memory");
  CHECK(obstacle(kLoad + "match.any.sync.b32 %r2, %tid, %r1;") == "takes its mask from memory");
  CHECK(obstacle(kLoad + "brx.idx %r1, T;\nT: .branchtargets A, END;\nA: bar.sync 0;") ==
        "branches depending on memory");
  CHECK(obstacle("brx.idx %tid, T;\nT: .branchtargets A, END;\nA: bar.sync 0;") == "");
}

TEST_CASE("what orders threads by more than __syncthreads() and __syncwarp() is not covered") {
  for (
      const char* body :
      {"membar.gl;", "fence.acq_rel.gpu;", "ld.volatile.global.u32 %r1, [%in];",
       "st.volatile.shared.u32 [tile], 1;", "ld.relaxed.gpu.global.u32 %r1, [%in];",
       "st.release.gpu.global.u32 [%in], 1;", "atom.acquire.gpu.global.add.u32 %r1, [%in], 1;", "bar.sync 1;",
       "bar.sync 0, 32;", "bar.sync %tid;", "bar.arrive 0, 64;", "barrier.sync 0;",
       "atom.global.cas.b32 %r1, [%in], 0, 1;", "cp.async.wait_all;",
       "cp.async.ca.shared.global [tile], [%in], 4;", "mbarrier.init.shared.b64 [tile], 1;",
       "P: .callprototype (.param .b32 _) _ (.param .b32 _);\nmov.u64 %d2, f; { .param .b32 a; .param .b32 r; "
       "st.param.b32 [a], %tid; call (r), %d2, (a), P; }"}) {
    INFO(std::string(body));
    CHECK(obstacle(body) != "");
  }
  for (const char* body :
       {"bar.sync 0;", "bar.warp.sync 0xffff;", "nanosleep.u32 20;", "prefetch.global.L2 [%in];"})
    CHECK(obstacle(body) == "");
}

namespace {

// An instruction of a shape and what a proof says of it; %r1 and %p1 are loaded. A new shape does not compile without one.
struct Example {
  std::string statement, obstacle;
};
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
Example example_of(Shape shape) {
  const std::string guarded = "is executed or not depending on memory", mask = "takes its mask from memory",
                    named = "is a barrier other than __syncthreads(), which a proof does not cover yet",
                    copies = "copies asynchronously, which a proof does not cover yet";
  switch (shape) {
#define LANE_SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
    return {"@%p1 add.u32 %r2, %tid, %r1;", ""};
    case Shape::branch: return {"@%p1 bra END;", "branches depending on memory"};
    case Shape::branch_table:
      return {"brx.idx %r1, T;\nT: .branchtargets END;", "branches depending on memory"};
    case Shape::call: return {"@%p1 call g;", guarded};
    case Shape::leave: return {"@%p1 exit;", "leaves the kernel depending on memory"};
    case Shape::load: return {"@%p1 ld.shared.u32 %r2, [tile];", guarded};
    case Shape::store: return {"@%p1 st.shared.u32 [tile], 1;", guarded};
    case Shape::atomic: return {"@%p1 atom.shared.add.u32 %r2, [tile], 1;", guarded};
    case Shape::reduction: return {"@%p1 red.shared.add.u32 [tile], 1;", guarded};
    case Shape::async_copy: return {"cp.async.ca.shared.global [tile], [%in], 4;", copies};
    case Shape::async_group: return {"cp.async.wait_all;", copies};
    case Shape::mbarrier:
      return {"mbarrier.init.shared.b64 [tile], 1;",
              "uses a barrier in shared memory, which a proof does not cover yet"};
    case Shape::matrix_load: return {"@%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [tile];", guarded};
    case Shape::matrix_multiply:
      return {
          "@%p1 mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r2, %r3}, {%r4, %r5}, {%r6}, {%r7, %r8};",
          guarded};
    case Shape::fence:
      return {"membar.gl;",
              "is a fence: threads tell each other something, which a proof does not cover yet"};
    case Shape::hint: return {"prefetch.global.L2 [%in];", ""};
    case Shape::shuffle: return {"shfl.sync.idx.b32 %r2|%p2, %tid, 0, 31, %r1;", mask};
    case Shape::vote: return {"vote.sync.ballot.b32 %r2, %p1, %r1;", mask};
    case Shape::match: return {"match.any.sync.b32 %r2, %tid, %r1;", mask};
    case Shape::activemask: return {"activemask.b32 %r2;", ""};
    case Shape::redux: return {"redux.sync.add.u32 %r2, %tid, %r1;", mask};
    case Shape::warp_barrier: return {"bar.warp.sync %r1;", mask};
    case Shape::barrier: return {"@%p1 bar.sync 0;", guarded};
    case Shape::barrier_red: return {"@%p1 bar.red.popc.u32 %r2, 0, %p2;", guarded};
    case Shape::barrier_arrive: return {"bar.arrive 0, 64;", named};
    case Shape::sleep: return {"nanosleep.u32 %r1;", ""};
    case Shape::clock: return {"mov.u32 %r2, %clock;", ""};
  }
  return {};
}
#pragma GCC diagnostic pop

}  // namespace

TEST_CASE("for each shape it is known what keeps a proof from covering it") {
  std::vector<Shape> shapes;
#define LANE_SHAPE(name, ...) shapes.push_back(Shape::name);
#define WARP_SHAPE(name, ...) shapes.push_back(Shape::name);
#define SHAPE(name, ...) shapes.push_back(Shape::name);
#include "ptx/shapes.def"
  for (const Shape shape : shapes) {
    const Example example = example_of(shape);
    CAPTURE(example.statement);
    CHECK(obstacle(kLoad + " setp.lt.u32 %p1, %r1, 3; " + example.statement) == example.obstacle);
  }
}

TEST_CASE("atomics leave a proof if their order makes no difference, or say what it makes") {
  const auto add = [](const char* type) { return std::string("red.global.add.") + type + " [%in], "; };
  CHECK(!of(add("u32") + "1;").rounds);
  CHECK(!of(add("u32") + "1;").differs);
  CHECK(!of("atom.global.add.u32 %r1, [%in], 1; atom.shared.add.s32 %r2, [tile], 1;").differs);
  CHECK(of(add("f32") + "0f3F800000;").rounds);
  CHECK(!of(add("f32") + "0f3F800000;").differs);
  CHECK(of("atom.global.add.u32 %r1, [%in], 1; st.shared.u32 [tile], %r1;").differs);
  CHECK(of("atom.global.exch.b32 %r1, [%in], 1;").differs);
  CHECK(of("red.global.inc.u32 [%in], 1;").differs);
  CHECK(of("red.global.add.u32 [%in], 1; red.global.max.u32 [%in], 1;").differs);
  CHECK(of("red.global.max.s32 [%in], 1; red.global.max.u32 [%in], 1;").differs);
  CHECK(of("red.global.add.u64 [%in], 1; red.global.add.u32 [%in], 1;").differs);
  CHECK(of("mov.u32 %r1, %clock; st.global.u32 [%in], %r1;").differs);
  CHECK(of("mov.u32 %r1, %smid; st.global.u32 [%in], %r1;").differs);
  CHECK(of("activemask.b32 %r1; st.global.u32 [%in], %r1;").differs);
  CHECK(of("st.global.u32 [%in], %r1;").differs);  // %r1 has no value
}
// SPDX-License-Identifier: MIT
