// Two GPUs in one process share nothing.
#include <doctest/doctest.h>

#include <cstring>
#include <memory>

#include "gpu.h"

using namespace gpusim;

namespace {

// (u32* p): counter += 1 by each of the threads, which race; p[0] = its value.
constexpr const char* kPtx = R"(
.version 7.0
.target sm_80
.address_size 64
.global .align 4 .u32 counter;
.const .align 4 .u32 first = 7;
.visible .entry count(.param .u64 p) {
  .reg .b64 %rd<3>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  ld.global.u32 %r1, [counter];
  add.u32 %r2, %r1, 1;
  st.global.u32 [counter], %r2;
  st.global.u32 [%rd2], %r2;
  ret;
}
)";

struct Side {
  Gpu gpu;
  const Module* module = nullptr;
  u64 out = 0;

  explicit Side(u32 number) : gpu(number) {
    std::string error;
    module = gpu.load(kPtx, &error);
    REQUIRE_MESSAGE(module, error);
    out = gpu.device.memory.allocate(4);
  }
  std::optional<Fault> count(u64 p) {
    return gpu.device.launch(*module, *module->kernel("count"), {{2, 1, 1}, {1, 1, 1}, 0},
                             reinterpret_cast<const u8*>(&p));
  }
  u32 word(u64 address) {
    u32 value = 0;
    std::memcpy(&value, gpu.device.memory.resolve(address, 4), 4);
    return value;
  }
};

}  // namespace

TEST_CASE("two GPUs have memory, variables and addresses of their own") {
  Side a(0), b(1);
  CHECK(a.out != b.out);
  for (const char* name : {"counter", "first"}) {
    const u64 of_a = a.module->variable(name)->address, of_b = b.module->variable(name)->address;
    CHECK(of_a != of_b);
    CHECK(Memory::is_constant(of_a) == Memory::is_constant(of_b));
    CHECK_FALSE(b.gpu.device.memory.find(of_a));
    CHECK_FALSE(a.gpu.device.memory.find(of_b));
  }
  const std::size_t used = b.gpu.device.memory.used();
  a.gpu.device.memory.allocate(1000);
  CHECK(b.gpu.device.memory.used() == used);
  CHECK_FALSE(a.count(a.out));
  CHECK_FALSE(a.count(a.out));
  CHECK_FALSE(b.count(b.out));
  CHECK(a.word(a.out) == 4);
  CHECK(b.word(b.out) == 2);
  const std::optional<Fault> fault = b.count(a.out);
  REQUIRE(fault);
  CHECK(b.word(b.out) == 2);
  a.gpu.unload_modules();
  CHECK_FALSE(b.count(b.out));
}

TEST_CASE("what one GPU counts, finds and is set to is not the other's") {
  auto a = std::make_unique<Side>(0);
  Side b(1);
  a->gpu.reports.keep(true);
  CHECK(a->gpu.checks.enable("all"));
  CHECK_FALSE(a->count(a->out));
  CHECK_FALSE(b.count(b.out));
  CHECK_FALSE(b.count(b.out));
  CHECK(a->gpu.reports.all().size() == 1);
  CHECK(a->gpu.findings.errors() > 0);
  CHECK(b.gpu.reports.all().empty());
  CHECK(b.gpu.findings.all().empty());

  b.gpu.reports.keep(true);
  CHECK_FALSE(b.count(b.out));
  REQUIRE(b.gpu.reports.all().size() == 1);
  CHECK(b.gpu.reports.all()[0].launch == 3);
  CHECK(a->gpu.reports.all()[0].launch == 1);
  CHECK(a->gpu.reports.all()[0].total.warp_instructions == b.gpu.reports.all()[0].total.warp_instructions);

  a->gpu.device.budget = {1, 0};
  a->gpu.device.chosen_blocks = {0};
  a->gpu.device.schedule = Schedule::descending;
  CHECK(a->count(a->out));
  CHECK_FALSE(b.count(b.out));
  a->gpu.findings.note_fault("gone", "gone");
  CHECK(b.gpu.findings.last_fault().empty());

  a.reset();
  CHECK_FALSE(b.count(b.out));
  CHECK(b.word(b.out) == 10);
}
// SPDX-License-Identifier: MIT
