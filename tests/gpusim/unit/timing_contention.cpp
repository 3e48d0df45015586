// The time model where lanes get in each other's way: compare-and-swap on one word, and warps that ask for the same lines.
#include <doctest/doctest.h>

#include <string>

#include "gpu.h"
#include "ptx/parser.h"
#include "timing/launch_record.h"
#include "timing/machine.h"
#include "timing/swap_contention.h"

using namespace gpusim;
using namespace gpusim::timing;

namespace {

Machine h100() {
  std::string error;
  std::optional<Machine> found = Machine::find("h100", &error);
  REQUIRE_MESSAGE(found, error);
  return *found;
}

constexpr const char* kHead = ".version 7.8\n.target sm_80\n.address_size 64\n";

// Each thread adds 1 to a word: to that of its number, of which `mask` leaves some bits. `again`: what it does if its swap fails.
std::string swap_kernel(int mask, const std::string& again) {
  return std::string(kHead) +
         ".visible .entry swap(.param .u64 words) {\n"
         ".reg .b32 %r<10>; .reg .b64 %rd<4>; .reg .pred %p<2>;\n"
         "ld.param.u64 %rd1, [words];\n"
         "mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;\n"
         "mad.lo.s32 %r4, %r1, %r2, %r3; and.b32 %r4, %r4, " +
         std::to_string(mask) +
         ";\nmul.wide.u32 %rd2, %r4, 4; add.s64 %rd3, %rd1, %rd2;\n"
         "ld.global.u32 %r5, [%rd3];\n"
         "AGAIN:\nmov.u32 %r6, %r5; add.s32 %r7, %r6, 1;\n"
         "atom.global.cas.b32 %r5, [%rd3], %r6, %r7;\n"
         "setp.ne.s32 %p1, %r5, %r6;\n" +
         again + "\nret;\n}\n";
}
constexpr const char* kUntilItSucceeds = "@%p1 bra AGAIN;";
constexpr const char* kOnce = "@%p1 bra DONE;\nDONE:";

double nanoseconds_of(const std::string& ptx, u32 blocks) {
  Gpu gpu;
  std::string error;
  const Module* module = gpu.load(ptx, &error);
  REQUIRE_MESSAGE(module, error);
  gpu.reports.keep(true);
  gpu.reports.predict_for(h100());
  const u64 words = gpu.device.memory.allocate(u64(blocks) * 256 * 4);
  const auto fault = gpu.device.launch(*module, *module->kernel("swap"), {{blocks}, {256}, 0},
                                       reinterpret_cast<const u8*>(&words));
  REQUIRE_MESSAGE(!fault, (fault ? fault->message : ""));
  const Prediction& prediction = gpu.reports.all().back().prediction;
  return prediction.nanoseconds - prediction.launch_nanoseconds;
}

}  // namespace

TEST_CASE("a compare-and-swap is made until it succeeds where its answer leads back to it") {
  const auto loops = [](const std::string& again) {
    const Program program = ptx::parse(swap_kernel(0, again));
    const ProgramCosts costs = costs_of(program, h100());
    for (u32 pc = 0; pc < program.code.size(); ++pc)
      if (program.code[pc].op == Op::atom_cas) return swaps_until_it_succeeds(program, costs, pc);
    return false;
  };
  CHECK(loops(kUntilItSucceeds));
  CHECK_FALSE(loops(kOnce));
  // One that tries the next word.
  CHECK_FALSE(loops("add.s64 %rd3, %rd3, 4; @%p1 bra AGAIN;"));
  // A loop that goes round whatever the answer is.
  CHECK_FALSE(loops("add.s32 %r8, %r8, 1; setp.lt.s32 %p1, %r8, 4; @%p1 bra AGAIN;"));
}

TEST_CASE("the fewer the words on which lanes swap, the longer each lane tries") {
  const auto of_words = [](int words) {
    return nanoseconds_of(swap_kernel(words - 1, kUntilItSucceeds), 128);
  };
  const double each_its_own = of_words(32768);
  CHECK(of_words(8192) >= each_its_own);
  CHECK(of_words(1024) > 3 * of_words(8192));
  CHECK(of_words(32) > 8 * of_words(1024));
  // An H100 takes 116 ms for 33,792 lanes on one word, and they make 4759 attempts each.
  CHECK(of_words(1) > 1e8);
  CHECK(of_words(1) < 1e9);
  // With 32 lanes on a word a lane is the last of 32 to succeed: no swap on the word begins before the one that succeeded has
  // come back.
  const Machine m = h100();
  CHECK(of_words(1024) > 32 * m.global_atomic_latency * m.derived.nanoseconds);
}

TEST_CASE("what a block brings from memory counts, whichever of its warps asks for it first") {
  const Program program =
      ptx::parse(std::string(kHead) +
                 ".visible .entry k(.param .u64 p) {\n.reg .b64 %rd<2>; .reg .f32 %f<3>;\n"
                 "ld.param.u64 %rd1, [p];\nld.global.f32 %f1, [%rd1];\n"
                 "ld.global.f32 %f2, [%rd1+128];\nst.global.f32 [%rd1], %f1;\nret;\n}\n");
  LaunchRecord record;
  record.launch.program = &program;
  record.l1_bytes = 1 << 14;
  const auto step = [](u32 pc, u32 touched) {
    Step made;
    made.pc = pc;
    made.lines = 1;
    made.touched = touched;
    return made;
  };
  // The warp that was recorded first brings line 2 with its second load. On a multiprocessor the other warp's first load is earlier.
  BlockRecord block;
  block.warps.resize(2);
  block.warps[0] = {{step(1, 0), step(2, 1)}, {{1, 15, 15}, {2, 15, 15}}};
  block.warps[1] = {{step(1, 0), step(2, 1)}, {{2, 15, 0}, {3, 15, 15}}};
  pass_l1(record, block, {});
  u32 sectors = 0;
  for (const WarpRecord& warp : block.warps)
    for (const Step& each : warp.steps) sectors += each.memory;
  CHECK(sectors == 12);  // three lines
  CHECK(block.warps[1].steps[0].memory == 4);
  CHECK(block.warps[0].steps[1].memory == 0);
}
// SPDX-License-Identifier: MIT
