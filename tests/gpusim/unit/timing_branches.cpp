// The time model where code branches, and what follows from it: bodies that ptxas predicates, sequences that a warp cannot leave, words
// that many warps store to, and tables that the L1 cache does not have yet.
#include <doctest/doctest.h>

#include <string>

#include "gpu.h"
#include "ptx/parser.h"
#include "timing/issue_costs.h"
#include "timing/launch_record.h"
#include "timing/machine.h"

using namespace gpusim;
using namespace gpusim::timing;

namespace {

Machine h200() {
  std::string error;
  std::optional<Machine> found = Machine::find("h200", &error);
  REQUIRE_MESSAGE(found, error);
  return *found;
}

std::string kernel_of(const std::string& body) {
  return ".version 7.8\n.target sm_80\n.address_size 64\n.shared .align 16 .b8 tile[4096];\n"
         ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;\n" +
         body + "\n}\n";
}

ProgramCosts costs_in(const std::string& body) { return costs_of(ptx::parse(kernel_of(body)), h200()); }

// Of a launch of 132 blocks of 64 threads, without the launch itself.
double nanoseconds_of(const std::string& body) {
  Gpu gpu;
  std::string error;
  const Module* module = gpu.load(kernel_of(body), &error);
  REQUIRE_MESSAGE(module, error);
  gpu.reports.keep(true);
  gpu.reports.predict_for(h200());
  const u64 words = gpu.device.memory.allocate(u64(1) << 20);
  const auto fault =
      gpu.device.launch(*module, *module->kernel("k"), {{132}, {64}, 0}, reinterpret_cast<const u8*>(&words));
  REQUIRE_MESSAGE(!fault, (fault ? fault->message : ""));
  const Prediction& prediction = gpu.reports.all().back().prediction;
  return prediction.nanoseconds - prediction.launch_nanoseconds;
}

}  // namespace

TEST_CASE("a jump to the instruction behind it is no instruction and ends no block") {
  const ProgramCosts costs =
      costs_in("@!%p1 bra next;\nbra.uni body;\nbody: add.u32 %r1, %r2, %r3;\nnext: ret;");
  CHECK(costs.cost[1].slots == 0);
  CHECK(costs.predicated[0] > 0);
  CHECK(costs.block[0] == costs.block[3]);
  CHECK(costs_in("@!%p1 bra next;\nbra.uni next;\nadd.u32 %r1, %r2, %r3;\nnext: ret;").cost[1].slots > 0);
}

TEST_CASE("of two conditions one behind the other both are predicates") {
  const std::string inner = "setp.lt.u32 %p2, %r1, %r2;\n@%p2 bra next;\nadd.u32 %r1, %r2, %r3;\n";
  const ProgramCosts costs = costs_in("@%p1 bra next;\n" + inner + "next: ret;");
  CHECK(costs.predicated[0] > costs.predicated[2]);
  CHECK(costs.predicated[2] > 0);
  // The inner one leads farther than the outer one.
  CHECK(costs_in("@%p1 bra near;\n" + inner + "near: add.u32 %r4, %r4, 1;\nnext: ret;").predicated[0] == 0);
}

TEST_CASE("a longer body is predicated if it loads and a load or a barrier follows") {
  std::string sums;
  for (int k = 0; k < 10; ++k) sums += "add.u32 %r1, %r1, %r2;\n";
  const auto is_predicated = [&](const std::string& access, const std::string& behind) {
    return costs_in("@%p1 bra next;\n" + sums + access + "\nnext: " + behind + " ret;").predicated[0] > 0;
  };
  const std::string load = "ld.global.u32 %r3, [%rd1];", store = "st.shared.u32 [tile], %r1;";
  CHECK(is_predicated(load, "bar.sync 0;"));
  CHECK(is_predicated(load + store, "ld.global.u32 %r4, [%rd1+4];"));
  CHECK_FALSE(is_predicated(load, ""));
  CHECK_FALSE(is_predicated(load + "st.global.u32 [%rd1], %r3;", "bar.sync 0;"));
  CHECK_FALSE(is_predicated(store, "bar.sync 0;"));
  sums += sums;
  CHECK_FALSE(is_predicated(load, "bar.sync 0;"));
}

