// The time model: machines as data, occupancy, what ptxas makes of PTX, and what more work costs.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "gpu.h"
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
    CHECK(m["multiprocessors"] == 132);
    CHECK(m.of.dram_read > 0);
    CHECK(m.of.turns >= 1);
    CHECK(m["dram_latency"] > m["l2_latency"]);
    CHECK(m["l2_latency"] > m["l1_latency"]);
    std::string error;
    const double of_chapters = Machine::find(name, &error, Machine::Of::chapters)->error();
    CHECK(of_chapters > 0.01);
    CHECK(of_chapters < 0.5);
    CHECK(m.error() > of_chapters);  // of kernels that nobody had in mind
    CHECK(m.error() < 1);
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
  CHECK(!Machine::find("h900", &error));
  CHECK(error.find("is neither h100, h200 nor a file") == 0);
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
  return (time(100) - time(50)) / 50;
}

TEST_CASE("a barrier takes what calibrate has measured, alone and where other blocks meet too") {
  const Machine m = machine("h200");
  for (const u32 warps : {2u, 8u, 16u, 32u}) {
    CAPTURE(warps);
    const std::string name = "barrier_" + std::to_string(warps) + "_warps";
    const u32 blocks = std::min(32u, 64 / warps);
    CHECK(barrier_nanoseconds(1, warps) / m.of.nanoseconds ==
          doctest::Approx(m[name + "_latency"]).epsilon(0.1));
    CHECK(barrier_nanoseconds(blocks, warps) / m.of.nanoseconds ==
          doctest::Approx(m[name + "_interval"] * blocks).epsilon(0.3));
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
  CHECK(report.prediction.error == machine("h200").error());
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
