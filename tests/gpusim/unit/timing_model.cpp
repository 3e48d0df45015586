// The time model: machines as data, occupancy, what ptxas makes of PTX, and what more work costs.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "gpu.h"
#include "ptx/parser.h"
#include "timing/issue_costs.h"
#include "timing/machine.h"
#include "timing/occupancy.h"

using namespace gpusim;
using namespace gpusim::timing;

namespace {

Machine machine(const std::string& name) {
  std::string error;
  std::optional<Machine> found = Machine::find(name, &error);
  REQUIRE_MESSAGE(found, error);
  return *found;
}

constexpr const char* kHead = ".version 7.8\n.target sm_80\n.address_size 64\n";

// Reads an element, meets `barriers` times, writes it.
std::string copy_kernel(int barriers) {
  std::string text = std::string(kHead) +
                     ".visible .entry copy(.param .u64 from, .param .u64 to) {\n"
                     ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;\n"
                     "ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n"
                     "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
                     "mad.lo.s32 %r4, %r1, %r2, %r3; mul.wide.s32 %rd3, %r4, 4;\n"
                     "add.s64 %rd4, %rd1, %rd3; add.s64 %rd5, %rd2, %rd3;\n"
                     "ld.global.f32 %f1, [%rd4];\n";
  for (int k = 0; k < barriers; ++k) text += "bar.sync 0;\n";
  return text + "st.global.f32 [%rd5], %f1;\nret;\n}\n";
}

// The report of a launch of the module's only kernel on two arrays, with a prediction for the machine.
Report report_of(const std::string& ptx, const char* name, const std::string& machine_name, u32 blocks,
                 u32 threads) {
  Gpu gpu;
  std::string error;
  const Module* module = gpu.load(ptx, &error);
  REQUIRE_MESSAGE(module, error);
  gpu.reports.keep(true);
  gpu.reports.predict_for(machine(machine_name));
  const u64 bytes = u64(blocks) * threads * 4;
  const u64 arrays[] = {gpu.device.memory.allocate(bytes), gpu.device.memory.allocate(bytes)};
  const auto fault = gpu.device.launch(*module, *module->kernel(name), {{blocks}, {threads}, 0},
                                       reinterpret_cast<const u8*>(arrays));
  REQUIRE_MESSAGE(!fault, (fault ? fault->message : ""));
  return gpu.reports.all().back();
}

}  // namespace

TEST_CASE("the machines that come along are whole") {
  for (const char* name : {"h100", "h200"}) {
    const Machine m = machine(name);
    CHECK(m.multiprocessors == 132);
    CHECK(m.derived.dram_read > 0);
    CHECK(m.derived.turns >= 1);
    CHECK(m.dram_latency > m.l2_latency);
    CHECK(m.l2_latency > m.l1_latency);
    std::string error;
    const double of_known = Machine::find(name, &error, Machine::Kernels::known)->error(5e5);
    CHECK(of_known > 0.01);
    CHECK(of_known < 0.5);
    // Of kernels that nobody had in mind, more; and of short ones less than of long ones.
    CHECK(m.error(5e3) > of_known);
    CHECK(m.error(5e4) > m.error(5e3));
    CHECK(m.error(5e5) > m.error(5e4));
    CHECK(m.error(5e5) < 1);
  }
}

TEST_CASE("a machine model that is no machine model is refused by what is wrong with it") {
  std::string error;
  CHECK(!Machine::parse("", &error));
  CHECK(error == "is no JSON object");
  CHECK(!Machine::parse("{\"gpu\": \"x\"}", &error));
  CHECK(error.find("lacks '") == 0);
  CHECK(!Machine::parse("{\"a\": 1", &error));
  CHECK(error == "ends before its '}'");
  CHECK(!Machine::parse("{\"a\": true}", &error));
  CHECK(error == "has neither a number nor a text for 'a'");
  CHECK(!Machine::parse("{a: 1}", &error));
  CHECK(error == "has no name in quotes where one is due");
  CHECK(!Machine::parse("{\"a", &error));
  CHECK(error == "has no name in quotes where one is due");
  CHECK(!Machine::parse("{ ", &error));
  CHECK(error == "has no name in quotes where one is due");
  CHECK(!Machine::parse("{\"a\" 1}", &error));
  CHECK(error == "has no value for 'a'");
  CHECK(!Machine::parse("{\"a\": }", &error));
  CHECK(error == "has neither a number nor a text for 'a'");
  CHECK(!Machine::parse("{\"a\": \"b}", &error));
  CHECK(error == "has neither a number nor a text for 'a'");
  CHECK(!Machine::parse("{\"a\": 1 \"b\": 2}", &error));
  CHECK(error == "has no ',' behind 'a'");
  CHECK(!Machine::find("h900", &error));
  CHECK(error.find("is neither " + Machine::known() + " nor a file") == 0);
}

namespace {

// A file of a machine model, whole.
std::string machine_file() {
  std::string text = "{\"gpu\": \"a GPU\"";
  for (const ConstantRow& row : constant_rows()) text += ",\n \"" + std::string(row.name) + "\": 3";
  return text + "\n}";
}
std::string replaced(std::string text, const std::string& old, const std::string& by) {
  REQUIRE(text.find(old) != std::string::npos);
  return text.replace(text.find(old), old.size(), by);
}
std::string why_refused(const std::string& text) {
  std::string error;
  CHECK(!Machine::parse(text, &error));
  return error;
}

}  // namespace

TEST_CASE("a machine model that lacks a constant is refused, whichever it is") {
  std::string error;
  CHECK_MESSAGE(Machine::parse(machine_file(), &error), error);
  for (const ConstantRow& row : constant_rows()) {
    const std::string name = row.name;
    CHECK(why_refused(replaced(machine_file(), ",\n \"" + name + "\": 3", "")) ==
          "lacks '" + name + "' (" + row.text() + ")");
  }
  CHECK(why_refused("{\"gpu\": \"x\"}") == "lacks 'major' (compute capability, before the dot) and " +
                                               std::to_string(constant_rows().size() - 1) +
                                               " other constants");
}

TEST_CASE("a constant that is misspelt is named, and a number of the same kind is not taken for it") {
  const auto without = [](const char* name, const char* there) {
    return why_refused(
        replaced(machine_file(), "\"" + std::string(name) + "\"", "\"" + std::string(there) + "\""));
  };
  const std::string missing = "lacks 'l2_latency' (cycles: a load that the L2 cache answers)";
  for (const char* misspelt : {"l2_latancy", "l2_latnecy", "l2_latency_", "l2latency"})
    CHECK(without("l2_latency", misspelt) ==
          missing + "; it has '" + misspelt + "', which is no constant and may be a misspelling");
  CHECK(without("l2_latency", "l3_latency") == missing);
  CHECK(without("l2_latency", "another_number") == missing);
  CHECK(without("fp32_add_latency", "int_add_interval") ==
        "lacks 'fp32_add_latency' (cycles: addition of floats, until its result can be used)");
}

