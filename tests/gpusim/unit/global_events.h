// For tests of the checks: tells one of them, by hand, what threads do to memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "checking/checks.h"
#include "execution/events.h"
#include "ptx/program.h"
#include "runtime/process.h"

namespace gpusim::test {

// A launch of `blocks` blocks of 64 threads, and an allocation of 64 words of 4 bytes. The instruction of every kind
// of access has a line of its own in /src/kernels.cuh: its enumerator.
struct GlobalEvents {
  enum Line : u32 {
    kLoad = 10,
    kStore,
    kAtomic,
    kWideLoad,
    kWideStore,
    kVolatileLoad,
    kVolatileStore,
    kFence,
    kBlockFence,
    kRelaxedLoad,
    kRelaxedStore,
    kAcquireLoad,
    kReleaseStore,
    kAcqRelAtomic,
    kWideVolatileLoad,
    kByteStore
  };

  Program program;
  KernelInfo info;
  LaunchInfo launch;
  Memory& memory = runtime::device().memory;
  std::unique_ptr<Observer> check;
  u64 base = 0;
  bool evenly = false;  // accesses say that they are even where they are (Access::row)

  explicit GlobalEvents(std::unique_ptr<Observer> (*make)(const Memory&, Findings&), u32 blocks = 3)
      : check(make(memory, runtime::current().gpu.findings)) {
    clear_findings();
    program.files = {"/src/kernels.cuh"};
    program.functions.emplace_back();
    for (u32 line = kLoad; line < kByteStore; ++line)
      add(line, line == kFence || line == kBlockFence                                  ? Type::none
                : line == kWideVolatileLoad || line == kWideLoad || line == kWideStore ? Type::u64
                                                                                       : Type::u32);
    info.pretty_name = "sum_tile";
    launch.program = &program;
    launch.kernel = &info;
    launch.grid = {blocks, 1, 1};
    launch.block = {64, 1, 1};
    launch.warps_per_block = 2;
    base = memory.allocate(64 * 4);
    std::memset(memory.resolve(base, 256), 0, 256);
    check->allocated(*memory.find(base));
  }
  ~GlobalEvents() {
    check->freed(*memory.find(base));
    memory.release(base);
    clear_findings();
  }
  void add(u32 line, Type type) {
    Instruction in;
    const auto is = [line](std::initializer_list<u32> lines) {
      return std::ranges::find(lines, line) != lines.end();
    };
    in.shape = is({kFence, kBlockFence}) ? Shape::fence
               : is({kLoad, kVolatileLoad, kRelaxedLoad, kAcquireLoad, kWideVolatileLoad, kWideLoad})
                   ? Shape::load
               : is({kAtomic, kAcqRelAtomic}) ? Shape::atomic
                                              : Shape::store;
    in.order = is({kVolatileLoad, kVolatileStore, kWideVolatileLoad}) ? MemoryOrder::volatile_
               : is({kAtomic, kRelaxedLoad, kRelaxedStore})           ? MemoryOrder::relaxed
               : is({kAcquireLoad})                                   ? MemoryOrder::acquire
               : is({kReleaseStore})                                  ? MemoryOrder::release
               : is({kAcqRelAtomic})                                  ? MemoryOrder::acq_rel
                                                                      : MemoryOrder::weak;
    in.block_scope = line == kBlockFence;
    in.type = type;
    in.space = Space::global;
    in.s_bytes = u8(size_of(type));
    in.s[1] = 0;
    program.code.push_back(in);
    program.lines.push_back({0, 5, line});
    program.functions[0].end = u32(program.code.size());
  }

  void begin() {
    check->launch_begin(launch);
    for (u64 block = 0; block < launch.grid.count(); ++block) check->block_begin(block);
  }
  void end() {
    for (u64 block = 0; block < launch.grid.count(); ++block) check->block_end(block);
    check->launch_end(launch, true);
  }

  // Lanes of a warp touch one word each, `first` that of lane 0, the others `step` words on; they store value + lane.
  void warp(Line line, u64 block, u32 warp, Mask mask, u32 first, u32 step = 1, u32 value = 0,
            u32 value_step = 1) {
    const u32 pc = line - kLoad;
    const Instruction& in = program.code[pc];
    const u32 bytes = size_of(in.type);
    u64 address[kWarpSize];
    u8 frame[kWarpSize * 8];
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
      address[lane] = base + bytes * (first + lane * step);
      const u64 stored = value + lane * value_step;
      std::memcpy(frame + lane * bytes, &stored, bytes);
    }
    Access a;
    static_cast<Issue&>(a) = {pc, mask, block, warp};
    a.kind = in.shape == Shape::load    ? AccessKind::load
             : in.shape == Shape::store ? AccessKind::store
                                        : AccessKind::atomic;
    a.bytes = bytes;
    a.address = address;
    a.row = evenly && mask == kAllLanes ? kWarpSize : 0;
    a.instruction = &in;
    a.frame = frame;
    check->issue(a);
    check->access(a);
    if (a.kind != AccessKind::store) return;
    for (u32 lane = 0; lane < kWarpSize; ++lane)
      if (mask >> lane & 1) std::memcpy(memory.resolve(address[lane], bytes), frame + lane * bytes, bytes);
  }
  // One thread, one word.
  void one(Line line, u64 block, u32 thread, u32 word, u32 value = 0) {
    warp(line, block, thread / kWarpSize, Mask(1) << thread % kWarpSize, word, 0, value, 0);
  }
  void fence(u64 block, u32 thread, Line line = kFence) {
    check->fence({line - kLoad, Mask(1) << thread % kWarpSize, block, thread / kWarpSize});
  }
  void barrier(u64 block) { check->barrier_complete(block, 0); }
  void warp_barrier(u64 block, u32 warp, Mask members = kAllLanes) {
    check->sync({0, members, block, warp}, SyncKind::warp_barrier, members);
  }
};

}  // namespace gpusim::test
// SPDX-License-Identifier: MIT
