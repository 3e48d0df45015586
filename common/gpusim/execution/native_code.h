// Machine code made of a function's PTX: what the executor knows of it. What makes it is in jit/.
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

// How often a segment was executed: instructions that follow each other, counted as one where they begin.
struct NativeIssues {
  u64 warps = 0, lanes = 0;
};

// Where native code counts. Without counters this is memory that nobody reads.
struct NativeCounting {
  LaunchCounters* counters = nullptr;  // null: nobody counts
  NativeIssues* segments = nullptr;    // by pc of the first instruction
  Counters* events = nullptr;          // by pc: memory accesses and branches
  const u64* in_flight = nullptr;      // loads of all warps
};

// Why native code has stopped at an instruction.
enum class NativeStop : u8 {
  left_to_interpreter,  // only that executes it, the lanes part there, or no more may be executed
  at_barrier,           // it has been counted, and the executor does the rest
  at_exit,              // the same
  has_left,             // all lanes have, one part after the other
};

// A run of native code: all lanes of a warp, and what the code may use up; then the same of the warps that follow.
struct NativeCall {
  Executor& executor;
  const struct RuntimeCallbacks& help;
  NativeCounting counting;
  // There are observers beside the counters who hear this.
  bool tells_accesses = false, tells_shared_accesses = false, tells_branches = false, tells_meetings = false;
  bool counts_links;  // what goes from one GPU to another is counted

  Warp* warp = nullptr;
  Fragment* fragment = nullptr;
  u8* frame = nullptr;
  u8* shared = nullptr;  // the block's shared memory
  u64 shared_bytes = 0;
  WarpTurns* turns = nullptr;  // null: of this warp only
  u64 most = 0, left = 0;      // warp instructions that it may execute: at first, and now
  static constexpr u64 kNever = ~u64(0);
  u64 left_when_met = kNever;  // `left` when lanes that had parted were last together again
  bool waits = false;          // for loads in flight
  bool in_lockstep = false;    // the lanes have never parted, and follow each other in a row of threads
  NativeStop stop = NativeStop::left_to_interpreter;
};

inline constexpr u32 kCounted = 0xffffffffu;  // no segment: the instruction's issue has been counted

// What native code calls, since it is linked with nothing. Segments begin at `begin`.
struct RuntimeCallbacks {
  // The piece of global memory that holds the address, or null.
  const Allocation* (*find)(NativeCall&, u32 pc, u64 address);
  // Executes a load or store of some lanes as the interpreter does, without counting its issue. May throw what access() of
  // observers, and the executor, throw: then the segment has been counted up to here.
  void (*access)(NativeCall&, u32 begin, u32 pc, Mask);
  // Executes a shuffle, vote or the like of all lanes, without counting its issue. False: they do not name the same lanes.
  bool (*meet)(NativeCall&, u32 pc);
  // All lanes have come to where they wait for other warps, or have left. True: the code goes on with the warp of which the call is by
  // now, at its fragment's pc.
  bool (*take_turn_over)(NativeCall&, u32 pc, NativeStop);
  // Some lanes leave the kernel, which has been counted.
  void (*leave)(NativeCall&, u32 pc, Mask);
  // Tells observers of a shuffle of all lanes: lane l gets the value of lane from[l].
  void (*tell_shuffle)(NativeCall&, u32 pc, Mask members, const u32* from);
  // Tells observers beside the counters.
  void (*tell_row)(NativeCall&, const struct RowAccess&);
  void (*tell_branch)(NativeCall&, u32 pc, Mask mask, Mask taken);
  // Counts an access whose pattern has no formula.
  void (*count_row)(NativeCall&, const RowAccess&);
  // Counts the instructions [begin, end) one by one: the segment was not executed to its end.
  void (*issue_each)(NativeCall&, u32 begin, u32 end, Mask);
  // Counts one instruction.
  void (*issue)(NativeCall&, u32 pc, Mask);
  bool (*waits)(const NativeCall&);  // whether the warp has loads in flight
  // What of the instructions [begin, end), which have been executed, waits for loads in flight, and what they load.
  void (*await)(NativeCall&, u32 begin, u32 end, Mask);
  void (*loaded)(NativeCall&, u32 pc, Mask);
};

// Executes from pc, an entry, on. Returns the pc at which it stops.
using NativeFunction = u32 (*)(NativeCall&, u32 pc);

struct NativeCode {
  NativeFunction run = nullptr;
  std::vector<bool> is_entry;  // by pc
  std::vector<u32> segments;   // by pc: how many instructions the segment has that begins there; 0: none does
};

class NativeKernel;  // jit/compile.cpp

class NativeCompiler {
 public:
  virtual ~NativeCompiler() = default;
  // Null: there is none, so far at least, and the interpreter executes the function. It has done so for `seconds` since this was asked
  // last: a compiler may wait until it is worth it. May be asked by several threads.
  virtual const NativeCode* code_of(const LoadedModule&, const Function&, double seconds) = 0;
  // Whether native code tells these observers all that they want to hear; *counters: the one that it tells at once, or null.
  virtual bool can_tell(std::span<Observer* const>, LaunchCounters** counters) const = 0;
  // For a launch that these counters count, if any.
  virtual NativeCounting begin_counting(LaunchCounters*, const NativeCode&) const = 0;
  virtual const RuntimeCallbacks& help() const = 0;
};

}  // namespace gpusim
