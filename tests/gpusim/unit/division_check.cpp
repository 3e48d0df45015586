// The check of divisions by zero: kernels of a few instructions, and events made by hand.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "checking/checks.h"
#include "execution/events.h"
#include "faulty_gpu.h"

using namespace gpusim;

namespace {

// What the check finds in a kernel of one warp: "division 2: …", with the line.
std::vector<std::string> found(const std::string& body, const std::string& declarations = "") {
  FaultyGpu checked;
  REQUIRE(checked.gpu.checks.enable("division"));
  CHECK(checked.run({body + "\nret;", declarations}) == "");
  std::vector<std::string> all;
  for (const Finding& f : checked.gpu.findings.all()) {
    CHECK(f.severity == Severity::error);
    all.push_back(f.check + " " + std::to_string(f.place.line) + ": " + f.message);
  }
  return all;
}
void check_one(const std::vector<std::string>& all, const std::string& beginning) {
  REQUIRE(all.size() == 1);
  CHECK(all[0].substr(0, beginning.size()) == beginning);
}

// A kernel that divides, at pc 0, and at pc 1 of the next line.
struct DividingKernel {
  Program program;
  KernelInfo info;
  LaunchInfo launch;
  Findings findings;

  explicit DividingKernel(Op op, Type type) {
    program.files = {"/src/kernels.cuh"};
    program.functions.emplace_back();
    for (u32 line : {10u, 11u}) {
      program.code.emplace_back();
      program.code.back().op = op;
      program.code.back().shape = Shape::binary;
      program.code.back().type = type;
      program.lines.push_back({0, 5, line});
    }
    program.functions[0].end = 2;
    launch.program = &program;
    launch.kernel = &info;
    launch.grid = {3, 1, 1};
    launch.block = {64, 1, 1};
    launch.warps_per_block = 2;
  }
  Division division(u32 pc, Mask lanes, u64 block, u32 warp, u64 dividend) const {
    Division d;
    static_cast<Issue&>(d) = {pc, lanes, block, warp};
    d.instruction = &program.code[pc];
    d.dividend = dividend;
    return d;
  }
};

}  // namespace

TEST_CASE("a division or remainder of integers by zero is found in every width") {
  struct Width {
    std::string type, move, registers, dividend;
  };
  const Width widths[] = {{"u16", "mov.b16", "%h", "65531"},
                          {"s16", "mov.b16", "%h", "-5"},
                          {"u32", "mov.b32", "%r", "4294967291"},
                          {"s32", "mov.b32", "%r", "-5"},
                          {"u64", "mov.b64", "%rd", "18446744073709551611"},
                          {"s64", "mov.b64", "%rd", "-5"}};
  for (const Width& w : widths)
    for (const std::string op : {"div", "rem"})
      for (const std::string guard : {"", "@%p1 "}) {  // with a guard it is no part of a straight run
        const auto body = [&](const std::string& divisor) {
          const std::string r = w.registers;
          return "setp.eq.u32 %p1, 0, 0; " + w.move + " " + r + "1, " + w.dividend + "; " + w.move + " " + r +
                 "2, " + divisor + ";\n" + guard + op + "." + w.type + " " + r + "3, " + r + "1, " + r + "2;";
        };
        CAPTURE(body("0"));
        check_one(found(body("0")), "division 2: block 0, thread 0 (warp 0, lane 0) computes " + w.dividend +
                                        (op == "div" ? " / 0: " : " % 0: ") + "the divisor is 0, ");
        CHECK(found(body("1")).empty());
      }
}

TEST_CASE("a divisor is zero only if all of its bits are") {
  CHECK(found("mov.b32 %r1, 65536; div.u32 %r2, 7, %r1;").empty());
  CHECK(found("mov.b64 %rd3, 4294967296; div.u64 %rd4, %rd3, %rd3;").empty());
  CHECK(found("mov.b16 %h1, 256; rem.u16 %h2, %h1, %h1;").empty());
  check_one(found("div.s32 %r2, 7, 0;"), "division 1: block 0, thread 0 (warp 0, lane 0) computes 7 / 0: ");
}

