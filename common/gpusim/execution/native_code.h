// Machine code of a function, as the executor uses it. jit/ makes it.
#pragma once

#include <span>
#include <vector>

#include "base/base.h"
#include "gpusim/report.h"

namespace gpusim {

class Executor;
class LaunchCounters;
class Observer;
struct Allocation;
struct Fragment;
struct Function;
struct LoadedModule;
struct Warp;
struct WarpTurns;

// How often a segment was executed (jit/segments.h).
struct NativeIssues {
  u64 warps = 0, lanes = 0;
};

// Where native code counts. If no counters listen, it counts into memory that is thrown away.
struct NativeCounting {
  LaunchCounters* counters = nullptr;  // null: no counters listen
  NativeIssues* segments = nullptr;    // by pc of the first instruction
  Counters* events = nullptr;          // by pc: memory accesses and branches
  const u64* in_flight = nullptr;      // how many loads of all warps are in flight
};

// Why native code has stopped at an instruction.
enum class NativeStop : u8 {
  left_to_interpreter,  // only the interpreter executes it, the lanes diverge there, or the turn is over
  at_barrier,           // the instruction has been counted, and the executor does the rest
  at_exit,              // the same
  has_left,             // all lanes have left the kernel, some after others
};

// A run of native code, for all lanes of a warp and then of the warps that follow: its input, its limits and how it ended.
struct NativeCall {
  Executor& executor;
  const struct RuntimeCallbacks& help;
  NativeCounting counting;
  // Observers other than the counters want to hear this.
  bool tells_accesses = false, tells_shared_accesses = false, tells_branches = false, tells_meetings = false;
  bool counts_links;  // traffic between GPUs is counted

  Warp* warp = nullptr;
  Fragment* fragment = nullptr;
  u8* frame = nullptr;
  u8* shared = nullptr;  // the block's shared memory
  u64 shared_bytes = 0;
  WarpTurns* turns = nullptr;  // null: only this warp runs
  u64 most = 0, left = 0;      // how many warp instructions it may execute: at the start, and now
  static constexpr u64 kNever = ~u64(0);
  u64 left_when_met = kNever;  // `left` when diverged lanes last reconverged
  bool waits = false;          // the warp has loads in flight
  bool in_lockstep = false;    // the lanes have never diverged, and their threads follow each other in x
  NativeStop stop = NativeStop::left_to_interpreter;
};

inline constexpr u32 kCounted = 0xffffffffu;  // no segment: the instruction's issue has been counted

// The functions that native code calls: it is linked with nothing else. `begin`: the pc at which the segment begins.
struct RuntimeCallbacks {
  // The allocation of global memory that contains the address, or null.
  const Allocation* (*find)(NativeCall&, u32 pc, u64 address);
  // Executes a load or store of some lanes as the interpreter does, without counting its issue. Throws what the executor and access()
  // of the observers throw; the segment has then been counted up to this instruction.
  void (*access)(NativeCall&, u32 begin, u32 pc, Mask);
  // Executes an instruction at which all lanes meet (shuffle, vote …), without counting its issue. False: their masks differ.
  bool (*meet)(NativeCall&, u32 pc);
  // All lanes wait for other warps now, or have left. True: the code continues with the call's current warp, at its fragment's pc.
  bool (*take_turn_over)(NativeCall&, u32 pc, NativeStop);
  // Some lanes leave the kernel. The instruction has been counted.
  void (*leave)(NativeCall&, u32 pc, Mask);
  // Tells observers of a shuffle of all lanes: lane l gets the value of lane from[l].
  void (*tell_shuffle)(NativeCall&, u32 pc, Mask members, const u32* from);
  // Tells observers other than the counters.
  void (*tell_row)(NativeCall&, const struct RowAccess&);
  void (*tell_branch)(NativeCall&, u32 pc, Mask mask, Mask taken);
  // Counts an access whose pattern has no formula.
  void (*count_row)(NativeCall&, const RowAccess&);
  // Counts the instructions [begin, end) one by one: the segment was not executed to its end.
  void (*issue_each)(NativeCall&, u32 begin, u32 end, Mask);
  // Counts one instruction.
  void (*issue)(NativeCall&, u32 pc, Mask);
  bool (*waits)(const NativeCall&);  // whether the warp has loads in flight
  // await: the executed instructions [begin, end) waited for loads in flight. loaded: the instruction at pc has started a load.
  void (*await)(NativeCall&, u32 begin, u32 end, Mask);
  void (*loaded)(NativeCall&, u32 pc, Mask);
};

// Executes from `pc`, which must be an entry. Returns the pc at which it stops.
using NativeFunction = u32 (*)(NativeCall&, u32 pc);

struct NativeCode {
  NativeFunction run = nullptr;
  std::vector<bool> is_entry;  // by pc
  std::vector<u32> segments;   // by pc: the length of the segment that begins there; 0: none does
};

class NativeKernel;  // jit/compile.cpp

class NativeCompiler {
 public:
  virtual ~NativeCompiler() = default;
  // The function's native code; null: there is none yet. `seconds`: how long the interpreter has executed the function since the last
  // call, from which the compiler decides whether compiling pays. Several threads may call this.
  virtual const NativeCode* code_of(const LoadedModule&, const Function&, double seconds) = 0;
  // Whether native code can tell these observers everything they want to hear. *counters: the observer that it counts for, or null.
  virtual bool can_tell(std::span<Observer* const>, LaunchCounters** counters) const = 0;
  // Where native code counts in a launch; counters may be null.
  virtual NativeCounting begin_counting(LaunchCounters*, const NativeCode&) const = 0;
  virtual const RuntimeCallbacks& help() const = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
