// Machine code made of a function's PTX: what the executor knows of it. What makes it is in native/.
#pragma once

#include <span>
#include <vector>

#include "base.h"
#include "device/warp.h"

namespace gpusim {

class Executor;
class LaunchCounters;
class Observer;
struct LoadedModule;

// An entry into native code: a fragment of all lanes of a warp, and what the code may use up.
struct NativeCall {
  Executor& executor;
  Warp& warp;
  Fragment& fragment;  // pc: of the entry, or of the last load or store that was left to `access`
  u8* frame;
  LaunchCounters* counters;             // null: nobody counts
  u64 left;                             // warp instructions that it may execute
  void (*access)(NativeCall&, u32 pc);  // executes a load or store as the interpreter does; may throw Fault
};

// Executes from pc, an entry, on. Returns the pc of the first instruction that is left to the interpreter: one that only it
// executes, a branch at which the lanes part, or the first of more instructions in a row than `left`.
using NativeFunction = u32 (*)(NativeCall&, u32 pc);

struct NativeCode {
  NativeFunction run = nullptr;
  std::vector<bool> is_entry;  // by pc
};

class NativeCompiler {
 public:
  virtual ~NativeCompiler() = default;
  // Null: there is none, and the interpreter executes the function. May be asked by several threads.
  virtual const NativeCode* code_of(const LoadedModule&, const Function&) = 0;
  // Whether native code tells these observers all that they want to hear; *counters: the one that it tells at once, or null.
  virtual bool can_tell(std::span<Observer* const>, LaunchCounters** counters) const = 0;
};

}  // namespace gpusim
