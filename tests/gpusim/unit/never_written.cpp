// Reads of memory that nothing has written, and memory that is never freed.
#include <doctest/doctest.h>

#include <algorithm>

#include "checking/leaks.h"
#include "execution/events.h"
#include "global_events.h"
#include "runtime_module.h"

using namespace gpusim;
using namespace gpusim::test;

namespace {

struct Memories : GlobalEvents {
  Memories() : GlobalEvents(make_memory_check) { begin(); }
  std::size_t found() {
    end();
    const std::size_t found = findings().size();
    begin();
    return found;
  }
};

// What a program's own calls tell an observer.
struct Listener final : SerialObserver {
  u64 allocations = 0, frees = 0;
  std::vector<std::pair<u64, std::size_t>> written;
  Listener() { runtime::device().observers.push_back(this); }
  ~Listener() override { std::erase(runtime::device().observers, this); }
  Interests interests() const override { return Interests::nothing(); }
  void allocated(const Allocation&) override { ++allocations; }
  void freed(const Allocation&) override { ++frees; }
  void host_wrote(u64 address, std::size_t bytes) override { written.push_back({address, bytes}); }
};

}  // namespace

TEST_CASE("a read of what neither the host nor a kernel has written is found once per place") {
  Memories m;
  m.warp(Memories::kLoad, 1, 1, 0x0000000f, 3);
  m.warp(Memories::kLoad, 1, 1, 0x0000000f, 3);
  REQUIRE(m.found() == 1);
  const Finding& f = findings()[0];
  CHECK(f.check == "never written");
  CHECK(f.severity == Severity::error);
  CHECK(f.place.line == Memories::kLoad);
  CHECK(f.count == 8);
  CHECK(
      f.message ==
      "block 1, thread 32 (warp 1, lane 0) reads 4 bytes at offset 12 of an allocation of 256 bytes that nothing "
      "has written: initialise it (cudaMemset, cudaMemcpy, or store before reading)");
}

TEST_CASE("what the host has written may be read, and no byte beyond") {
  Memories m;
  m.check->host_wrote(m.base + 8, 4 * 31 + 3);  // words 2 to 32, and three bytes of word 33
  m.warp(Memories::kLoad, 0, 0, 0x7fffffff, 2);
  CHECK(m.found() == 0);
  m.one(Memories::kLoad, 0, 0, 33);
  CHECK(m.found() == 1);
  m.check->host_wrote(m.base + 8 + 4 * 31 + 3, 1);
  clear_findings();
  m.one(Memories::kLoad, 0, 0, 33);
  CHECK(m.found() == 0);
  m.one(Memories::kLoad, 0, 0, 1);
  CHECK(m.found() == 1);
}

TEST_CASE("what a kernel has stored may be read, in this launch and in later ones") {
  Memories m;
  m.warp(Memories::kStore, 0, 0, kAllLanes, 0);
  m.warp(Memories::kLoad, 1, 0, kAllLanes, 0);
  CHECK(m.found() == 0);
  m.warp(Memories::kLoad, 2, 0, kAllLanes, 0);
  CHECK(m.found() == 0);
  m.warp(Memories::kLoad, 2, 1, kAllLanes, 1);
  CHECK(m.found() == 1);
  CHECK(findings()[0].count == 1);
}

TEST_CASE("an atomic reads: it needs a first value, and gives one") {
  Memories m;
  m.one(Memories::kAtomic, 0, 0, 0);
  CHECK(m.found() == 1);
  clear_findings();
  m.one(Memories::kAtomic, 0, 0, 0);
  m.one(Memories::kLoad, 0, 0, 0);
  CHECK(m.found() == 0);
}

TEST_CASE("memory that was allocated before the check was attached, or by the host, counts as written") {
  Memories m;
  const u64 ours = m.base;
  m.base = m.memory.allocate(256);
  m.one(Memories::kLoad, 0, 0, 0);
  m.memory.release(m.base);
  m.base = m.memory.allocate(256, MemoryKind::module_variable);
  m.check->allocated(*m.memory.find(m.base));
  m.one(Memories::kLoad, 0, 0, 0);
  m.memory.release(m.base);
  m.base = ours;
  CHECK(m.found() == 0);
}

