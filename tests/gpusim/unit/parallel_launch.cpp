// Blocks on several host threads: whatever a program can see is as if they had run one after another. Built as a program of its
// own with -fsanitize=thread as well.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "execution/events.h"
#include "gpu.h"

using namespace gpusim;

#ifdef __SANITIZE_THREAD__
// Blocks that depend on each other do race, in the bytes of simulated memory: what comes of it is thrown away. So is what a row of
// lanes reads for those that take no part. And a page may be copied while another thread stores there: then that thread's copy, or
// an earlier one, is the one that counts.
extern "C" const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() {
  return "race:gpusim::MemoryPipe::to_register\nrace:gpusim::MemoryPipe::from_register\n"
         "race:load_row<\nrace:store_row<\nrace:gpusim::SavedPages::save\n";
}
constexpr bool kIsSlow = true;
#else
constexpr bool kIsSlow = false;
#endif

namespace {

// Kernels (u32* p, u32* q, u32 n) of threads i = blockIdx.x × blockDim.x + threadIdx.x.
constexpr const char* kHead = R"(
.version 7.0
.target sm_80
.address_size 64
)";
struct KernelText {
  const char* name;
  const char* body;  // %r4: i, %rd1: p, %rd2: q, %rd3: &p[i], %rd4: &q[i], %p1: i >= n
};
constexpr KernelText kKernels[] = {
    // q[i] = 3 p[i] + 1 for i < n
    {"copy", R"(
  @%p1 bra END;
  ld.global.u32 %r5, [%rd3];
  mad.lo.u32 %r6, %r5, 3, 1;
  st.global.u32 [%rd4], %r6;
END: ret;)"},
    // q[block] = the sum of p over the block's threads, by halves in shared memory
    {"sum", R"(
  ld.global.u32 %r5, [%rd3];
  mov.u32 %r6, %tid.x;
  shl.b32 %r7, %r6, 2;
  mov.u32 %r8, tile;
  add.u32 %r7, %r7, %r8;
  st.shared.u32 [%r7], %r5;
  bar.sync 0;
  mov.u32 %r9, %ntid.x;
LOOP:
  shr.u32 %r9, %r9, 1;
  setp.ge.u32 %p2, %r6, %r9;
  @%p2 bra SKIP;
  shl.b32 %r10, %r9, 2;
  add.u32 %r10, %r7, %r10;
  ld.shared.u32 %r11, [%r10];
  ld.shared.u32 %r12, [%r7];
  add.u32 %r12, %r12, %r11;
  st.shared.u32 [%r7], %r12;
SKIP:
  bar.sync 0;
  setp.gt.u32 %p3, %r9, 1;
  @%p3 bra LOOP;
  setp.ne.u32 %p2, %r6, 0;
  @%p2 bra END;
  ld.shared.u32 %r12, [tile];
  mov.u32 %r13, %ctaid.x;
  mul.wide.u32 %rd5, %r13, 4;
  add.u64 %rd5, %rd2, %rd5;
  st.global.u32 [%rd5], %r12;
END: ret;)"},
    // q[i] = what a thread of another warp has put into shared memory, or has not: no barrier lies between
    {"race", R"(
  mov.u32 %r6, %tid.x;
  shl.b32 %r7, %r6, 2;
  mov.u32 %r8, tile;
  add.u32 %r7, %r7, %r8;
  st.shared.u32 [%r7], %r6;
  xor.b32 %r7, %r7, 128;
  ld.shared.u32 %r5, [%r7];
  st.global.u32 [%rd4], %r5;
  ret;)"},
    // p[i] += p[i + n]: of the next block, which may have changed it
    {"neighbour", R"(
  mul.wide.u32 %rd5, %r3, 4;
  add.u64 %rd5, %rd3, %rd5;
  ld.global.u32 %r5, [%rd5];
  ld.global.u32 %r6, [%rd3];
  add.u32 %r6, %r6, %r5;
  st.global.u32 [%rd3], %r6;
  ret;)"},
    // p[i] = p[n + i / 16] + p[n + i % 16]: what half a warp reads is one element, and a row of them
    {"rows", R"(
  shr.u32 %r5, %r4, 4;
  and.b32 %r6, %r4, 15;
  add.u32 %r5, %r5, %r3;
  add.u32 %r6, %r6, %r3;
  mul.wide.u32 %rd5, %r5, 4;
  mul.wide.u32 %rd6, %r6, 4;
  add.u64 %rd5, %rd1, %rd5;
  add.u64 %rd6, %rd1, %rd6;
  ld.global.u32 %r5, [%rd5];
  ld.global.u32 %r6, [%rd6];
  add.u32 %r6, %r6, %r5;
  st.global.u32 [%rd3], %r6;
  ret;)"},
    // p[i] = one of the bytes from n on, which lie in rows of eight far apart
    {"scattered", R"(
  shr.u32 %r5, %r4, 3;
  mul.lo.u32 %r5, %r5, 4099;
  rem.u32 %r5, %r5, 4096;
  and.b32 %r6, %r4, 7;
  shl.b32 %r5, %r5, 3;
  add.u32 %r5, %r5, %r6;
  add.u32 %r5, %r5, %r3;
  cvt.u64.u32 %rd5, %r5;
  add.u64 %rd5, %rd1, %rd5;
  ld.global.u8 %r5, [%rd5];
  st.global.u32 [%rd3], %r5;
  ret;)"},
    // q[i] = p[j] + p[j + 1] + p[j + 2] + p[j + 3] for a j all over, which nobody can tell before (of exclusive ors)
    {"gather", R"(
  mul.lo.u32 %r5, %r4, 2654435761;
  shr.u32 %r5, %r5, 18;
  xor.b32 %r5, %r5, 1;
  mul.wide.u32 %rd5, %r5, 4;
  add.u64 %rd5, %rd1, %rd5;
  ld.global.u32 %r5, [%rd5];
  ld.global.u32 %r6, [%rd5+4];
  ld.global.u32 %r7, [%rd5+8];
  ld.global.u32 %r8, [%rd5+12];
  add.u32 %r5, %r5, %r6;
  add.u32 %r7, %r7, %r8;
  add.u32 %r5, %r5, %r7;
  st.global.u32 [%rd4], %r5;
  ret;)"},
    // q[0] = 7, by all
    {"same", R"(
  st.global.u32 [%rd2], 7;
  ret;)"},
    // q[0] = i, by all: the last block's last thread wins
    {"last", R"(
  st.global.u32 [%rd2], %r4;
  ret;)"},
    // q[i % n] += 1, atomically, at a generic address
    {"count", R"(
  rem.u32 %r5, %r4, %r3;
  mul.wide.u32 %rd5, %r5, 4;
  add.u64 %rd5, %rd2, %rd5;
  cvta.global.u64 %rd5, %rd5;
  atom.add.u32 %r6, [%rd5], 1;
  ret;)"},
    // q[i % n] += 1, q[1] = max(q[1], i), and q[2] += i / 3 as floats, atomically; nobody reads what was there
    {"reduce", R"(
  rem.u32 %r5, %r4, %r3;
  add.u32 %r5, %r5, 3;
  mul.wide.u32 %rd5, %r5, 4;
  add.u64 %rd5, %rd2, %rd5;
  atom.global.add.u32 %r6, [%rd5], 1;
  red.global.max.u32 [%rd2+4], %r4;
  cvt.rn.f32.u32 %f1, %r4;
  mul.f32 %f1, %f1, 0f3EAAAAAB;
  red.global.add.f32 [%rd2+8], %f1;
  ret;)"},
    // q[1] = max(q[1], n): in vain, but for the first
    {"maximum", R"(
  red.global.max.u32 [%rd2+4], %r3;
  ret;)"},
    // p[i] += 1, atomically, and q[i] = what p[i + n] is
    {"looks", R"(
  red.global.add.u32 [%rd3], 1;
  mul.wide.u32 %rd5, %r3, 4;
  add.u64 %rd5, %rd3, %rd5;
  ld.global.u32 %r5, [%rd5];
  st.global.u32 [%rd4], %r5;
  ret;)"},
    // q[i] = p[i], and thread n writes far outside
    {"fault", R"(
  ld.global.u32 %r5, [%rd3];
  st.global.u32 [%rd4], %r5;
  setp.ne.u32 %p2, %r4, %r3;
  @%p2 bra END;
  mov.u64 %rd5, 64;
  st.global.u32 [%rd5], %r5;
END: ret;)"},
    // q[i] = p[i], p never written; then all but thread n write q again
    {"unwritten", R"(
  ld.global.u32 %r5, [%rd3];
  setp.eq.u32 %p2, %r4, %r3;
  @%p2 bra END;
  st.global.u32 [%rd4], %r5;
END: ret;)"},
    // threads from n on wait for a change of p[0] that nobody makes, without volatile
    {"endless", R"(
  setp.lt.u32 %p2, %r4, %r3;
  @%p2 bra END;
LOOP:
  ld.global.u32 %r5, [%rd1];
  setp.ne.u32 %p2, %r5, 77;
  @%p2 bra LOOP;
END: ret;)"},
    // q[i] = the time, which depends on what has run before
    {"clocks", R"(
  mov.u32 %r5, %clock;
  st.global.u32 [%rd4], %r5;
  ret;)"},
};

