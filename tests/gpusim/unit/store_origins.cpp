// Through which pointers a kernel stores: what the text tells, and when it tells nothing.
#include "analysis/store_origins.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checking/written_memory.h"
#include "execution/device.h"
#include "ptx/parser.h"

using namespace gpusim;

namespace {

// The indices of the parameters that a kernel of (u64 a, u64 b, u64 n, u32 k) stores through; "any" if it may be any memory.
std::string stores_through(const std::string& body, const std::string& before = "") {
  const Program p = ptx::parse(
      ".version 7.0\n.target sm_80\n.address_size 64\n.global .u32 counter;\n" + before +
      ".visible .entry f(.param .u64 a, .param .u64 b, .param .u64 n, .param .u32 k) {\n"
      ".reg .u64 %rd<20>; .reg .u32 %r<20>; .reg .pred %p<4>;\n"
      ".shared .align 8 .b8 tile[64];\n.local .align 8 .b8 own[64];\n"
      "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [n];\nld.param.u32 %r1, [k];\n" +
      body + "\nret;\n}\n");
  for (const Function& f : p.functions) {
    if (f.name != "f") continue;
    REQUIRE(f.problems.empty());
    const auto origins = store_origins(p, f);
    if (!origins) return "any";
    std::vector<std::string> names;
    for (const auto& parameter : origins->parameters) {
      REQUIRE(parameter.at == 0);
      names.push_back(std::string("abn").substr(parameter.parameter, 1));
    }
    for (const u32 v : origins->variables) names.push_back(p.variables[v].name);
    std::ranges::sort(names);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
  }
  return "no kernel";
}

}  // namespace

TEST_CASE("a store goes through the pointers that its address is made of, not through those it reads by") {
  CHECK(stores_through("ld.global.u32 %r2, [%rd1]; st.global.u32 [%rd2], %r2;") == "b");
  CHECK(stores_through("mul.wide.u32 %rd4, %r1, 4; add.s64 %rd5, %rd2, %rd4; st.global.u32 [%rd5+8], %r1;") ==
        "b");
  CHECK(stores_through("cvta.to.global.u64 %rd4, %rd1; mad.wide.u32 %rd5, %r1, 4, %rd4; red.global.add.u32 "
                       "[%rd5], 1;") == "a");
  CHECK(stores_through("shl.b64 %rd4, %rd3, 2; add.s64 %rd5, %rd1, %rd4; st.global.u32 [%rd5], %r1;") ==
        "a n");
  CHECK(stores_through("atom.global.add.u32 %r2, [counter], 1;") == "counter");
  CHECK(stores_through("ld.global.u32 %r2, [%rd1];") == "");
}

TEST_CASE("each way to make an address counts, wherever it stands") {
  CHECK(stores_through("setp.ne.u32 %p1, %r1, 0; @%p1 bra ODD; mov.u64 %rd4, %rd1; bra.uni ON;\n"
                       "ODD: mov.u64 %rd4, %rd2;\nON: st.global.u32 [%rd4], %r1;") == "a b");
  CHECK(stores_through(
            "setp.ne.u32 %p1, %r1, 0; selp.b64 %rd4, %rd1, %rd2, %p1; st.global.u32 [%rd4], %r1;") == "a b");
  CHECK(stores_through("slct.b64.s32 %rd4, %rd1, %rd2, %r1; st.global.u32 [%rd4], %r1;") == "a b");
  CHECK(stores_through("mov.u64 %rd4, %rd1;\nAGAIN: st.global.u32 [%rd4], %r1; mov.u64 %rd4, %rd2;\n"
                       "setp.ne.u32 %p1, %r1, 0; @%p1 bra AGAIN;") == "a b");
  CHECK(stores_through("mov.u64 %rd4, %rd1;\nAGAIN: st.global.u32 [%rd4], %r1; add.s64 %rd4, %rd4, 128;\n"
                       "setp.ne.u32 %p1, %r1, 0; @%p1 bra AGAIN;") == "a");
}

