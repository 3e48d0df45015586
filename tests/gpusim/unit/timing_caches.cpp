// SPDX-License-Identifier: MIT
// The time model's caches where blocks share lines, and its stores to the words of structures.
#include <doctest/doctest.h>

#include <string>

#include "gpu.h"
#include "ptx/parser.h"
#include "timing/machine.h"

using namespace gpusim;
using namespace gpusim::timing;

namespace {

constexpr const char* kBegin =
    ".version 7.8\n.target sm_80\n.address_size 64\n"
    ".visible .entry kernel(.param .u64 memory) {\n"
    ".reg .b32 %r<12>; .reg .b64 %rd<8>; .reg .pred %p<4>;\n"
    "ld.param.u64 %rd1, [memory];\n"
    "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n";

// Nanoseconds without the launch's own, on an H100.
double nanoseconds_of(const std::string& body, Dim3 grid, u32 threads) {
  std::string error;
  const std::optional<Machine> machine = Machine::find("h100", &error);
  REQUIRE_MESSAGE(machine, error);
  Gpu gpu;
  const Module* module = gpu.load(kBegin + body + "ret;\n}\n", &error);
  REQUIRE_MESSAGE(module, error);
  gpu.reports.keep(true);
  gpu.reports.predict_for(*machine);
  const u64 memory = gpu.device.memory.allocate(u64(64) << 20);
  const auto fault = gpu.device.launch(*module, *module->kernel("kernel"), {grid, {threads}, 0},
                                       reinterpret_cast<const u8*>(&memory));
  REQUIRE_MESSAGE(!fault, (fault ? fault->message : ""));
  const Prediction& prediction = gpu.reports.all().back().prediction;
  return prediction.nanoseconds - prediction.launch_nanoseconds;
}

// 256 loads of a line each, which wait for each other. Each block begins `lines_apart` lines behind the one before.
std::string walk(u32 lines_apart) {
  return "mul.lo.u32 %r4, %r1, " + std::to_string(lines_apart) +
         ";\nmov.u32 %r5, 0;\n"
         "AGAIN:\nand.b32 %r6, %r4, 255; mul.wide.u32 %rd2, %r6, 128; add.s64 %rd3, %rd1, %rd2;\n"
         "ld.global.u32 %r7, [%rd3];\n"
         "add.u32 %r4, %r4, %r7; add.u32 %r4, %r4, 1; add.u32 %r5, %r5, 1;\n"
         "setp.lt.u32 %p1, %r5, 256;\n@%p1 bra AGAIN;\n";
}

// Each thread stores the first words of a structure.
std::string store_words(u32 words, u32 words_of_structure) {
  std::string text = "mad.lo.u32 %r4, %r1, %r2, %r3; mul.wide.u32 %rd2, %r4, " +
                     std::to_string(4 * words_of_structure) + "; add.s64 %rd3, %rd1, %rd2;\n";
  for (u32 word = 0; word < words; ++word)
    text += "st.global.u32 [%rd3+" + std::to_string(4 * word) + "], %r3;\n";
  return text;
}

// 64 loads by each thread: in the grid's last column of one word for all lanes, in others of a line for each lane.
constexpr const char* kOtherInLastColumn =
    "mov.u32 %r4, 0; setp.eq.u32 %p1, %r1, 47; selp.u32 %r5, 0, 128, %p1; mul.lo.u32 %r6, %r3, %r5;\n"
    "mul.wide.u32 %rd2, %r6, 1; add.s64 %rd3, %rd1, %rd2;\n"
    "AGAIN:\nld.volatile.global.u32 %r7, [%rd3];\n"
    "add.u32 %r4, %r4, 1; setp.lt.u32 %p2, %r4, 64;\n@%p2 bra AGAIN;\n";

}  // namespace

TEST_CASE(
    "blocks that read the same lines in step wait for memory, and behind one another for the L2 cache") {
  const double one = nanoseconds_of(walk(0), {1}, 32), in_step = nanoseconds_of(walk(0), {132}, 32);
  const double behind = nanoseconds_of(walk(2), {128}, 32);
  CHECK(in_step > 0.9 * one);  // an H200: 319 ns a line, of one block 362, and 184 behind one another
  CHECK(in_step < 1.1 * one);
  CHECK(behind < 0.7 * in_step);
}

TEST_CASE(
    "stores to the words of a small structure become one on their way, and of a large one they do not") {
  const double small =
      nanoseconds_of(store_words(3, 3), {8192}, 256) / nanoseconds_of(store_words(1, 3), {8192}, 256);
  const double large =
      nanoseconds_of(store_words(8, 8), {2048}, 256) / nanoseconds_of(store_words(1, 8), {2048}, 256);
  CHECK(small < 1.5);  // an H200, at 24 MiB: 0.9 and 8.2
  CHECK(large > 2.5);
}

TEST_CASE("recorded blocks are not all of one column of the grid") {
  const double last_column = nanoseconds_of(kOtherInLastColumn, {48, 48}, 256);
  const double elsewhere = nanoseconds_of(kOtherInLastColumn, {47, 48}, 256);
  CHECK(last_column > 0.8 * elsewhere);
}
