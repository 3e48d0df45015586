// What a launch could save: for each cost a kernel that has it, and the same kernel without it.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "gpu.h"
#include "timing/machine.h"

using namespace gpusim;
using namespace gpusim::timing;

namespace {

constexpr u32 kThreads = 256;

// The report of a launch with a prediction for an H200. `body` finds its thread's number in %r4, the one within the block in
// %r3, and two arrays of 128 bytes a thread, from %rd1 and %rd2 on.
Report report_of(const std::string& body, u32 blocks, u32 threads = kThreads, u32 shared_bytes = 0) {
  const std::string ptx =
      ".version 7.8\n.target sm_80\n.address_size 64\n.extern .shared .align 16 .b8 tile[];\n"
      ".visible .entry k(.param .u64 from, .param .u64 to) {\n"
      ".local .align 4 .b8 own[64];\n"
      ".reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>; .reg .f64 %fd<40>; .reg .pred %p<9>;\n"
      "ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n"
      "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
      "mad.lo.s32 %r4, %r1, %r2, %r3;\n" +
      body + "\nret;\n}\n";
  Gpu gpu;
  std::string error;
  const Module* module = gpu.load(ptx, &error);
  REQUIRE_MESSAGE(module, error);
  gpu.reports.keep(true);
  const std::optional<Machine> machine = Machine::find("h200", &error);
  REQUIRE_MESSAGE(machine, error);
  gpu.reports.predict_for(*machine);
  const u64 bytes = u64(blocks) * threads * 128;
  const u64 arrays[] = {gpu.device.memory.allocate(bytes), gpu.device.memory.allocate(bytes)};
  const auto fault = gpu.device.launch(*module, *module->kernel("k"), {{blocks}, {threads}, shared_bytes},
                                       reinterpret_cast<const u8*>(arrays));
  REQUIRE_MESSAGE(!fault, (fault ? fault->message : ""));
  return gpu.reports.all().back();
}

// Of the launch's time, the part that is saved without a cost whose words begin so.
double part_saved(const Report& report, const std::string& cost) {
  for (const Saving& saving : report.prediction.savings)
    if (saving.cost.starts_with(cost)) return saving.nanoseconds / report.prediction.nanoseconds;
  return 0;
}

std::string largest(const Report& report) {
  return report.prediction.savings.empty() ? "" : report.prediction.savings.front().cost;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

// Copies a float (or four) of each thread; those of neighbouring lanes lie `step` bytes apart.
std::string copy(int step, bool is_wide) {
  const std::string vector = is_wide ? ".v4.f32 {%f1, %f2, %f3, %f4}" : ".f32 %f1";
  const std::string load =
      is_wide ? "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd4];" : "ld.global.f32 %f1, [%rd4];";
  const std::string store =
      is_wide ? "st.global.v4.f32 [%rd5], {%f1, %f2, %f3, %f4};" : "st.global.f32 [%rd5], %f1;";
  return "mul.wide.u32 %rd3, %r4, " + std::to_string(step) +
         "; add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n" + load + "\n" + store;
}

// Loads and stores shared memory `times` times, at words that lie `step` apart.
std::string pass_through_shared(int step, int times) {
  return "mov.u32 %r5, tile; mul.lo.u32 %r6, %r3, " + std::to_string(4 * step) +
         "; and.b32 %r6, %r6, 8191; add.u32 %r5, %r5, %r6; mov.f32 %f1, 0f00000000;\n" +
         repeated("st.shared.f32 [%r5], %f1; ld.shared.f32 %f1, [%r5];\n", times);
}

}  // namespace

TEST_CASE("lanes that access far places could save what uncoalesced access costs") {
  const Report far = report_of(copy(128, false), 4096), near = report_of(copy(4, false), 4096);
  CHECK(largest(far) == "uncoalesced access to global memory");
  CHECK(part_saved(near, "uncoalesced") == 0);
  // The model says of the mended kernel what the diagnosis said of the slow one.
  const double predicted = far.prediction.nanoseconds * (1 - part_saved(far, "uncoalesced"));
  CHECK(predicted == doctest::Approx(near.prediction.nanoseconds).epsilon(0.25));
}

TEST_CASE("a copy of 16 bytes a lane is at the limit") {
  const Report report = report_of(copy(16, true), 32768, 512);
  CHECK(largest(report) == "");
  CHECK(report.prediction.is_at_limit);
  CHECK(to_text(report).find("could be saved    nothing: this is the limit\n") != std::string::npos);
  CHECK(to_json(report).find("\"savings\":[],\"is_at_limit\":true") != std::string::npos);
}

TEST_CASE("lanes that meet on banks could save what conflicts cost") {
  const Report conflicts = report_of(pass_through_shared(32, 64), 1024, kThreads, 8192);
  const Report none = report_of(pass_through_shared(1, 64), 1024, kThreads, 8192);
  CHECK(largest(conflicts) == "bank conflicts");
  CHECK(part_saved(none, "bank conflicts") == 0);
  const double predicted = conflicts.prediction.nanoseconds * (1 - part_saved(conflicts, "bank conflicts"));
  CHECK(predicted == doctest::Approx(none.prediction.nanoseconds).epsilon(0.25));
}

TEST_CASE("lanes that do nothing, barriers, doubles and atomics are costs of their own") {
  const std::string sums = repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 400);
  const Report idle = report_of(
      "mov.f32 %f1, 0f3F800000; and.b32 %r5, %r3, 31; setp.gt.u32 %p1, %r5, 3;\n"
      "@%p1 bra done;\n" +
          sums + "done:",
      2048);
  CHECK(largest(idle).starts_with("idle lanes: "));
  CHECK(part_saved(idle, "idle lanes") > 0.5);

