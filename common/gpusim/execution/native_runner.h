// Runs warps whose lanes are together as machine code, once there is some for the kernel. Implemented in jit/native_run.cpp.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "execution/native_code.h"
#include "execution/observer_hub.h"

namespace gpusim {

class NativeRunner {
 public:
  // All must outlive the runner. `compiler`: null for a kernel that is only interpreted.
  NativeRunner(Executor&, NativeCompiler* compiler);

  // Null: the interpreter executes the kernel.
  const NativeCode* code() const { return code_; }
  const NativeCall& call() const { return *call_; }

  // To be called when the executor can be used.
  void start();
  // To be called between rounds: asks the compiler for machine code now and then.
  void look_for_code();
  // To be called when the observers have changed.
  void observers_changed();

  // Runs the fragment, all lanes of a warp, for at most `most` warp instructions; how many it has executed.
  u64 run(Warp&, Fragment&, u64 most);
  // Runs the warp in its turn, and then the next ones, as long as all lanes of each are together. Null: no turn is left. Otherwise
  // the interpreter continues with this warp. `begun`: how many instructions of its fragment's turn have been executed; they are
  // still part of the warp's turn.
  Warp* run_together(WarpTurns&, Warp& first, u64& begun);
  // Machine code has come to where the warp waits for others, or leaves, and has counted that. True: it continues with the warp that
  // call() names by now.
  bool take_turn_over(u32 pc, NativeStop);

 private:
  void begin_call();
  void set_warp(Warp&, Fragment&, u64 most);
  void set_block(Block&);
  bool begin_together(Warp*, WarpTurns&);
  void arrive_together(Warp&, Fragment&, const Instruction&);

  Executor& executor_;
  const NativeCode* code_ = nullptr;
  NativeCompiler* compiler_;
  u64 next_look_ = ~u64(0);  // at this number of executed warp instructions
  std::chrono::steady_clock::time_point last_look_;
  LaunchCounters* counters_ = nullptr;  // null: no counters listen
  std::optional<NativeCall> call_;
  bool rows_are_threads_ = false;                     // threads of a warp follow each other in the block's x
  std::vector<NativeIssues> uncounted_segments_;      // where machine code counts if no counters listen
  std::vector<Counters> uncounted_events_;            // the same
  std::vector<Observer*> told_branches_, told_rows_;  // observers other than the counters

  friend struct NativeHelpers;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