std::string ptx() {
  std::string text = kHead;
  for (const KernelText& kernel : kKernels)
    text += std::string(".visible .entry ") + kernel.name +
            R"((.param .u64 pp, .param .u64 pq, .param .u32 pn) {
  .reg .b64 %rd<9>;
  .reg .b32 %r<16>;
  .reg .pred %p<4>;
  .reg .f32 %f<2>;
  .shared .align 512 .b8 tile[512];
  ld.param.u64 %rd1, [pp];
  ld.param.u64 %rd2, [pq];
  ld.param.u32 %r3, [pn];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r4;
  mul.wide.u32 %rd3, %r4, 4;
  add.u64 %rd4, %rd2, %rd3;
  add.u64 %rd3, %rd1, %rd3;
  setp.ge.u32 %p1, %r4, %r3;
)" + kernel.body +
            "\n}\n";
  return text;
}

// How often a launch was shared out.
class Watch final : public Observer {
 public:
  u32 shared = 0;
  Interests interests() const override { return Interests::nothing(); }
  Observer* shard(u32, u32) override { return &nobody_; }
  bool found_something(u32) const override { return false; }
  void merge_shards(u32) override { ++shared; }

 private:
  struct NullObserver final : SerialObserver {
    Interests interests() const override { return Interests::nothing(); }
  };
  NullObserver nobody_;
};