  const Report barriers = report_of(repeated("bar.sync 0;\n", 200), 1024, 512);
  CHECK(largest(barriers) == "barriers");

  const std::string of_doubles = repeated("fma.rn.f64 %fd1, %fd1, %fd1, %fd1;\n", 400);
  const Report doubles = report_of("mov.f64 %fd1, 0d3FF0000000000000;\n" + of_doubles, 2048, 1024);
  CHECK(largest(doubles) == "arithmetic on doubles");
  CHECK(part_saved(doubles, "arithmetic on doubles") == doctest::Approx(0.5).epsilon(0.2));

  const std::string of_divisions =
      "add.s32 %r5, %r3, 1000000000;\n" + repeated("rem.s32 %r5, %r5, %r2; add.s32 %r5, %r5, %r4;\n", 40);
  const Report divisions = report_of(of_divisions, 2048, 1024);
  CHECK(largest(divisions) == "integer division and remainders");

  const Report atomics = report_of("mov.f32 %f1, 0f3F800000; red.global.add.f32 [%rd2], %f1;", 4096);
  CHECK(largest(atomics) == "atomics");
}

TEST_CASE("a grid that does not fill the GPU could save by filling it") {
  const std::string sums = "mov.f32 %f1, 0f3F800000;\n" + repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 4000);
  const Report few = report_of(sums, 33, 1024);
  CHECK(part_saved(few, "idle multiprocessors: 33 of 132 have a block") > 0.5);
  CHECK(part_saved(report_of(sums, 132, 1024), "idle multiprocessors") == 0);

  const Report lonely = report_of(sums, 132, 32);
  CHECK(part_saved(lonely, "too few warps: 1 on a multiprocessor, the grid has no more") > 0.5);
  const Report crowded = report_of(sums, 64 * 132, 32, 100 * 1024);
  CHECK(part_saved(crowded, "too few warps: 2 on a multiprocessor, limited by shared memory") > 0.5);

  const Report empty = report_of("", 132 * 500, 32);
  CHECK(largest(empty) == "starting blocks: many that do little");

  const Report tail = report_of(sums, 132 * 2 + 1, 1024);
  CHECK(part_saved(tail, "the tail") > 0.2);
  CHECK(part_saved(report_of(sums, 132 * 4, 1024), "the tail") == 0);
}

TEST_CASE("what a launch saves without the launch is what an empty kernel takes") {
  const Report report = report_of("", 1);
  REQUIRE(largest(report) == "the launch itself");
  CHECK(report.prediction.savings.front().nanoseconds ==
        doctest::Approx(report.prediction.launch_nanoseconds));
  CHECK(to_text(report).find("the launch itself\n") != std::string::npos);
}

TEST_CASE("a launch takes as long as its longest block, though others have little to do") {
  const std::string sums = "mov.f32 %f1, 0f3F800000;\n" + repeated("fma.rn.f32 %f1, %f1, %f1, %f1;\n", 4000);
  // Blocks whose number, without some of its bits, is 0 do the sums, the others return at once.
  const auto only = [&](u32 bits) {
    return "and.b32 %r5, %r1, " + std::to_string(bits) + "; setp.ne.u32 %p1, %r5, 0;\n@%p1 ret;\n" + sums;
  };
  const double all = report_of(sums, 132).prediction.nanoseconds;
  // One wave: block 0 alone does them, and it is not one of those that were recorded first.
  const Report one = report_of(only(1023), 132);
  CHECK(one.prediction.nanoseconds == doctest::Approx(all).epsilon(0.1));
  CHECK(part_saved(one, "uneven blocks: one executes") > 0.5);
  // Of 64 waves one block in 1024: then there are eight such blocks, which run beside each other.
  CHECK(report_of(only(1023), 8 * 1024).prediction.nanoseconds > 0.8 * all);
  // Even blocks have nothing to gain.
  CHECK(part_saved(report_of(sums, 132), "uneven blocks") == 0);
}
// SPDX-License-Identifier: MIT