TEST_CASE("an index from memory is no pointer, a pointer from memory may be any") {
  CHECK(stores_through(
            "ld.global.u32 %r2, [%rd1]; mad.wide.u32 %rd5, %r2, 4, %rd2; st.global.u32 [%rd5], 1;") == "b");
  CHECK(stores_through("ld.global.u64 %rd5, [%rd1]; st.global.u32 [%rd5], 1;") == "any");
  CHECK(stores_through("ld.global.u64 %rd5, [%rd1]; add.s64 %rd6, %rd5, %rd2; st.global.u32 [%rd6], 1;") ==
        "any");
  CHECK(stores_through("atom.global.exch.b64 %rd5, [%rd1], %rd2; st.global.u32 [%rd5], 1;") == "any");
  CHECK(stores_through("mov.b64 %rd5, {%r1, %r2}; st.global.u32 [%rd5], 1;") == "any");
  CHECK(stores_through(
            "ld.param.u32 %r2, [a]; ld.param.u32 %r3, [a+4]; cvt.u64.u32 %rd4, %r2; cvt.u64.u32 %rd5, %r3;"
            "shl.b64 %rd6, %rd5, 32; or.b64 %rd7, %rd6, %rd4; st.global.u32 [%rd7], 1;") == "any");
  CHECK(stores_through("st.global.u32 [%rd9], 1;") == "any");
}

TEST_CASE("shared and local memory are not global; a generic address of them is none of an array") {
  CHECK(stores_through("st.shared.u32 [tile], %r1; st.local.u32 [own], %r1;") == "");
  CHECK(stores_through("mov.u64 %rd4, tile; cvta.shared.u64 %rd5, %rd4; st.u32 [%rd5], %r1;") == "");
  CHECK(stores_through(
            "mov.u64 %rd4, own; cvta.local.u64 %rd5, %rd4; st.u64 [%rd5], %rd1; ld.u64 %rd6, [%rd5]; "
            "st.u32 [%rd6], %r1;") == "any");
}

TEST_CASE("what a called function stores is not known, unless it stores nothing") {
  const std::string g = ".func g(.param .u64 x) { .reg .u64 %rd1; ld.param.u64 %rd1, [x]; ret; }\n";
  CHECK(stores_through("{ .param .u64 x; st.param.u64 [x], %rd1; call g, (x); }", g) == "any");
  const std::string print = ".extern .func (.param .b32 r) vprintf(.param .b64 t, .param .b64 v);\n";
  CHECK(stores_through(
            "{ .param .b64 t; .param .b64 v; .param .b32 r; st.param.b64 [t], %rd1; st.param.b64 [v], "
            "0; call (r), vprintf, (t, v); } st.global.u32 [%rd2], 1;",
            print) == "b");
}

TEST_CASE("a launch changes the arrays that it stores to, and no others, until it does so all the same") {
  const Program p = ptx::parse(
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry f(.param .u64 in, .param .u64 out) {\n.reg .u64 %rd<3>; .reg .u32 %r<2>;\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
      "ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd2], %r1;\nret;\n}\n");
  Memory memory;
  const u64 in = memory.allocate(256), out = memory.allocate(256);
  const u64 params[] = {in, out};
  KernelInfo kernel;
  kernel.params = {{0, 8}, {8, 8}};
  kernel.param_bytes = sizeof params;
  LaunchInfo launch;
  launch.program = &p;
  launch.kernel = &kernel;
  launch.params = reinterpret_cast<const u8*>(params);

  const auto touches = [](const WrittenMemory& written, u64 first, u64 step, Mask mask, u32 row) {
    u64 address[kWarpSize];
    for (u32 lane = 0; lane < kWarpSize; ++lane) address[lane] = first + lane * step;
    Access a;
    a.mask = mask;
    a.bytes = 4;
    a.address = address;
    a.row = row;
    return written.is_touched_by(a);
  };
  WrittenMemory written(launch, memory);
  CHECK(touches(written, out, 4, kAllLanes, kWarpSize));
  CHECK(touches(written, out + 252, 0, 1, 0));
  CHECK(touches(written, in + 4, out - in, 3, 0));
  CHECK_FALSE(touches(written, in, 4, kAllLanes, kWarpSize));
  CHECK_FALSE(touches(written, in, 4, 0x10, 0));
  CHECK_FALSE(touches(written, out + 256, 4, 1, 0));
  CHECK(touches(WrittenMemory(), in, 4, kAllLanes, kWarpSize));

  Access stray;
  stray.mask = 1;
  stray.bytes = 4;
  stray.address = &in;
  written.add(stray, memory);
  CHECK(touches(written, in, 4, kAllLanes, kWarpSize));
  CHECK(touches(written, out, 4, kAllLanes, kWarpSize));

  const u64 backwards[] = {in, out - 4};  // it counts from 1
  launch.params = reinterpret_cast<const u8*>(backwards);
  CHECK(touches(WrittenMemory(launch, memory), out, 4, kAllLanes, kWarpSize));
}
// SPDX-License-Identifier: MIT