TEST_CASE("a warp does not leave a sequence that has a branch in it") {
  const auto held = [](const std::string& instruction) {
    return costs_in(instruction + " ret;").cost[0].held;
  };
  CHECK(held("rem.u64 %rd1, %rd2, %rd3;") > 100);
  CHECK(held("div.rn.f32 %f1, %f2, %f3;") > 10);
  CHECK(held("div.u32 %r1, %r2, %r3;") == 0);
  CHECK(held("sqrt.approx.f32 %f1, %f2;") == 0);
  // Two that do not need each other take twice the time of one.
  std::string one = "mov.u64 %rd1, 1000000007;\nmov.u64 %rd2, 7777777777777;\nmov.u64 %rd3, 99999999999;\n",
              two = one;
  for (int k = 0; k < 64; ++k) {
    one += "rem.u64 %rd2, %rd2, %rd1;\n";
    two += "rem.u64 %rd2, %rd2, %rd1;\nrem.u64 %rd3, %rd3, %rd1;\n";
  }
  CHECK(nanoseconds_of(two + "ret;") > 1.8 * nanoseconds_of(one + "ret;"));
}

TEST_CASE("a power of two takes four instructions, unless it takes small numbers for 0") {
  CHECK(costs_in("ex2.approx.f32 %f1, %f2; ret;").cost[0].slots == 4);
  CHECK(costs_in("ex2.approx.ftz.f32 %f1, %f2; ret;").cost[0].slots == 1);
}

TEST_CASE("warps that store to one word wait for each other") {
  const std::string begin =
      "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %tid.x;\nmov.u32 %r5, 0;\n"
      "mul.wide.u32 %rd2, %r1, 4096;\nadd.s64 %rd3, %rd1, %rd2;\nLOOP: ld.global.u32 %r3, [%rd3];\n";
  const std::string again = " add.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 32;\n@%p1 bra LOOP;\nret;";
  const double to_one = nanoseconds_of(begin + "st.global.u32 [%rd1], %r3;" + again);
  const double to_own = nanoseconds_of(begin + "st.global.u32 [%rd3], %r3;" + again);
  CHECK(to_one - to_own > 0.8 * 132 * 2 * 32);
  // A warp that stores again at once, and nothing else between, has one store to wait for.
  const std::string repeated = "ld.param.u64 %rd1, [p];\nmov.u32 %r5, 0;\nLOOP: st.global.u32 [%rd1], %r5;\n";
  CHECK(nanoseconds_of(repeated + again) < to_own + 132 * 2 * 2);
}

TEST_CASE("what many blocks read is in the L1 cache as soon as another block there has read it") {
  const Program program = ptx::parse(kernel_of("ld.param.u64 %rd1, [p];\nld.global.f32 %f1, [%rd1];\nret;"));
  const auto sectors_asked = [&](u16 blocks) {
    LaunchRecord record;
    record.launch.program = &program;
    record.launch.grid = {1000};
    record.blocks_run = 1000;
    record.multiprocessors = 132;
    record.l1_bytes = record.whole_l1_bytes = 1 << 16;
    BlockRecord block;
    block.index = 5;
    block.warps.resize(1);
    std::vector<Touched> table;
    for (u64 line = 0; line < 200; ++line) {
      Step step;
      step.pc = 1;
      step.lines = 1;
      step.touched = u32(line);
      block.warps[0].steps.push_back(step);
      block.warps[0].touched.push_back({line, 15, 0});
      table.push_back({line, 15, 0});
      record.on_one[line].blocks = {blocks, blocks, blocks, blocks};
    }
    pass_l1(record, block, table);
    u32 sectors = 0;
    for (const Step& each : block.warps[0].steps) sectors += each.sectors;
    return double(sectors) / 800;
  };
  CHECK(sectors_asked(0) == 1);
  CHECK(sectors_asked(1) == doctest::Approx(0.5).epsilon(0.15));
  CHECK(sectors_asked(9) == doctest::Approx(0.1).epsilon(0.3));
  CHECK(sectors_asked(60000) < 0.01);
}
// SPDX-License-Identifier: MIT
