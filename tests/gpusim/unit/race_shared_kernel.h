// A kernel that uses shared memory, told to the race check by hand: one call, one event.
#pragma once

#include <array>
#include <memory>

#include "checking/findings.h"
#include "checking/races/races_shared.h"
#include "counters_warp.h"
#include "execution/events.h"
#include "ptx/program.h"
#include "runtime/process.h"

namespace gpusim::test {

inline constexpr Mask kLow = 0x0000ffff;

enum class WarpSyncs { whole, parts };

// A kernel of 128 threads a block with `float tile[256]`. Instruction pc stands on line pc + 1.
class Kernel {
 public:
  explicit Kernel(WarpSyncs syncs = WarpSyncs::whole) {
    clear_findings();
    program_.files = {"kernel.cu"};
    program_.variables.emplace_back();
    program_.variables[0].name = "tile";
    program_.variables[0].space = Space::shared;
    program_.variables[0].size = 1024;
    program_.functions.emplace_back();
    Constant address, members;
    address.base = Constant::Base::shared;
    members.frame = kMembers;
    members.value = syncs == WarpSyncs::whole ? kAllLanes : kLow;
    program_.functions[0].constants = {address, members};
    Instruction& sync = add_instruction(Shape::warp_barrier, Type::none, 1);
    sync.s[0] = kMembers;
    info_.pretty_name = "sum";
    launch_.program = &program_;
    launch_.kernel = &info_;
    launch_.grid = {4, 1, 1};
    launch_.block = {128, 1, 1};
    launch_.warps_per_block = 4;
    launch_.static_shared_bytes = 1024;
  }
  ~Kernel() { clear_findings(); }

  // An instruction of the kernel: what load, store and atomic below take.
  u32 has(Shape shape, Type type = Type::f32, u8 vector = 1) {
    add_instruction(shape, type, vector);
    return u32(program_.code.size() - 1);
  }

  void begin(u64 block = 0) {
    if (!begun_) check_->launch_begin(launch_);
    begun_ = true;
    check_->block_begin(block);
  }
  void end(u64 block = 0) { check_->block_end(block); }
  const std::vector<Finding>& finish() {
    check_->launch_end(launch_, true);
    begun_ = false;
    return findings();
  }

  void access(u32 pc, u32 warp, Mask mask, const Addresses& address, u64 block = 0) {
    const Instruction& in = program_.code[pc];
    Access a;
    a.pc = pc;
    a.warp = warp;
    a.mask = mask;
    a.block = block;
    a.space = Space::shared;
    a.kind = in.shape == Shape::load    ? AccessKind::load
             : in.shape == Shape::store ? AccessKind::store
                                        : AccessKind::atomic;
    a.bytes = size_of(in.type) * in.vector;
    a.address = address.data();
    bool is_even = evenly && mask == kAllLanes;
    for (u32 l = 1; l < kWarpSize; ++l) is_even &= address[l] - address[l - 1] == address[1] - address[0];
    a.row = is_even ? kWarpSize : 0;
    a.instruction = &in;
    a.frame = reinterpret_cast<const u8*>(value.data());
    check_->access(a);
  }
  void lane(u32 pc, u32 thread, u64 address, u64 block = 0) {
    access(pc, thread / 32, 1u << thread % 32, strided(address, 0), block);
  }
  void syncwarp(u32 warp, Mask members, Mask here = kAllLanes) {
    Issue i;
    i.warp = warp;
    i.mask = members & here;
    check_->sync(i, SyncKind::warp_barrier, members);
  }
  void meet(SyncKind kind, u32 warp) {
    Issue i;
    i.warp = warp;
    i.mask = kAllLanes;
    check_->sync(i, kind, kAllLanes);
  }
  void syncthreads(u64 block = 0) { check_->barrier_complete(block, 0); }
  void exit(u32 warp, Mask mask) {
    Issue i;
    i.warp = warp;
    i.mask = mask;
    check_->exit(i);
  }

  std::array<u64, 4 * kWarpSize> value =
      {};  // the registers that stores store: element k of lane i is at [32 k + i]

  bool evenly = false;  // accesses say that they are even where they are (Access::row)

 private:
  static constexpr FrameOffset kMembers = 0x10000;

  Instruction& add_instruction(Shape shape, Type type, u8 vector) {
    Instruction in;
    in.shape = shape;
    in.type = type;
    in.space = Space::shared;
    in.vector = vector;
    in.s_bytes = 8;
    in.s[0] =
        u32(program_.code.size()) * kWarpSize * 8;  // an address register of its own: no two share an address
    for (u32 k = 0; k < 4; ++k) in.s[1 + k] = k * kWarpSize * 8;
    program_.code.push_back(in);
    program_.lines.push_back({0, 7, u32(program_.code.size())});
    program_.functions[0].end = u32(program_.code.size());
    return program_.code.back();
  }

  Program program_;
  KernelInfo info_;
  LaunchInfo launch_;
  std::unique_ptr<Observer> check_ = make_shared_race_check(runtime::current().gpu.findings);
  bool begun_ = false;
};

}  // namespace gpusim::test
// SPDX-License-Identifier: MIT