TEST_CASE("shared memory is unwritten when a block begins, whatever another block stored") {
  Memories m;
  m.launch.static_shared_bytes = 256;
  m.begin();
  u64 address[kWarpSize];
  for (u32 lane = 0; lane < kWarpSize; ++lane) address[lane] = 4 * lane;
  const auto access = [&](AccessKind kind, u64 block, u32 warp, Mask mask) {
    Access a;
    static_cast<Issue&>(a) = {0, mask, block, warp};
    a.space = Space::shared;
    a.kind = kind;
    a.bytes = 4;
    a.address = address;
    m.check->access(a);
  };
  access(AccessKind::store, 0, 0, kAllLanes);
  access(AccessKind::load, 0, 1, kAllLanes);
  access(AccessKind::store, 1, 0, 0x0000ffff);
  access(AccessKind::load, 1, 0, 0x0000ffff);
  CHECK(m.found() == 0);
  access(AccessKind::store, 0, 0, kAllLanes);
  access(AccessKind::store, 1, 0, 0x0000ffff);
  access(AccessKind::load, 1, 1, kAllLanes);
  CHECK(m.found() == 1);
  CHECK(findings()[0].count == 16);
  CHECK(findings()[0].message.find("block 1, thread 16 (warp 0, lane 16) had not stored to byte 64 of "
                                   "shared memory when block 1, thread 48 (warp 1, lane 16) read it") == 0);
}

TEST_CASE_FIXTURE(runtime_test::FreshDevice,
                  "the runtime tells observers what it allocates, frees and writes") {
  Listener heard;
  char *d = nullptr, *pinned = nullptr, *managed = nullptr, host[16] = {};
  cudaMalloc(&d, 16), cudaMallocHost(&pinned, 16), cudaMallocManaged(&managed, 16);
  CHECK(heard.allocations == 3);
  cudaMemcpy(d, host, 16, cudaMemcpyHostToDevice);
  cudaMemset(d + 4, 0, 2);
  cudaMemcpy2D(d, 8, host, 4, 3, 2, cudaMemcpyHostToDevice);
  const int values[4] = {};
  cudaMemcpyToSymbol((const void*)&runtime_test::table, values, 16, 0, cudaMemcpyHostToDevice);
  const u64 base = reinterpret_cast<u64>(d);
  REQUIRE(heard.written.size() == 5);
  CHECK(heard.written[0] == std::pair(base, std::size_t(16)));
  CHECK(heard.written[1] == std::pair(base + 4, std::size_t(2)));
  CHECK(heard.written[2] == std::pair(base, std::size_t(3)));
  CHECK(heard.written[3] == std::pair(base + 8, std::size_t(3)));
  CHECK(heard.written[4].second == 16);
  cudaFree(d), cudaFreeHost(pinned);
  CHECK(heard.frees == 2);
  cudaDeviceReset();
  CHECK(heard.frees == 3);
}

TEST_CASE_FIXTURE(runtime_test::FreshDevice,
                  "a leak is a warning for each allocation that lives, and names its size and its release") {
  clear_findings();
  report_leaks(runtime::device().memory, runtime::current().gpu.findings);
  CHECK(findings().empty());
  void *d = nullptr, *freed = nullptr, *pinned = nullptr, *managed = nullptr;
  cudaMalloc(&d, 1024), cudaMalloc(&freed, 512), cudaMallocHost(&pinned, 1), cudaMallocManaged(&managed, 8);
  cudaFree(freed);
  report_leaks(runtime::device().memory, runtime::current().gpu.findings);
  CHECK(findings().size() == 3);
  const auto says = [](const char* text) {
    return std::ranges::count_if(findings(), [&](const Finding& f) {
      return f.check == "leak" && f.severity == Severity::warning &&
             f.message.find(text) != std::string::npos;
    });
  };
  CHECK(says("1024 bytes from cudaMalloc (allocation #") == 1);
  CHECK(says("were never freed: call cudaFree") == 2);
  CHECK(says("1 byte from cudaMallocHost") == 1);
  clear_findings();
}
// SPDX-License-Identifier: MIT