TEST_CASE("a constant that cannot be is refused") {
  const auto with = [](const char* name, const char* value) {
    const std::string row = "\"" + std::string(name) + "\": ";
    return why_refused(replaced(machine_file(), row + "3", row + value));
  };
  CHECK(with("multiprocessors", "131.5") ==
        "has a number for 'multiprocessors' (multiprocessors of the GPU) that cannot be");
  CHECK(with("multiprocessors", "0") != "");
  CHECK(with("multiprocessors", "-1") != "");
  CHECK(with("clock_megahertz", "0") != "");
  CHECK(with("l2_latency", "inf") != "");
  std::string error;
  CHECK_MESSAGE(Machine::parse(replaced(machine_file(), "\"minor\": 3", "\"minor\": 0"), &error), error);
}

TEST_CASE("occupancy: whatever runs out first") {
  const Machine m = machine("h200");
  CHECK(occupancy_of(m, 256, 0, 32).blocks == 8);
  CHECK(std::string(occupancy_of(m, 256, 0, 32).limit) == "threads");
  CHECK(occupancy_of(m, 32, 0, 16).blocks == 32);
  CHECK(std::string(occupancy_of(m, 32, 0, 16).limit) == "blocks");
  CHECK(occupancy_of(m, 256, 0, 128).blocks == 2);
  CHECK(std::string(occupancy_of(m, 256, 0, 128).limit) == "registers");
  CHECK(occupancy_of(m, 256, 100 << 10, 32).blocks == 2);
  CHECK(std::string(occupancy_of(m, 256, 100 << 10, 32).limit) == "shared memory");
  CHECK(occupancy_of(m, 1024, 0, 255).blocks == 0);
}

TEST_CASE(
    "a copy waits for the memory: twice the elements take twice the time, and the slower memory longer") {
  const auto time = [](const char* name, u32 blocks) {
    const gpusim::Prediction p = report_of(copy_kernel(0), "copy", name, blocks, 1024).prediction;
    return p.nanoseconds - p.launch_nanoseconds;
  };
  const double once = time("h200", 4096), twice = time("h200", 8192), h100 = time("h100", 8192);
  CHECK(twice / once > 1.8);
  CHECK(twice / once < 2.2);
  CHECK(h100 > 1.05 * twice);
  // Bytes read and written by what the memory can do at most.
  const double gigabytes_per_second = 2.0 * 8192 * 1024 * 4 / twice;
  CHECK(gigabytes_per_second < 4500);
  CHECK(gigabytes_per_second > 2500);
}

// ns of a multiprocessor from one barrier to the next, of so many blocks of `warps` on each of 132.
double barrier_nanoseconds(u32 blocks, u32 warps) {
  const auto time = [&](int barriers) {
    return report_of(copy_kernel(barriers), "copy", "h200", 132 * blocks, 32 * warps).prediction.nanoseconds;
  };
  return (time(400) - time(100)) / 300;
}

TEST_CASE("a barrier takes what calibrate has measured, alone and where other blocks meet too") {
  const Machine m = machine("h200");
  for (const u32 warps : {2u, 8u, 16u, 32u}) {
    CAPTURE(warps);
    const OperationTime& time = warps == 2    ? m.barrier_2_warps
                                : warps == 8  ? m.barrier_8_warps
                                : warps == 16 ? m.barrier_16_warps
                                              : m.barrier_32_warps;
    const u32 blocks = std::min(32u, 64 / warps);
    CHECK(barrier_nanoseconds(1, warps) / m.derived.nanoseconds ==
          doctest::Approx(time.latency).epsilon(0.1));
    CHECK(barrier_nanoseconds(blocks, warps) / m.derived.nanoseconds ==
          doctest::Approx(time.interval * blocks).epsilon(0.3));
  }
}

