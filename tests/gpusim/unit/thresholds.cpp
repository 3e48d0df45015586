// The numbers with which kernels compare sizes and indices: a few instructions each, and what is found in them.
#include "analysis/thresholds.h"

#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "ptx/parser.h"

using namespace gpusim;

namespace {

Program parsed(const std::string& body) {
  Program program = ptx::parse(
      ".version 7.6\n.target sm_80\n.address_size 64\n"
      ".visible .entry test(.param .u64 in, .param .u32 n) {\n"
      ".reg .pred %p<8>; .reg .b32 %r<16>; .reg .b64 %d<8>; .reg .f32 %f<4>; .reg .f64 %e<4>;\n"
      "ld.param.u64 %d0, [in]; ld.param.u32 %r0, [n]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x;\n" +
      body + "\nEND: ret;\n}\n");
  REQUIRE(program.functions[0].problems.empty());
  return program;
}
std::vector<Threshold> all_in(const std::string& body) {
  const Program program = parsed(body);
  return thresholds(program, program.functions[0]);
}
std::size_t branches_in(const std::string& body) {
  const Program program = parsed(body);
  return branches_on_sizes(program, program.functions[0]).size();
}
std::set<u64> numbers_in(const std::string& body) {
  std::set<u64> numbers;
  for (const Threshold& t : all_in(body))
    if (!t.is_float) numbers.insert(t.number);
  return numbers;
}
using Numbers = std::set<u64>;

}  // namespace

TEST_CASE("a number is found that is compared with a parameter or with the number of a block") {
  CHECK(numbers_in("setp.gt.s32 %p1, %r0, 3000;") == Numbers{3000});
  CHECK(numbers_in("setp.lt.u32 %p1, %r1, 5000;") == Numbers{5000});
  CHECK(numbers_in("min.s32 %r3, %r0, 1024;") == Numbers{1024});
  CHECK(numbers_in("max.s32 %r3, %r0, -1024;") == Numbers{1024});
  CHECK(numbers_in("set.gt.u32.s32 %r3, %r0, 77;") == Numbers{77});
}

TEST_CASE("a number is not found that is compared with what the block and the launch have no part in") {
  CHECK(numbers_in("setp.gt.u32 %p1, %r2, 31;").empty());
  CHECK(numbers_in("add.s32 %r3, %r2, 256; setp.lt.s32 %p1, %r3, 768;").empty());
  CHECK(numbers_in("ld.global.u32 %r3, [%d0]; setp.eq.u32 %p1, %r3, 4711;").empty());
}

TEST_CASE("a number is also given as what the compared one was computed from has it") {
  CHECK(numbers_in("sub.s32 %r3, %r0, 1000; setp.lt.u32 %p1, %r3, 50;") == Numbers{50, 1050});
  CHECK(numbers_in("shr.u32 %r3, %r0, 4; setp.ne.s32 %p1, %r3, 100;") == Numbers{100, 1600});
  CHECK(numbers_in("and.b32 %r3, %r0, 4096; setp.eq.s32 %p1, %r3, 0;") == Numbers{0, 4096});
  CHECK(numbers_in("mad.lo.s32 %r3, %r1, 256, %r2; setp.gt.s32 %p1, %r3, 51200;") == Numbers{200, 51200});
  CHECK(numbers_in("div.s32 %r3, %r0, 3; setp.gt.s32 %p1, %r3, 100;") == Numbers{100, 300});
  CHECK(numbers_in("cvt.u64.u32 %d1, %r0; setp.gt.u64 %p1, %d1, 99;") == Numbers{99});
}

TEST_CASE("a loop's counter is an index where a parameter ends the loop") {
  const std::string loop =
      "mov.u32 %r3, 0;\nL: setp.gt.s32 %p1, %r3, 3000; add.s32 %r3, %r3, 32; setp.lt.s32 %p2, %r3, ";
  CHECK(numbers_in(loop + "%r0; @%p2 bra L;").contains(3000));
  CHECK_FALSE(numbers_in(loop + "640; @%p2 bra L;").contains(3000));
}

TEST_CASE("floats are found whatever they are compared with, but for 0") {
  const auto values = all_in(
      "ld.global.f32 %f1, [%d0]; setp.gt.f32 %p1, %f1, 0f447A0000; setp.lt.f32 %p2, %f1, 0f00000000;"
      "cvt.f64.f32 %e1, %f1; setp.gt.f64 %p3, %e1, 0d4059000000000000;");
  REQUIRE(values.size() == 2);
  CHECK((values[0].is_float && values[0].value == 1000));
  CHECK((values[1].is_float && values[1].value == 100));
}

TEST_CASE("a branch on a size is found, also where the number is computed or loaded") {
  CHECK(branches_in("setp.gt.s32 %p1, %r0, 3000; @%p1 bra END;") == 1);
  CHECK(branches_in("mul.lo.s32 %r3, %r1, 3; setp.gt.s32 %p1, %r0, %r3; @!%p1 bra END;") == 1);
  CHECK(branches_in("ld.global.u32 %r3, [%d0]; setp.gt.u32 %p1, %r0, %r3; @%p1 bra END;") == 1);
  CHECK(branches_in(
            "setp.gt.u32 %p1, %r2, 3; setp.gt.s32 %p2, %r0, 3; and.pred %p3, %p1, %p2; @%p3 bra END;") == 1);
}

TEST_CASE("a branch is not found that asks for threads, data or the place of an array") {
  CHECK(branches_in("setp.gt.u32 %p1, %r2, 3; @%p1 bra END;") == 0);
  CHECK(branches_in("ld.global.u32 %r3, [%d0]; setp.gt.u32 %p1, %r3, 7; @%p1 bra END;") == 0);
  CHECK(branches_in("and.b64 %d1, %d0, 15; setp.eq.s64 %p1, %d1, 0; @%p1 bra END;") == 0);
  CHECK(branches_in("setp.gt.s32 %p1, %r0, 3000; bra END;") == 0);
}

TEST_CASE("a branch is not found by which the compiler divides with fewer bits") {
  const std::string tail = " setp.eq.s64 %p1, %d2, 0; @%p1 bra END;";
  CHECK(branches_in("cvt.s64.s32 %d1, %r0; and.b64 %d2, %d1, -4294967296;" + tail) == 0);
  CHECK(branches_in("cvt.s64.s32 %d1, %r0; and.b64 %d2, %d1, 255;" + tail) == 1);
}
// SPDX-License-Identifier: MIT