TEST_CASE("a division of floats by zero is no mistake") {
  CHECK(found("mov.f32 %f1, 0f00000000; mov.f32 %f2, 0f3F800000; div.rn.f32 %f3, %f2, %f1; "
              "div.approx.f32 %f3, %f2, %f1; mov.b32 %r1, 1; div.u32 %r2, %r1, %r1;")
            .empty());
}

// Lane 5 has the divisor 0, and each lane divides 100 more than its number.
TEST_CASE("only lanes whose guard is true divide") {
  const std::string operands = "sub.u32 %r1, %lane, 5; add.u32 %r2, %lane, 100;\n";
  const std::string by_lane_5 = "division 3: block 0, thread 5 (warp 0, lane 5) computes 105 / 0: ";
  check_one(found(operands + "\ndiv.u32 %r3, %r2, %r1;"), by_lane_5);
  check_one(found(operands + "setp.eq.u32 %p1, %lane, 5;\n@%p1 div.u32 %r3, %r2, %r1;"), by_lane_5);
  CHECK(found(operands + "setp.ne.u32 %p1, %lane, 5;\n@%p1 div.u32 %r3, %r2, %r1;").empty());
  CHECK(found(operands + "setp.eq.u32 %p1, %lane, 5; @%p1 bra END;\ndiv.u32 %r3, %r2, %r1;\nEND:").empty());
}

TEST_CASE("a division in a function that the kernel calls is found") {
  check_one(
      found("{ .param .b32 p; .param .b32 q; mov.b32 %r1, 0; st.param.b32 [p], %r1; call (q), seventh, (p); "
            "ld.param.b32 %r2, [q]; }",
            ".func (.param .b32 q) seventh(.param .b32 p) { .reg .b32 %a, %b; ld.param.b32 %a, [p]; "
            "div.s32 %b, 7, %a; st.param.b32 [q], %b; ret; }\n"),
      "division ");
}

TEST_CASE("divisions by zero at one place are one finding with a count, of the thread that came first") {
  DividingKernel k(Op::rem, Type::s32);
  const std::unique_ptr<Observer> check = make_division_check(Memory(), k.findings);
  check->launch_begin(k.launch);
  check->divides_by_zero(k.division(0, 0x30, 2, 1, u64(-7)));
  check->divides_by_zero(k.division(0, 0x1, 1, 0, 9));
  check->divides_by_zero(k.division(1, 0x8, 0, 0, 4));
  check->launch_end(k.launch, true);
  REQUIRE(k.findings.all().size() == 2);
  const Finding& first = k.findings.all()[0];
  CHECK(first.count == 2);
  CHECK(first.place.line == 10);
  CHECK(
      first.message ==
      "block 2, thread 36 (warp 1, lane 4) computes -7 % 0: the divisor is 0, so the result is undefined, and a GPU "
      "reports no error: divide only where the divisor is not 0");
  CHECK(k.findings.all()[1].count == 1);
  CHECK(k.findings.all()[1].place.line == 11);
}

TEST_CASE("only kernels that divide integers are watched for divisions by zero") {
  const auto is_watched = [](Op op, Type type) {
    DividingKernel k(op, type);
    const std::unique_ptr<Observer> check = make_division_check(Memory(), k.findings);
    check->launch_begin(k.launch);
    const Interests interests = check->interests();
    CHECK(!interests.issues);
    return interests.divisions;
  };
  for (const Op op : {Op::div, Op::rem})
    for (const Type type : {Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64})
      CHECK(is_watched(op, type));
  CHECK(!is_watched(Op::div, Type::f32));
  CHECK(!is_watched(Op::div, Type::f64));
  CHECK(!is_watched(Op::add, Type::s32));
}
// SPDX-License-Identifier: MIT