constexpr u32 kBlocks = 150, kThreads = 128, kCount = kBlocks * kThreads;

// Everything that can be seen of some launches.
struct Seen {
  std::vector<u8> p, q;
  std::string text;
  u32 shared = 0;
};

struct Case {
  const char* name;
  const char* kernel;
  u32 n;
  bool is_p_written = true;
  u32 shared =
      0;  // launches of two that are shared out for certain, without checks (others are if one thread runs all blocks)
  u32 shared_with_checks = 0;
};
constexpr Case kCases[] = {
    {"apart", "copy", kCount - 77, true, 2, 2},
    {"shared memory and barriers", "sum", 0, true, 2, 2},
    {"a race in shared memory", "race", 0, true, 2, 0},
    {"a neighbour's element", "neighbour", kThreads, true, 0, 0},
    {"a neighbour that nobody writes", "neighbour", kCount, true, 2, 2},
    {"rows of lanes, apart", "rows", kCount, true, 2, 2},
    {"rows of lanes that others write", "rows", 7, true, 0, 0},
    {"bytes in short rows, apart", "scattered", kCount * 4, true, 2, 2},
    {"bytes in short rows that others write", "scattered", kCount * 4 - 3, true, 0, 0},
    {"elements all over", "gather", 0, true, 0, 0},
    {"the same value everywhere", "same", 0, true, 0, 0},
    {"the last one wins", "last", 0, true, 0, 0},
    {"a generic atomic", "count", 1000, true, 0, 0},
    {"atomics whose results nobody reads", "reduce", 1000, true, 2, 2},
    {"atomics that change nothing", "maximum", 1u << 31, true, 0, 0},
    {"atomics and who looks at them", "looks", 3000, true, 0, 0},
    {"a fault in a late block", "fault", kCount - 300, true, 0, 0},
    {"what nothing has written", "unwritten", 5000, false, 2, 0},
    {"an endless loop in a late block", "endless", kCount - 20, true, 0, 0},
    {"clocks", "clocks", 0, true, 0, 0},
};