TEST_CASE("barriers cost time, and the report says so") {
  const Report none = report_of(copy_kernel(0), "copy", "h200", 4096, 256);
  const Report many = report_of(copy_kernel(64), "copy", "h200", 4096, 256);
  const double launch = none.prediction.launch_nanoseconds;
  CHECK(many.prediction.nanoseconds - launch > 1.5 * (none.prediction.nanoseconds - launch));
  CHECK(many.prediction.bottleneck.find("waiting at barriers") != std::string::npos);
  CHECK(many.prediction.machine == machine("h200").name());
  double shares = 0;
  for (const LineReport& line : many.lines) shares += line.time_share;
  CHECK(shares == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("a predicted time says by how much it may be off and what the memory moves") {
  const Report report = report_of(copy_kernel(0), "copy", "h200", 4096, 256);
  CHECK(report.prediction.error == machine("h200").error(report.prediction.nanoseconds));
  CHECK(report.prediction.memory_bytes == doctest::Approx(2.0 * 4096 * 256 * 4).epsilon(0.01));
  CHECK(to_text(report).find(" ms ± ") != std::string::npos);
  CHECK(to_text(report).find(" GB/s") != std::string::npos);
  CHECK(to_json(report).find("\"error\":0.") != std::string::npos);
}

TEST_CASE("of a GPU that nothing was measured on the error is not known") {
  Report report;
  report.prediction.machine = "Some GPU";
  report.prediction.nanoseconds = 1000;
  CHECK(to_text(report).find("by how much it is off is not known") != std::string::npos);
  CHECK(to_json(report).find("\"error\":null") != std::string::npos);
}

TEST_CASE("what is not asked for is not predicted") {
  Gpu gpu;
  std::string error;
  const Module* module = gpu.load(copy_kernel(0), &error);
  REQUIRE(module);
  gpu.reports.keep(true);
  const u64 arrays[] = {gpu.device.memory.allocate(1024), gpu.device.memory.allocate(1024)};
  REQUIRE(!gpu.device.launch(*module, *module->kernel("copy"), {{1}, {256}, 0},
                             reinterpret_cast<const u8*>(arrays)));
  CHECK(gpu.reports.all().back().prediction.machine.empty());
  CHECK(to_json(gpu.reports.all().back()).find("predicted") == std::string::npos);
}

TEST_CASE(
    "one of many blocks that do the same is as long as each, and an empty grid of one block is the launch") {
  const gpusim::Prediction one = report_of(copy_kernel(0), "copy", "h200", 1, 32).prediction;
  CHECK(one.nanoseconds > one.launch_nanoseconds);
  CHECK(one.nanoseconds < 1.5 * one.launch_nanoseconds);
  CHECK(one.bottleneck.find("the launch itself") != std::string::npos);
}

// Loads eight times 16 bytes, then adds them up. `bounds`: the kernel's directives.
std::string batch_kernel(const std::string& bounds) {
  std::string text = std::string(kHead) + ".visible .entry batch(.param .u64 from, .param .u64 to)\n" +
                     bounds +
                     "{\n.reg .b32 %r<2>; .reg .b64 %rd<20>; .reg .f32 %f<80>;\n"
                     "ld.param.u64 %rd1, [from]; mov.u32 %r1, %tid.x; mov.f32 %f0, 0f00000000;\n";
  const auto numbered = [](const char* name, int number) { return name + std::to_string(number); };
  for (int k = 0; k < 8; ++k) {
    const std::string address = numbered("%rd", 10 + k);
    text +=
        "mad.wide.u32 " + address + ", %r1, " + std::to_string(16 * (k + 1)) + ", %rd1;\nld.global.v4.f32 {";
    for (int i = 1; i <= 4; ++i)
      text += numbered("%f", 4 * k + i) + (i < 4 ? ", " : "}, [" + address + "];\n");
  }
  for (int k = 1; k <= 32; ++k) text += "add.f32 %f0, %f0, " + numbered("%f", k) + ";\n";
  return text + "ld.param.u64 %rd2, [to]; st.global.f32 [%rd2], %f0;\nret;\n}\n";
}

TEST_CASE("as many loads are made at once as registers hold that cost no block its place") {
  const Machine m = machine("h200");
  const auto before_the_first_sum = [&](const std::string& bounds) {
    const Program program = ptx::parse(batch_kernel(bounds));
    const ProgramCosts costs = costs_of(program, m);
    u32 first = ~0u, loads = 0;
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      if (program.code[pc].op == Op::add) first = std::min(first, costs.position[pc]);
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      loads += program.code[pc].shape == Shape::load && program.code[pc].space == Space::global &&
               costs.position[pc] < first;
    return loads;
  };
  // ptxas of CUDA 13.0 makes 5 or 6 of so many with 32 registers, and all with 56, in kernels like these.
  CHECK(before_the_first_sum("") >= 4);
  CHECK(before_the_first_sum("") <= 6);
  CHECK(before_the_first_sum(".maxntid 128, 1, 1\n") == before_the_first_sum(""));
  CHECK(before_the_first_sum(".maxntid 32, 1, 1\n") == 8);  // 32 blocks at most: 64 registers
  CHECK(before_the_first_sum(".maxntid 256, 1, 1\n.minnctapersm 1\n") == 8);
  CHECK(before_the_first_sum(".maxntid 256, 1, 1\n.minnctapersm 1\n.maxnreg 32\n") < 8);
}

TEST_CASE("registers have their numbers wherever a function's code is") {
  // A function that is declared before the kernel comes first in the list, and behind it in the code.
  const std::string declared = ".func (.param .b32 y) twice(.param .b32 x);\n";
  const std::string defined =
      ".func (.param .b32 y) twice(.param .b32 x) {\n.reg .f32 %f<3>;\nld.param.f32 %f1, [x];\n"
      "add.f32 %f2, %f1, %f1;\nst.param.f32 [y], %f2;\nret;\n}\n";
  const std::string kernel =
      ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<3>; .reg .f32 %f<4>;\n"
      "ld.param.u64 %rd1, [p];\nld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f1;\nmul.f32 %f3, %f2, %f2;\n"
      "st.global.f32 [%rd1], %f3;\nret;\n}\n";
  const Program program = ptx::parse(kHead + declared + kernel + defined);
  REQUIRE(program.functions.front().begin > program.functions.back().begin);
  const ProgramCosts costs = costs_of(program, machine("h200"));
  for (const Function& f : program.functions)
    for (u32 pc = f.begin; pc < f.end; ++pc) {
      const Op op = program.code[pc].op;
      if (op != Op::add && op != Op::mul) continue;
      CHECK(costs.reads.of(pc).size() == 2);
      REQUIRE(costs.writes.of(pc).size() == 1);
    }
  const auto position = [&](Op op) {
    const Function& k = program.functions.back();
    for (u32 pc = k.begin; pc < k.end; ++pc)
      if (program.code[pc].op == op) return costs.position[pc];
    return ~0u;
  };
  CHECK(position(Op::add) < position(Op::mul));
}

TEST_CASE("a kernel's parameters need no registers; a function's do, and what a call returns") {
  const auto registers_loaded = [](const std::string& text) {  // by each load of a program of one function
    const Program program = ptx::parse(kHead + text);
    const ProgramCosts costs = costs_of(program, machine("h200"));
    const std::vector<u8> width = liveness(program, basic_blocks(program, costs.predicated), costs).width;
    std::vector<int> result;
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      if (program.code[pc].shape == Shape::load) result.push_back(width[costs.writes.of(pc)[0]]);
    return result;
  };
  CHECK(registers_loaded(
            ".func (.param .b32 y) twice(.param .b32 x) {\n.reg .f32 %f<3>;\nld.param.f32 %f1, [x];\n"
            "add.f32 %f2, %f1, %f1;\nst.param.f32 [y], %f2;\nret;\n}\n") == std::vector<int>{1});
  CHECK(registers_loaded(
            ".extern .func (.param .b32 y) twice(.param .b32 x);\n"
            ".visible .entry k(.param .f32 a, .param .u64 p) {\n.reg .f32 %f<4>; .reg .b64 %rd<2>;\n"
            ".param .b32 given; .param .b32 returned;\nld.param.f32 %f1, [a];\nld.param.u64 %rd1, [p];\n"
            "st.param.f32 [given], %f1;\ncall (returned), twice, (given);\n"
            "ld.param.f32 %f2, [returned];\nadd.f32 %f3, %f1, %f2;\nret;\n}\n") == std::vector<int>{0, 0, 1});
}

TEST_CASE("warps on a multiprocessor are no more than the grid has") {
  const auto bottleneck = [](u32 blocks) {
    return report_of(copy_kernel(400), "copy", "h200", blocks, 64).prediction.bottleneck;
  };
  CHECK(bottleneck(3 * 132).find("; 6 warps on a multiprocessor, because the grid has no more") !=
        std::string::npos);
  CHECK(bottleneck(32 * 132).find("; 64 warps on a multiprocessor, by their ") != std::string::npos);
}

TEST_CASE("each instruction takes what has been measured of those that ptxas makes of it") {
  const Machine m = machine("h200");
  const auto cost = [&](const std::string& statement) {
    const ProgramCosts costs = costs_of(
        ptx::parse(
            std::string(kHead) +
            ".extern .func (.param .b32 result) __nv_expf(.param .b32 x);\n"
            ".extern .func (.param .b32 result) __nv_no_such_function(.param .b32 x);\n"
            ".extern .shared .align 16 .b8 tile[];\n.const .align 4 .f32 constant;\n"
            ".visible .entry k(.param .u64 p) {\n.reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; "
            ".reg .f32 %f<9>; .reg .f64 %fd<9>; .reg .pred %p<9>; .param .b32 x; .param .b32 result;\n" +
            statement + "\nnext: ret;\n}\n"),
        m);
    return costs.cost[0];
  };
  // What it takes `times` of; as many slots, unless said.
  struct {
    const char* statement;
    OperationTime Machine::* measured;
    float times = 1, slots = 0;
  } const kMeasured[] = {
      {"add.f32 %f1, %f2, %f3;", &Machine::fp32_add},
      {"sub.f64 %fd1, %fd2, %fd3;", &Machine::fp64_add},
      {"add.f16 %h1, %h2, %h3;", &Machine::fp32_add},
      {"sub.s64 %rd1, %rd2, %rd3;", &Machine::int_add, 2},
      {"mul.f32 %f1, %f2, %f3;", &Machine::fp32_mul},
      {"mul.f64 %fd1, %fd2, %fd3;", &Machine::fp64_fma},
      {"fma.rn.f32 %f1, %f2, %f3, %f4;", &Machine::fp32_fma},
      {"fma.rn.f64 %fd1, %fd2, %fd3, %fd4;", &Machine::fp64_fma},
      {"mul.wide.u32 %rd1, %r1, %r2;", &Machine::int_mad},
      {"mul.lo.s32 %r1, %r2, %r3;", &Machine::int_mad},
      {"mad.lo.s32 %r1, %r2, %r3, %r4;", &Machine::int_mad},
      {"mul.lo.s64 %rd1, %rd2, %rd3;", &Machine::long_mul, 1, -1},
      {"mul.hi.u32 %r1, %r2, %r3;", &Machine::int_mad, 2},
      {"mul.hi.u64 %rd1, %rd2, %rd3;", &Machine::int_mad, 4},
      {"mad.wide.u32 %rd1, %r1, %r2, %rd2;", &Machine::int_mad, 2},
      {"mul24.lo.u32 %r1, %r2, %r3;", &Machine::int_mad},
      {"mad24.lo.u32 %r1, %r2, %r3, %r4;", &Machine::int_mad},
      {"dp4a.u32.u32 %r1, %r2, %r3, %r4;", &Machine::int_mad},
      {"sad.u32 %r1, %r2, %r3, %r4;", &Machine::int_mad},
      {"shl.b64 %rd1, %rd2, 3;", &Machine::int_shift, 2},
      {"div.rn.f32 %f1, %f2, %f3;", &Machine::fp32_div, 1, -1},
      {"div.rn.f64 %fd1, %fd2, %fd3;", &Machine::fp64_div, 1, -1},
      {"div.s64 %rd1, %rd2, %rd3;", &Machine::long_div, 1, -1},
      {"rem.u32 %r1, %r2, %r3;", &Machine::int_rem, 1, -1},
      {"div.u32 %r1, %r2, %r3;", &Machine::int_div, 1, -1},
      {"div.s32 %r1, %r2, %r3;", &Machine::int_div_signed, 1, -1},
      {"div.full.f32 %f1, %f2, %f3;", &Machine::special_div, 1, 4},
      {"div.approx.ftz.f32 %f1, %f2, %f3;", &Machine::special, 2, -1},  // just above 16 cycles
      {"sqrt.rn.f32 %f1, %f2;", &Machine::fp32_sqrt, 1, -1},
      {"sqrt.rn.f64 %fd1, %fd2;", &Machine::fp64_sqrt, 1, -1},
      {"sqrt.rn.f64 %fd1, %fd2; rcp.rn.f64 %fd3, %fd1;", &Machine::fp64_rsqrt, 1, -1},
      {"rcp.rn.f32 %f1, %f2;", &Machine::fp32_div, 1, -1},
      {"rcp.rn.f64 %fd1, %fd2;", &Machine::fp64_div, 1, -1},
      {"sqrt.approx.f32 %f1, %f2;", &Machine::special_sqrt, 1, 4},
      {"sqrt.approx.ftz.f32 %f1, %f2;", &Machine::special},
      {"rsqrt.approx.f32 %f1, %f2;", &Machine::special_rsqrt, 1, 4},
      {"rsqrt.approx.ftz.f32 %f1, %f2;", &Machine::special},
      {"rsqrt.approx.f64 %fd1, %fd2;", &Machine::special},
      {"rcp.approx.f32 %f1, %f2;", &Machine::special_rcp, 1, 4},
      {"rcp.approx.ftz.f32 %f1, %f2;", &Machine::special},
      {"rcp.approx.ftz.f64 %fd1, %fd2;", &Machine::special},
      {"lg2.approx.f32 %f1, %f2;", &Machine::special_lg2, 1, 4},
      {"lg2.approx.ftz.f32 %f1, %f2;", &Machine::special},
      {"sin.approx.f32 %f1, %f2;", &Machine::special_sin, 1, 2},
      {"cos.approx.f32 %f1, %f2;", &Machine::special_sin, 1, 2},
      {"ex2.approx.f32 %f1, %f2;", &Machine::special_sqrt, 1, 4},
      {"ex2.approx.ftz.f32 %f1, %f2;", &Machine::special},
      {"tanh.approx.f32 %f1, %f2;", &Machine::special},
      {"neg.s32 %r1, %r2;", &Machine::int_add},
      {"abs.s64 %rd1, %rd2;", &Machine::int_add, 2},
      {"min.f32 %f1, %f2, %f3;", &Machine::fp32_min},
      {"max.s32 %r1, %r2, %r3;", &Machine::int_min},
      {"min.u64 %rd1, %rd2, %rd3;", &Machine::int_min, 2},
      {"and.b32 %r1, %r2, %r3;", &Machine::int_permute},
      {"not.b64 %rd1, %rd2;", &Machine::int_permute, 2},
      {"prmt.b32 %r1, %r2, %r3, 1;", &Machine::int_permute},
      {"setp.lt.s32 %p1, %r1, %r2;", &Machine::int_select},
      {"setp.lt.s64 %p1, %rd1, %rd2;", &Machine::int_select, 2},
      {"setp.lt.f64 %p1, %fd1, %fd2;", &Machine::fp64_add},
      {"cvt.rn.f32.s32 %f1, %r1;", &Machine::conversion},
      {"cvt.rzi.s32.f32 %r1, %f1;", &Machine::conversion_to_int},
      {"cvt.u32.u16 %r1, %h1;", &Machine::int_permute},
      {"mov.u32 %r1, %tid.x;", &Machine::int_popc},
      {"shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", &Machine::shuffle},
      {"vote.sync.ballot.b32 %r1, %p1, -1;", &Machine::vote},
      {"match.any.sync.b32 %r1, %r2, -1;", &Machine::vote},
      {"activemask.b32 %r1;", &Machine::vote},
      {"redux.sync.add.s32 %r1, %r2, -1;", &Machine::reduce_add, 1, -1},
      {"call (result), __nv_expf, (x);", &Machine::call_expf, 1, -1},
  };
  for (const auto& each : kMeasured) {
    const std::string statement = each.statement;
    CAPTURE(statement);
    const IssueCost found = cost(statement);
    const OperationTime& time = m.*each.measured;
    CHECK(found.interval == doctest::Approx(time.interval * each.times));
    CHECK(found.latency == doctest::Approx(time.latency * each.times));
    // A sequence of instructions keeps the scheduler as long as it takes.
    if (each.slots >= 0) CHECK(found.slots == doctest::Approx(each.slots > 0 ? each.slots : each.times));
    else CHECK(found.slots >= 1);
  }
  // Measured with an addition behind it, which another unit makes.
  for (const auto& [statement, words] : {std::pair{"popc.b32 %r1, %r2;", 1}, {"brev.b64 %rd1, %rd2;", 2}}) {
    CAPTURE(std::string(statement));
    const IssueCost found = cost(statement);
    CHECK(found.slots == words);
    CHECK(found.interval == doctest::Approx(words * 2 * m.int_popc.interval));
    CHECK(found.latency == doctest::Approx(words * (2 * m.int_popc.latency - m.int_add.latency)));
  }
  // The unit of integers or that of products: each takes half of a stream of additions.
  for (const char* sum : {"add.s32 %r1, %r2, %r3;", "sub.u32 %r1, %r2, %r3;", "shl.b32 %r1, %r2, 3;"}) {
    CAPTURE(std::string(sum));
    const IssueCost found = cost(sum);
    CHECK(found.unit == Unit::sums);
    CHECK(found.slots == 1);
    CHECK(found.interval == doctest::Approx(2 * m.int_add.interval));
    CHECK(found.latency == doctest::Approx(m.int_add.latency));
  }
  CHECK(cost("cvt.f64.f32 %fd1, %f1;").interval == doctest::Approx(m.conversion_of_double.interval));
  CHECK(cost("cvt.rn.f32.f64 %f1, %fd1;").interval == doctest::Approx(m.conversion_of_double.interval));
  // No instruction of their own, or one of a unit that memory answers.
  for (const char* nothing :
       {"mov.b32 %r1, %r2;", "cvta.to.global.u64 %rd1, %rd2;", "isspacep.shared %p1, %rd1;",
        "cvt.u64.u32 %rd1, %r1;", "ld.param.u64 %rd1, [p];", "neg.f32 %f1, %f2;", "and.pred %p1, %p2, %p3;",
        "and.b32 %r1, %r2, %r3; or.b32 %r4, %r1, %r5;", "shl.b64 %rd1, %rd2, 3; add.s64 %rd3, %rd1, %rd4;",
        "add.s64 %rd1, %rd2, 16; ld.global.f32 %f1, [%rd1];"}) {
    CAPTURE(std::string(nothing));
    CHECK(cost(nothing).slots == 0);
  }
  const std::pair<const char*, Unit> kUnits[] = {
      {"ld.global.f32 %f1, [%rd1];", Unit::global},
      {"st.global.f32 [%rd1], %f1;", Unit::global},
      {"ld.shared.f32 %f1, [tile];", Unit::shared},
      {"st.shared.f32 [tile], %f1;", Unit::shared},
      {"atom.global.add.u32 %r1, [%rd1], 1;", Unit::global},
      {"red.shared.add.u32 [tile], 1;", Unit::shared},
      {"cp.async.ca.shared.global [tile], [%rd1], 4;", Unit::global},
      {"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [tile];", Unit::shared},
      {"mbarrier.init.shared.b64 [tile], 1;", Unit::shared},
      {"bar.sync 0;", Unit::none},
      {"bar.warp.sync -1;", Unit::none},
      {"bra next; add.u32 %r1, %r2, %r3;", Unit::none},
      {"call (result), __nv_no_such_function, (x);", Unit::none},
  };
  for (const auto& row : kUnits) {
    const std::string statement(row.first);
    CAPTURE(statement);
    CHECK(cost(statement).unit == row.second);
    CHECK(cost(statement).slots > 0);
  }
}

namespace {

// A kernel of `times` times the statement, which knows its lane (%r1), its thread (%r2), [%rd1] of its own and [%rd2] of all.
gpusim::Prediction predicted(const std::string& statement, int times, u32 blocks = 1, u32 threads = 32,
                             const std::string& variables = ".shared .align 16 .b8 tile[4096];") {
  std::string text =
      std::string(kHead) + variables +
      "\n.extern .func (.param .b32 result) __nv_no_such_function(.param .b32 x);\n"
      ".visible .entry k(.param .u64 own, .param .u64 all) {\n.reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 "
      "%rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>; .param .b32 x; .param .b32 result;\n"
      "ld.param.u64 %rd1, [own]; ld.param.u64 %rd2, [all]; mov.u32 %r1, %laneid; mov.u32 %r2, %tid.x;\n"
      "mul.wide.u32 %rd3, %r2, 4; add.s64 %rd1, %rd1, %rd3;\n";
  for (int k = 0; k < times; ++k) text += statement + "\n";
  return report_of(text + "ret;\n}\n", "k", "h200", blocks, threads).prediction;
}
// Cycles of one more.
double cycles_of(const std::string& statement, u32 threads = 32) {
  return (predicted(statement, 120, 1, threads).nanoseconds -
          predicted(statement, 60, 1, threads).nanoseconds) /
         60 / machine("h200").derived.nanoseconds;
}

}  // namespace

TEST_CASE(
    "atomics of shared memory take as long as was measured where all lanes meet, floats by compare and swap") {
  const Machine m = machine("h200");
  CHECK(cycles_of("red.shared.add.u32 [tile], 1;") ==
        doctest::Approx(m.shared_add_same_interval).epsilon(0.1));
  CHECK(cycles_of("atom.shared.add.u32 %r3, [tile], 1;") ==
        doctest::Approx(m.shared_add_same_interval).epsilon(0.1));
  for (const char* of_float :
       {"atom.shared.add.f32 %f1, [tile], 0f3f800000;",
        "atom.shared.add.f64 %fd1, [tile], 0d3ff0000000000000;",
        "atom.shared.add.noftz.f16 %h1, [tile], %h2;", "atom.shared.add.noftz.f16x2 %r3, [tile], %r1;"}) {
    CAPTURE(std::string(of_float));
    CHECK(cycles_of(of_float) == doctest::Approx(m.shared_add_float_same_latency).epsilon(0.1));
  }
  // Many warps: each swap makes those of the others fail that have read before.
  CHECK(cycles_of("atom.shared.add.f32 %f1, [tile], 0f3f800000;", 1024) / 32 ==
        doctest::Approx(1393).epsilon(0.2));  // measured, shared_add_float_same_interval
}

TEST_CASE("atomics of all threads on one word of global memory come one after another") {
  const Machine m = machine("h200");
  const u32 blocks = 264, threads = 256, times = 8;
  const auto each = [&](const char* statement) {
    const gpusim::Prediction p = predicted(statement, times, blocks, threads);
    return (p.nanoseconds - p.launch_nanoseconds) / (double(blocks) * threads * times);
  };
  CHECK(each("atom.global.add.u32 %r3, [%rd2], 1;") ==
        doctest::Approx(m.global_atomic_int.one_word).epsilon(0.2));
  CHECK(each("red.global.add.f32 [%rd2], 0f3f800000;") ==
        doctest::Approx(m.global_red_float.one_word).epsilon(0.2));
  for (const char* of_float :
       {"red.global.add.f64 [%rd2], 0d3ff0000000000000;", "red.global.add.noftz.f16 [%rd2], %h1;",
        "red.global.add.noftz.f16x2 [%rd2], %r1;"}) {
    CAPTURE(std::string(of_float));
    CHECK(each(of_float) == doctest::Approx(m.global_red_float.one_word).epsilon(0.2));
  }
}

TEST_CASE("what a prediction leaves out it names") {
  const auto left_out = [](const std::string& statement,
                           const std::string& variables = ".shared .align 16 .b8 tile[4096];") {
    std::string all;
    for (const std::string& what : predicted(statement, 1, 1, 32, variables).not_modelled)
      all += (all.empty() ? "" : "; ") + what;
    return all;
  };
  CHECK(left_out("add.u32 %r3, %r1, %r2;") == "");
  CHECK(left_out("cp.async.ca.shared.global [tile], [%rd1], 4; cp.async.wait_all;") ==
        "waits for asynchronous copies");
  CHECK(left_out("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r3}, [tile];") == "tensor cores");
  CHECK(left_out(
            "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%r3, %r4}, {%r5, %r6}, {%r7}, {%r3, %r4};") ==
        "tensor cores");
}

namespace {

ProgramCosts costs_in(const std::string& body) {
  return costs_of(
      ptx::parse(
          std::string(kHead) +
          ".extern .func (.param .b32 result) __nv_expf(.param .b32 x);\n.shared .align 16 .b8 tile[4096];\n"
          ".visible .entry k(.param .u64 p, .param .u32 n) {\n.reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; "
          ".reg .pred %p<9>; .param .b32 x; .param .b32 result;\n" +
          body + "\n}\n"),
      machine("h200"));
}

}  // namespace

TEST_CASE("a branch over a few instructions is none, unless they are of the whole warp or go elsewhere") {
  const auto is_predicated = [](const std::string& body) {
    const ProgramCosts costs = costs_in("@%p1 bra next;\n" + body + "\nnext: ret;");
    CHECK(costs.predicated.size() == costs.cost.size());
    return costs.predicated[0] > 0;
  };
  CHECK(is_predicated("add.u32 %r1, %r2, %r3;"));
  CHECK(is_predicated("st.shared.u32 [tile], %r1; ld.shared.u32 %r2, [tile+4];"));
  CHECK(is_predicated("red.shared.add.u32 [tile], 1;"));
  CHECK(is_predicated("atom.shared.add.u32 %r1, [tile], 1;"));  // the same, as nothing reads %r1
  CHECK_FALSE(is_predicated("atom.shared.add.f32 %f1, [tile], %f2;"));
  CHECK_FALSE(is_predicated("div.rn.f32 %f1, %f2, %f3;"));  // more than seven slots
  for (const char* cannot :
       {"bra next; add.u32 %r1, %r2, %r3;", "brx.idx %r1, ts;\nts: .branchtargets next;",
        "call (result), __nv_expf, (x);", "ret;", "bar.sync 0;", "bar.red.popc.u32 %r1, 0, %p2;",
        "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "vote.sync.ballot.b32 %r1, %p2, -1;", "bar.warp.sync -1;",
        "atom.shared.add.u32 %r1, [tile], 1; st.shared.u32 [tile+4], %r1;"}) {
    CAPTURE(std::string(cannot));
    CHECK_FALSE(is_predicated(cannot));
  }
}

TEST_CASE("a loop that can be counted is unrolled, unless warps meet in it or need what an atomic returns") {
  const auto is_unrolled = [](const std::string& body, const std::string& end = "setp.lt.u32 %p1, %r1, 64;") {
    const ProgramCosts costs = costs_in("mov.u32 %r1, 0;\nLOOP:\n" + body + "\nadd.u32 %r1, %r1, 1;\n" + end +
                                        "\n@%p1 bra LOOP;\nret;");
    return std::find(costs.unrolled.begin(), costs.unrolled.end(), true) != costs.unrolled.end();
  };
  CHECK(is_unrolled("add.f32 %f1, %f1, %f2;"));
  CHECK(is_unrolled("ld.shared.f32 %f2, [%r3]; add.f32 %f1, %f1, %f2;"));
  CHECK_FALSE(
      is_unrolled("add.f32 %f1, %f1, %f2;", "setp.lt.f32 %p1, %f1, %f3;"));  // how often, it does not say
  // Or by an address that goes up by what stays as it is.
  CHECK(is_unrolled("ld.global.f32 %f2, [%rd1]; add.s64 %rd1, %rd1, %rd2; add.f32 %f1, %f1, %f2;",
                    "setp.lt.u32 %p1, %r1, %r2;"));
  for (const char* alone :
       {"bar.sync 0;", "bar.red.popc.u32 %r4, 0, %p2;", "bar.warp.sync -1;",
        "atom.shared.add.u32 %r4, [tile], 1; st.shared.u32 [tile+4], %r4;",
        "atom.shared.cas.b32 %r4, [tile], 1, 2;", "atom.shared.add.f32 %f3, [tile], %f2;", "membar.cta;",
        "call (result), __nv_expf, (x);", "ld.volatile.shared.u32 %r4, [tile];"}) {
    CAPTURE(std::string(alone));
    CHECK_FALSE(is_unrolled(std::string(alone) + " add.f32 %f1, %f1, %f2;"));
  }
  CHECK(is_unrolled("red.shared.add.u32 [tile], 1;"));
  CHECK(is_unrolled("atom.shared.add.u32 %r4, [tile], 1;"));
  // To a number that is not known: without a sign it may wrap around, unless it takes each number on the way.
  CHECK(is_unrolled("add.f32 %f1, %f1, %f2;", "setp.lt.u32 %p1, %r1, %r2;"));
  const std::string by_eight =
      "ld.param.u32 %r2, [n];\nmov.u32 %r1, 0;\nLOOP:\nadd.f32 %f1, %f1, %f2;\nadd.u32 %r1, %r1, 8;\nsetp.lt.%s %p1, %r1, %r2;\n"
      "@%p1 bra LOOP;\nret;";
  const auto with = [&](const std::string& type) {
    const ProgramCosts costs = costs_in(std::string(by_eight).replace(by_eight.find("%s"), 2, type));
    return std::find(costs.unrolled.begin(), costs.unrolled.end(), true) != costs.unrolled.end();
  };
  CHECK(with("s32"));
  CHECK_FALSE(with("u32"));
  // The lanes of a warp meet: the compiler must know how often.
  const std::string votes = "vote.sync.ballot.b32 %r4, %p2, -1;";
  CHECK(is_unrolled(votes));
  CHECK_FALSE(
      is_unrolled(votes + " ld.global.f32 %f2, [%rd1]; add.s64 %rd1, %rd1, %rd2; add.f32 %f1, %f1, %f2;",
                  "setp.lt.u32 %p1, %r1, %r2;"));
}

TEST_CASE("a loop with a guarded load is unrolled, too: the load is predicated, and four are under way") {
  // As clang lays it out: the round's end first, then its beginning, then what the condition guards.
  const auto guarded = [](const std::string& part, const std::string& end) {
    return costs_in(
        "mov.u32 %r1, 0;\nld.param.u32 %r2, [n];\nbra HEAD;\nTAIL:\nst.shared.f32 [%r3], %f2;\n"
        "add.u32 %r4, %r1, 256;\nsetp.lt.u32 %p1, %r1, 768;\nmov.u32 %r1, %r4;\n@%p1 bra HEAD;\nbra END;\n"
        "HEAD:\nsetp.lt.u32 %p2, %r1, %r2;\nmov.f32 %f2, 0f00000000;\n@!%p2 bra TAIL;\nbra PART;\n"
        "PART:\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.f32 %f2, [%rd3];\n" +
        part + "bra TAIL;\nEND:\n" + end + "ret;");
  };
  constexpr u32 kStore = 3, kHead = 9, kGuard = 11, kToPart = 12, kLoad = 15, kToTail = 16;
  const ProgramCosts costs = guarded("", "");
  for (const u32 pc : {kStore, kHead, kLoad}) {
    CHECK(costs.unrolled[costs.block[pc]]);
    CHECK(costs.loop[costs.block[pc]] == costs.block[kHead]);
  }
  CHECK(costs.loop[costs.block[0]] == costs.block[0]);
  CHECK(costs.predicated[kGuard] > 0);
  CHECK(costs.cost[kToPart].slots == 0);
  CHECK(costs.cost[kToTail].slots == 0);
  CHECK(costs.overlaps[kLoad]);
  CHECK_FALSE(costs.overlaps[kStore]);
  // Not if the part is long, or of the whole warp; what comes after the loop does not matter.
  CHECK(guarded("", "bar.sync 0;\n").unrolled[costs.block[kLoad]]);
  for (const char* part : {"div.rn.f32 %f2, %f2, %f3;\n", "shfl.sync.idx.b32 %r5, %r2, 0, 31, -1;\n"}) {
    CAPTURE(std::string(part));
    CHECK_FALSE(guarded(part, "").unrolled[costs.block[kLoad]]);
    CHECK(guarded(part, "").predicated[kGuard] == 0);
  }
}

TEST_CASE("rounds of an unrolled loop overlap unless a store of one may be what the next one loads") {
  // Whether the multiplication, which needs what was loaded in its round only, waits for the round before.
  const auto overlaps = [](const std::string& load, const std::string& store) {
    const ProgramCosts costs =
        costs_in("mov.u32 %r1, 0;\nLOOP:\n" + load + "\nmul.f32 %f3, %f2, %f2;\n" + store +
                 "\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 64;\n@%p1 bra LOOP;\nret;");
    return bool(costs.overlaps[2]);
  };
  const std::string shared = "ld.shared.f32 %f2, [%r3];", global = "ld.global.f32 %f2, [%rd1];";
  CHECK(overlaps(shared, ""));
  CHECK(overlaps(shared, "st.global.f32 [%rd1], %f3;"));
  CHECK(overlaps(global, "st.shared.f32 [%r3], %f3;"));
  CHECK_FALSE(overlaps(shared, "st.shared.f32 [%r3+64], %f3;"));
  CHECK_FALSE(overlaps(global, "st.global.f32 [%rd2], %f3;"));
  CHECK_FALSE(overlaps(global, "st.f32 [%rd2], %f3;"));  // anywhere
  CHECK_FALSE(overlaps("ld.f32 %f2, [%rd1];", "st.shared.f32 [%r3], %f3;"));
}

TEST_CASE("what an unrolled loop counts are constants in each round, and division by one is a product") {
  const ProgramCosts costs = costs_in(
      "mov.u32 %r1, 0; ld.param.u32 %r8, [n]; mov.u32 %r6, tile;\nLOOP:\nadd.u32 %r1, %r1, 1;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r5, %r4, %r6;\nld.shared.f32 %f2, [%r5];\n"
      "rem.u32 %r7, %r8, %r1;\nadd.u32 %r2, %r7, %r2;\nsetp.lt.u32 %p1, %r1, 64;\n@%p1 bra LOOP;\nret;");
  const ProgramCosts once = costs_in("rem.u32 %r7, %r8, %r1;\nret;");
  CHECK(costs.folded[4]);        // what it multiplies
  CHECK(costs.folded[5]);        // an address, and nothing else
  CHECK_FALSE(costs.folded[8]);  // a sum of what was not known before
  CHECK(costs.cost[7].unit == Unit::multiply);
  CHECK(costs.cost[7].slots == 3);
  CHECK(costs.cost[7].latency == doctest::Approx(once.cost[0].latency / 8));
}

TEST_CASE("functions that nobody has measured are named") {
  const auto left_out = [](const std::string& function) {
    const std::string declared = ".extern .func (.param .b32 result) " + function + "(.param .b32 x);\n";
    const std::vector<std::string> all =
        predicted("st.param.b32 [x], %r1; call (result), " + function + ", (x);", 1, 1, 32, declared)
            .not_modelled;
    return all.empty() ? std::string() : all[0];
  };
  CHECK(left_out("__nv_expf") == "");
  CHECK(left_out("__nv_j0f") == "what __nv_j0f takes: counted as a call of ten instructions");
}

namespace {

// Loads a word of constant memory for each lane, `step` bytes apart, and adds it up, many times.
std::string constant_kernel(int step) {
  std::string text = std::string(kHead) +
                     ".const .align 4 .b8 table[1024];\n"
                     ".visible .entry look_up(.param .u64 from, .param .u64 to) {\n"
                     ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;\n"
                     "ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31;\n"
                     "mul.wide.u32 %rd2, %r1, " +
                     std::to_string(step) +
                     "; mov.u64 %rd3, table; add.s64 %rd4, %rd3, %rd2; mov.f32 %f1, 0f00000000;\n";
  for (int k = 0; k < 100; ++k) text += "ld.const.f32 %f2, [%rd4]; add.f32 %f1, %f1, %f2;\n";
  return text + "st.global.f32 [%rd1], %f1;\nret;\n}\n";
}

// Adds up 64 words of shared memory that begin at a multiple of `step` bytes for each thread.
std::string shared_row_kernel(int step) {
  std::string text =
      std::string(kHead) +
      ".visible .entry sum_row(.param .u64 from, .param .u64 to) {\n.shared .align 16 .b8 tile[16384];\n"
      ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<99>;\n"
      "ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x; shr.u32 %r1, %r1, 5; mov.u32 %r2, tile;\n"
      "mad.lo.u32 %r3, %r1, " +
      std::to_string(step) + ", %r2; mov.f32 %f0, 0f00000000;\n";
  for (int k = 0; k < 64; ++k) {
    const std::string number = std::to_string(k + 1);
    text += "ld.shared.f32 %f" + number + ", [%r3+" + std::to_string(4 * k) + "]; add.f32 %f0, %f0, %f" +
            number + ";\n";
  }
  return text + "st.global.f32 [%rd1], %f0;\nret;\n}\n";
}

}  // namespace

TEST_CASE("lanes that load constants from several addresses wait for one after the other") {
  const auto time = [&](int step) {
    const gpusim::Prediction p = report_of(constant_kernel(step), "look_up", "h200", 132, 1024).prediction;
    return p.nanoseconds - p.launch_nanoseconds;
  };
  const Machine m = machine("h200");
  const double one_after_the_other = 32 * 100 * m.constant_32_addresses_interval * m.derived.nanoseconds;
  CHECK(time(4) == doctest::Approx(one_after_the_other).epsilon(0.1));
  CHECK(time(0) < 0.1 * time(4));
}

TEST_CASE("words of a variable in shared memory become one load, and so do halves of words") {
  const auto loads = [&](const std::string& body) {
    const Program program = ptx::parse(std::string(kHead) +
                                       ".visible .entry k() {\n.shared .align 4 .b8 part[64];\n"
                                       ".reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .b16 %h<20>;\n" +
                                       body + "ret;\n}\n");
    const ProgramCosts costs = costs_of(program, machine("h200"));
    float passes = 0;
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      if (program.code[pc].shape == Shape::load) passes += costs.passes[pc];
    return passes;
  };
  std::string words, halves;
  for (int k = 0; k < 8; ++k) {
    words += "ld.shared.u32 %r" + std::to_string(k) + ", [part+" + std::to_string(4 * k) + "];\n";
    halves += "ld.shared.u16 %h" + std::to_string(k) + ", [part+" + std::to_string(2 * k) + "];\n";
  }
  CHECK(loads(words) == 2);
  CHECK(loads(halves) == 1);
  CHECK(loads("ld.shared.u32 %r1, [part+4]; ld.shared.u32 %r2, [part+8];\n") == 2);  // of two pairs
}

TEST_CASE(
    "an operation on 64 bits takes one instruction where the lower half is enough, and none where it moves halves") {
  const auto slots = [&](const std::string& body) {
    const Program program =
        ptx::parse(std::string(kHead) +
                   ".visible .entry k(.param .u64 to) {\n.shared .align 16 .b8 part[64];\n"
                   ".reg .b64 %rd<20>; .reg .b32 %r<20>;\nld.param.u64 %rd9, [to];\nmov.u32 %r1, %tid.x;\n" +
                   body + "ret;\n}\n");
    const ProgramCosts costs = costs_of(program, machine("h200"));
    float sum = 0;
    for (const IssueCost& cost : costs.cost) sum += cost.slots;
    return sum;
  };
  const float nothing = slots("");
  const auto more = [&](const std::string& body) { return slots(body) - nothing; };
  // An address in shared memory and one in global memory, each of a register; and the store.
  CHECK(more("cvt.u64.u32 %rd1, %r1; add.s64 %rd2, %rd1, %rd9; st.shared.u32 [%rd2], %r1;\n") == 2);
  CHECK(more("cvt.u64.u32 %rd1, %r1; add.s64 %rd2, %rd1, %rd9; st.global.u32 [%rd2], %r1;\n") == 3);
  const std::string store = "st.global.u64 [%rd9], %rd3;\n";
  CHECK(more("cvt.u64.u32 %rd1, %r1; shl.b64 %rd3, %rd1, 32;\n" + store) == 1);
  CHECK(more("mul.wide.u32 %rd1, %r1, 5; and.b64 %rd3, %rd1, 4294967295;\n" + store) == 2);
  CHECK(more("mul.wide.u32 %rd1, %r1, 5; shr.u64 %rd3, %rd1, 40;\n" + store) == 3);
  // A rotation: two funnel shifts.
  CHECK(
      more(
          "mul.wide.u32 %rd0, %r1, 5; shl.b64 %rd1, %rd0, 13; shr.u64 %rd2, %rd0, 51; add.s64 %rd3, %rd1, %rd2;\n" +
          store) == 4);
  // Three sums of four numbers: two instructions. The store is another.
  CHECK(
      more(
          "add.s32 %r2, %r1, 5; add.s32 %r3, %r2, %r1; add.s32 %r4, %r3, %r1;\nst.global.u32 [%rd9], %r4;\n") ==
      3);
}

TEST_CASE("lines of a load are looked up four in a cycle, also where they lie at multiples of 512 bytes") {
  const auto time = [&](int step) {  // of loads whose lanes lie that many bytes apart
    std::string text = std::string(kHead) +
                       ".visible .entry look_up(.param .u64 from, .param .u64 to) {\n"
                       ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;\n"
                       "ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n"
                       "mov.u32 %r1, %tid.x; and.b32 %r1, %r1, 31; mov.f32 %f1, 0f00000000;\n"
                       "mul.wide.u32 %rd3, %r1, " +
                       std::to_string(step) + "; add.s64 %rd4, %rd1, %rd3;\n";
    for (int k = 0; k < 200; ++k) text += "ld.global.f32 %f2, [%rd4]; add.f32 %f1, %f1, %f2;\n";
    const gpusim::Prediction p =
        report_of(text + "st.global.f32 [%rd2], %f1;\nret;\n}\n", "look_up", "h200", 132, 256).prediction;
    return p.nanoseconds - p.launch_nanoseconds;
  };
  // 33 and 257 words: each lane has a bank of its own, and a line. 256 words: all are on one bank.
  CHECK(time(1028) < 1.1 * time(132));
  CHECK(time(1024) > 2 * time(1028));
}

TEST_CASE(
    "blocks that have begun earlier go first, so that they need another unit while later ones need this") {
  const auto time = [&](int shifts, int powers) {
    std::string text = std::string(kHead) +
                       ".visible .entry work(.param .u64 from, .param .u64 to) {\n"
                       ".reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .f32 %f<4>;\n"
                       "ld.param.u64 %rd1, [to]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n";
    for (int k = 0; k < shifts; ++k) text += "shf.l.wrap.b32 %r1, %r1, %r2, 7;\n";
    text += "cvt.rn.f32.u32 %f1, %r1;\n";
    for (int k = 0; k < powers; ++k) text += "ex2.approx.ftz.f32 %f1, %f1;\n";
    const gpusim::Prediction p =
        report_of(text + "st.global.f32 [%rd1], %f1;\nret;\n}\n", "work", "h200", 8 * 132, 256).prediction;
    return p.nanoseconds - p.launch_nanoseconds;
  };
  CHECK(time(400, 100) < 0.8 * (time(400, 0) + time(0, 100)));
}

TEST_CASE("neighbouring words of shared memory become one load where they are known to be aligned") {
  const auto loads = [&](int step) {  // that ptxas is taken to make
    const Program program = ptx::parse(shared_row_kernel(step));
    const ProgramCosts costs = costs_of(program, machine("h200"));
    int count = 0;
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      count += program.code[pc].shape == Shape::load && program.code[pc].space == Space::shared &&
               costs.cost[pc].slots > 0;
    return count;
  };
  CHECK(loads(256) == 16);
  CHECK(loads(272) == 16);
  CHECK(loads(260) == 64);  // a row of padding in the wrong place
  CHECK(loads(264) == 32);  // two words each
}

TEST_CASE("rounds of a loop share a wide load where the first one begins at its alignment") {
  const auto passes = [&](int row_bytes) {  // of the load in shared memory
    const Program program = ptx::parse(
        std::string(kHead) +
        ".visible .entry k(.param .u64 from, .param .u64 to) {\n.shared .align 4 .b8 tile[16384];\n"
        ".reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .pred %p<3>;\n"
        "mov.u32 %r1, %tid.y; mul.wide.s32 %rd1, %r1, " +
        std::to_string(row_bytes) +
        "; mov.u64 %rd2, tile; add.s64 %rd3, %rd2, %rd1; mov.u64 %rd4, 0; mov.f32 %f1, 0f00000000;\n"
        "next: add.s64 %rd5, %rd3, %rd4; ld.shared.f32 %f2, [%rd5]; add.f32 %f1, %f1, %f2;\n"
        "add.s64 %rd4, %rd4, 4; setp.ne.s64 %p1, %rd4, 128; @%p1 bra next;\n"
        "ld.param.u64 %rd6, [to]; st.global.f32 [%rd6], %f1; ret;\n}\n");
    const ProgramCosts costs = costs_of(program, machine("h200"));
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      if (program.code[pc].shape == Shape::load && program.code[pc].space == Space::shared)
        return costs.passes[pc];
    return 0.0f;
  };
  CHECK(passes(128) == 0.5f);
  CHECK(passes(144) == 0.5f);
  CHECK(passes(132) == 1.0f);
}

TEST_CASE("no load is made before a division that comes first") {
  const auto loads_before = [&](const std::string& division) {
    const Program program =
        ptx::parse(std::string(kHead) +
                   ".visible .entry k(.param .u64 from, .param .u64 to) {\n"
                   ".reg .b64 %rd<9>; .reg .f32 %f<9>;\nld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];\n"
                   "ld.global.f32 %f1, [%rd1];\n" +
                   division +
                   " %f2, %f1, %f1;\nld.global.f32 %f3, [%rd1+4];\n"
                   "add.f32 %f4, %f2, %f3;\nst.global.f32 [%rd2], %f4;\nret;\n}\n");
    const ProgramCosts costs = costs_of(program, machine("h200"));
    u32 at = 0;
    int before = 0;
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      if (program.code[pc].shape == Shape::binary && costs.reads.of(pc).size() == 2 && at == 0)
        at = costs.position[pc];
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      before += program.code[pc].shape == Shape::load && program.code[pc].space == Space::global &&
                costs.position[pc] < at;
    return before;
  };
  CHECK(loads_before("div.rn.f32") == 1);
  CHECK(loads_before("div.full.f32") == 2);
}
// SPDX-License-Identifier: MIT
