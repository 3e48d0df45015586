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
  int parent = -1;  // the join that the reunited fragment runs towards
  Frame* frame = nullptr;
  u32 branch = kNoBranch;
};

// What a warp has asked for by cp.async and not waited for yet. The bytes are read when they are asked for, and arrive in
// shared memory when the thread waits, or leaves: as late as they may.
struct AsyncCopies {
  struct Copy {
    const Instruction* instruction = nullptr;
    u32 pc = 0;
    u64 number = 0;  // how many the warp had asked for before
    Mask under_way = 0;
    u32 bytes = 0;         // of a lane
    u32 group[kWarpSize];  // of the lane: how many it had closed before
    u64 to[kWarpSize];     // in the block's shared memory
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
  u32 branch = kNoBranch;  // the branch that parted them from others of the warp: for messages
};

// The lanes of a fragment that execute the instruction: those whose guard says so.
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
  std::vector<Fragment> fragments;  // the last ready one runs
  std::vector<Join> joins;
  std::vector<int> free_joins;
  std::vector<std::unique_ptr<Frame>> frames, idle_frames;
  std::unique_ptr<AsyncCopies> async_copies;  // null: none was ever asked for
  bool was_divergent = false;                 // its lanes have executed apart
  bool parted =
      false;  // lanes have gone on from a join without the others, which may still use a call's frame
};

struct Barrier {
  u32 arrived = 0;   // threads
  u32 expected = 0;  // 0: every thread of the block that has not left
  u32 count = 0;     // bar.red: predicates that are true
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
