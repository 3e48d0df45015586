// The state of running warps and blocks.
//
// A warp is a set of *fragments*: lanes that execute together. One fragment with all lanes is lockstep; a divergent
// branch splits a fragment, and a *join* at the branch's immediate post-dominator makes one of the parts again. A
// fragment that waits (barrier, shuffle) does not stop the others, so that lanes may meet at a barrier from
// different sides of a branch, as independent thread scheduling allows.
#pragma once

#include <cstring>
#include <memory>
#include <vector>

#include "base/base.h"
#include "ptx/program.h"

namespace gpusim {

struct alignas(64) FrameLine {
  u8 byte[64];
};

// One call of a function by some lanes of a warp.
struct Frame {
  const Function* function = nullptr;
  std::vector<FrameLine> lines;  // registers, parameters, constants: see ptx/program.h
  std::vector<u8> local;         // kWarpSize × function->local_bytes, lane by lane
  u64 local_base = 0;            // address of this call's first local byte in the thread's local memory
  Frame* caller = nullptr;
  const CallSite* site = nullptr;
  u32 return_pc = 0;
  int caller_join = -1;

  u8* bytes() { return reinterpret_cast<u8*>(lines.data()); }
  const u8* bytes() const { return reinterpret_cast<const u8*>(lines.data()); }
  std::size_t size() const { return lines.size() * sizeof(FrameLine); }
};

inline constexpr u32 kNoBranch = 0xffffffffu;

// Where the lanes of a divergent branch meet: `pending` have not come yet, `arrived` wait.
struct Join {
  u32 pc = 0;
  Mask pending = 0, arrived = 0;
  int parent = -1;  // the join at which the reunited fragment will meet others; -1: none
  Frame* frame = nullptr;
  u32 branch = kNoBranch;
};

// The cp.async copies that a warp has issued and not waited for yet. The bytes are read when the copy is issued. They arrive in shared
// memory as late as the PTX manual allows: when the thread waits for them, or leaves.
struct AsyncCopies {
  struct Copy {
    const Instruction* instruction = nullptr;
    u32 pc = 0;
    u64 number = 0;  // how many copies the warp had issued before
    Mask under_way = 0;
    u32 bytes = 0;         // per lane
    u32 group[kWarpSize];  // by lane: how many groups it had closed before
    u64 to[kWarpSize];     // by lane: the destination in the block's shared memory
    u8 data[kWarpSize][16];
  };
  // A barrier in shared memory at which a lane arrives when its copies before number `before` have ended.
  struct Arrival {
    u32 pc, lane;
    u64 barrier, before;
  };
  std::vector<Copy> copies;
  std::vector<Arrival> arrivals;
  u64 asked = 0;
  u32 closed[kWarpSize] = {};  // groups, by lane
};

enum class FragmentState : u8 { ready, at_warp_sync, at_barrier };

struct Fragment {
  u32 pc = 0;
  Mask mask = 0;
  int join = -1;               // index in Warp::joins, -1: none
  u32 rpc = kNoReconvergence;  // joins[join].pc
  Frame* frame = nullptr;
  FragmentState state = FragmentState::ready;
  Mask members = 0;        // at_warp_sync: the mask operand
  u32 barrier = 0;         // at_barrier: which
  u32 branch = kNoBranch;  // the branch that split them from other lanes of the warp, for messages
};

// The lanes of a fragment that execute the instruction: those whose guard is true.
inline Mask guarded(const Fragment& f, const Instruction& in) {
  if (in.guard == kNoOperand) return f.mask;
  Mask p;
  std::memcpy(&p, f.frame->bytes() + in.guard, sizeof p);
  return f.mask & (in.negate_guard ? ~p : p);
}

struct Block;

struct Warp {
  Block* block = nullptr;
  u32 index = 0;
  Mask alive = 0;
  std::vector<Fragment> fragments;  // the last one that is ready runs
  std::vector<Join> joins;
  std::vector<int> free_joins;
  std::vector<std::unique_ptr<Frame>> frames, idle_frames;
  std::unique_ptr<AsyncCopies> async_copies;  // null: the warp has never issued one
  // Lanes have continued from a join without the others, so a frame may be in use after lanes have returned from its call.
  bool parted = false;
};

struct Barrier {
  u32 arrived = 0;   // threads
  u32 expected = 0;  // threads; 0: every thread of the block that has not left
  u32 count = 0;     // bar.red: how many predicates were true
};

inline constexpr u32 kBarriers = 16;

struct Block {
  u64 index = 0;
  Dim3 at = {0, 0, 0};  // in the grid
  u32 live_threads = 0;
  std::vector<u8> shared;
  std::vector<Warp> warps;
  Barrier barriers[kBarriers];
  bool done() const { return live_threads == 0; }
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