Seen run(const Case& c, u32 threads, const char* checks, Schedule schedule, StartOrder order) {
  Gpu gpu;
  Watch watch;
  gpu.device.host_threads = threads;
  gpu.device.schedule = schedule;
  gpu.device.start_order = order;
  if (c.kernel == std::string("endless")) gpu.device.budget = {1 << 18, 0};
  gpu.device.observers.push_back(&watch);
  gpu.reports.keep(true);
  REQUIRE(gpu.checks.enable(checks));
  std::string error;
  const Module* const module = gpu.load(ptx(), &error);
  REQUIRE_MESSAGE(module, error);
  struct {
    u64 p, q;
    u32 n;
  } arguments = {};
  arguments.n = c.n;
  const std::size_t bytes = 2 * kCount * 4;
  Memory& memory = gpu.device.memory;
  arguments.p = memory.allocate(bytes);
  arguments.q = memory.allocate(bytes);
  for (const u64 base : {arguments.p, arguments.q})
    for (Observer* o : gpu.device.observers) o->allocated(*memory.find(base));
  const auto write = [&](u64 base) {
    u8* const to = memory.resolve(base, bytes);
    for (u32 k = 0; k < bytes / 4; ++k) {
      const u32 value = k < 3 ? 0 : k * 2654435761u >> 7;
      std::memcpy(to + 4 * std::size_t(k), &value, 4);
    }
    for (Observer* o : gpu.device.observers) o->host_wrote(base, bytes);
  };
  if (c.is_p_written) write(arguments.p);
  write(arguments.q);
  Seen seen;
  // A second launch begins where the first one ended: with what the checks know by then.
  for (int k = 0; k < 2; ++k) {
    const auto fault =
        gpu.device.launch(*module, *module->kernel(c.kernel), {{kBlocks, 1, 1}, {kThreads, 1, 1}, 0},
                          reinterpret_cast<const u8*>(&arguments));
    if (fault) seen.text += "fault: " + fault->message + "\n";
  }
  for (const Report& report : gpu.reports.all()) seen.text += to_json(report);
  for (const Finding& f : gpu.findings.all()) seen.text += to_text(f) + " " + std::to_string(f.count) + "\n";
  const auto all_of = [&](u64 base) {
    const u8* const first = memory.resolve(base, bytes);
    return std::vector<u8>(first, first + bytes);
  };
  seen.p = all_of(arguments.p);
  seen.q = all_of(arguments.q);
  seen.shared = watch.shared;
  std::erase(gpu.device.observers, &watch);
  return seen;
}

}  // namespace

TEST_CASE("any number of host threads: the same memory, counters, findings and faults") {
  for (const Case& c : kCases)
    for (const char* checks : {"none", "all"})
      for (const Schedule schedule : {Schedule::lockstep, Schedule::descending})
        for (const StartOrder order : {StartOrder::first_to_last, StartOrder::shuffled}) {
          if (schedule != Schedule::lockstep && order != StartOrder::first_to_last) continue;
          if (kIsSlow && (schedule != Schedule::lockstep || order != StartOrder::first_to_last)) continue;
          const bool is_checked = checks == std::string("all");
          const Seen alone = run(c, 1, checks, schedule, order);
          CHECK(alone.shared == 0);
          for (const u32 threads : {2, 7}) {
            CAPTURE(std::string(c.name));
            CAPTURE(std::string(checks));
            CAPTURE(threads);
            const Seen several = run(c, threads, checks, schedule, order);
            CHECK(several.text == alone.text);
            CHECK(several.p == alone.p);
            CHECK(several.q == alone.q);
            CHECK(several.shared >= (is_checked ? c.shared_with_checks : c.shared));
          }
        }
}

TEST_CASE("few blocks, and turns that a test has set, run on one host thread") {
  struct Row {
    u32 blocks;
    std::vector<unsigned> lengths;
    u32 shared;
  };
  for (const Row& row : {Row{200, {}, 1}, Row{100, {}, 0}, Row{200, {3, 1}, 0}}) {
    Gpu gpu;
    Watch watch;
    gpu.device.host_threads = 4;
    gpu.device.turns = {row.lengths, 0};
    gpu.device.observers.push_back(&watch);
    std::string error;
    const Module* const module = gpu.load(ptx(), &error);
    REQUIRE_MESSAGE(module, error);
    struct {
      u64 p, q;
      u32 n = 1 << 20;
    } arguments = {gpu.device.memory.allocate(1 << 20), gpu.device.memory.allocate(1 << 20)};
    CHECK_FALSE(gpu.device.launch(*module, *module->kernel("copy"), {{row.blocks, 1, 1}, {kThreads, 1, 1}, 0},
                                  reinterpret_cast<const u8*>(&arguments)));
    CHECK(watch.shared == row.shared);
    std::erase(gpu.device.observers, &watch);
  }
}

TEST_CASE("two threads leave to one what takes longer to note than to do; seven do not") {
  struct Row {
    const char* kernel;
    u32 threads, shared;
  };
  for (const Row& row : {Row{"gather", 2, 0}, Row{"gather", 7, 2}, Row{"copy", 2, 2}}) {
    CAPTURE(std::string(row.kernel));
    CAPTURE(row.threads);
    const Case c = {"", row.kernel, kCount - 77};
    CHECK(run(c, row.threads, "none", Schedule::lockstep, StartOrder::first_to_last).shared == row.shared);
  }
}
// SPDX-License-Identifier: MIT
