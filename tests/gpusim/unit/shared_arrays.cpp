// Which shared array an access means: what the text tells, and when it tells nothing.
#include "analysis/shared_arrays.h"

#include <doctest/doctest.h>

#include <string>

#include "ptx/parser.h"

using namespace gpusim;

namespace {

// The array that the last load, store or atomic of a kernel means; "none" if that is not known.
std::string meant_by(const std::string& body) {
  const Program p = ptx::parse(
      ".version 7.0\n.target sm_80\n.address_size 64\n.extern .shared .align 8 .b8 rest[];\n"
      ".visible .entry f(.param .u64 a, .param .u32 k) {\n"
      ".reg .u64 %rd<20>; .reg .u32 %r<20>; .reg .pred %p<4>;\n"
      ".shared .align 8 .b8 one[64];\n.shared .align 8 .b8 two[64];\n"
      "ld.param.u64 %rd1, [a];\nld.param.u32 %r1, [k];\nmov.u32 %r2, %tid.x; setp.lt.u32 %p1, %r2, %r1;\n"
      "mov.u32 %r3, one; mov.u32 %r4, two;\n" +
      body + "\nret;\n}\n");
  const Function& f = p.functions.front();
  REQUIRE(f.problems.empty());
  const auto arrays = shared_arrays(p, f);
  for (u32 pc = f.end; pc-- > f.begin;)
    if (is_load_or_store(p.code[pc].shape) || is_atomic(p.code[pc].shape))
      return arrays[pc - f.begin] ? p.variables[*arrays[pc - f.begin]].name : "none";
  return "no access";
}

}  // namespace

TEST_CASE("an address is that of the array to which numbers are added") {
  CHECK(meant_by("st.shared.u32 [one], %r1;") == "one");
  CHECK(meant_by("ld.shared.u32 %r5, [two+60];") == "two");
  CHECK(meant_by("add.s32 %r5, %r3, %r1; st.shared.u32 [%r5], %r1;") == "one");
  CHECK(meant_by("add.s32 %r5, %r1, %r4; ld.shared.u32 %r6, [%r5+-4];") == "two");
  CHECK(meant_by("shl.b32 %r5, %r2, 2; add.s32 %r6, %r3, %r5; atom.shared.add.u32 %r7, [%r6], 1;") == "one");
  CHECK(meant_by("mad.lo.u32 %r5, %r2, 4, %r4; red.shared.add.u32 [%r5], 1;") == "two");
  CHECK(meant_by("sub.s32 %r5, %r3, %r1; st.shared.u32 [%r5], %r1;") == "one");
  CHECK(meant_by("or.b32 %r5, %r3, 4; st.shared.u32 [%r5], %r1;") == "one");
  CHECK(meant_by(
            "mov.u64 %rd2, one; cvta.shared.u64 %rd3, %rd2; add.s64 %rd4, %rd3, %rd1; st.u32 [%rd4], %r1;") ==
        "one");
  // An index that was loaded from one array.
  CHECK(meant_by("ld.shared.u32 %r5, [one]; add.s32 %r6, %r4, %r5; st.shared.u32 [%r6], %r1;") == "two");
  CHECK(meant_by("mov.u32 %r5, %r3; LOOP: st.shared.u32 [%r5], %r1; add.s32 %r5, %r5, 128; @%p1 bra LOOP;") ==
        "one");
}

TEST_CASE("an address that may be of two arrays, or of anything, means none") {
  CHECK(meant_by("selp.b32 %r5, %r3, %r4, %p1; st.shared.u32 [%r5], %r1;") == "none");
  CHECK(meant_by("mov.u32 %r5, %r3; @%p1 mov.u32 %r5, %r4; st.shared.u32 [%r5], %r1;") == "none");
  // Two buffers that change their places at the end of each round.
  CHECK(meant_by("mov.u32 %r5, %r3; mov.u32 %r6, %r4; LOOP: st.shared.u32 [%r5], %r1; mov.u32 %r7, %r5; "
                 "mov.u32 %r5, %r6; mov.u32 %r6, %r7; @%p1 bra LOOP;") == "none");
  CHECK(meant_by("sub.s32 %r5, %r4, %r3; add.s32 %r6, %r3, %r5; st.shared.u32 [%r6], %r1;") == "none");
  CHECK(meant_by("xor.b32 %r5, %r3, %r4; st.shared.u32 [%r5], %r1;") == "none");
  CHECK(meant_by("selp.b32 %r5, %r3, %r1, %p1; st.shared.u32 [%r5], %r1;") == "none");
  CHECK(meant_by("st.shared.u32 [%r1], %r1;") == "none");
  CHECK(meant_by("st.global.u32 [%rd1], %r1;") == "none");
  CHECK(meant_by("st.shared.u32 [rest], %r1;") == "none");  // it is as long as the launch says
}
// SPDX-License-Identifier: MIT
