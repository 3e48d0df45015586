// Executes warps: one launch's instructions, one warp instruction at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "execution/async_pipe.h"
#include "execution/calls.h"
#include "execution/device.h"
#include "execution/fault_reporter.h"
#include "execution/frame_factory.h"
#include "execution/livelock.h"
#include "execution/memory_pipe.h"
#include "execution/observer_hub.h"
#include "execution/spin_reads.h"
#include "execution/synchronisation.h"
#include "execution/warp.h"

namespace gpusim {

// A module as the executor wants it (execution/module.cpp).
struct LoadedModule;

// Control: which lanes execute which instruction. The parts below do what the instructions say.
class Executor {
 public:
  // `budget`: warp instructions after which the launch is stopped. All that is passed must outlive the executor.
  Executor(const Device&, Memory&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const>,
           u64 budget);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Prepares block `index` of the grid in `block`, whose buffers are reused.
  void start(Block& block, u64 index);

  // Runs the block until it ends, or `slice` warp instructions have passed, or it has read memory kSpinReads times without anything
  // changing. Throws Fault.
  void run(Block& block, u64 slice);

  // Each warp of the block that is ready runs for at most `turn` warp instructions. Throws Fault.
  void run_round(Block& block, u64 turn);

  // For callers that choose the next warp themselves (exploration/). next(): the fragment that the warp would run next; null if
  // all wait. step(): runs only its next instruction or straight run; false if nothing could run. Throws Fault.
  const Fragment* next(const Warp&) const;
  bool step(Block&, Warp&);
  // Moves the warp's current fragment to the end of its queue, so that another ready fragment, if any, runs next.
  void put_off(Warp&) const;

  // Lanes that wait at the end of a branch go on without the lanes of the other way, which may be waiting for them: independent
  // thread scheduling promises progress to every lane. Lanes that another one names in a member mask stay. True if any went on.
  bool part_joins(Block&);

  // From now on, these observers and no others receive events.
  void listen(std::span<Observer* const>);
  // Calls `then` once, between two turns of warps, as soon as the launch has executed this many warp instructions.
  void call_after(u64 executed, std::function<void()> then) {
    call_at_ = executed;
    call_ = std::move(then);
  }

  // For an executor that runs some blocks of a launch while others run the rest: records in `footprint` the global memory it
  // touches. Anything that other blocks could notice, or that depends on them, throws NeedsSerialOrder.
  void note_in(Footprint& footprint) { pipe_.note_in(footprint); }

  const FaultReporter& faults() const { return faults_; }
  u64 executed() const { return executed_; }     // warp instructions
  u64 ended() const { return ended_; }           // blocks
  u64 changes() const { return spin_.changes; }  // SpinReads
  u64 polls() const { return spin_.all_polls; }  // SpinReads
  std::vector<Calls::Child> take_children() { return calls_.take_children(); }

  // A hash of everything that decides how the blocks continue, apart from memory that they share.
  StateHash state_of(std::span<const std::unique_ptr<Block>>) const;

 private:
  // Runs ready fragments of the warp until all of them wait, or the slice is used up. True if any ran.
  bool run_fragments(Warp&, u64 slice);
  std::size_t pick(const Warp&) const;
  class FragmentRun;  // fragment_run.cpp
  void run_fragment(Warp&, std::size_t index, u64& slice);

  void branch(Warp&, Fragment&, const Instruction&, Mask taken);
  void branch_table(Warp&, Fragment&, const Instruction&);
  void diverge(Warp&, const Fragment&, u32 reconverge, std::span<const std::pair<u32, Mask>> ways);
  void arrive(Warp&, int join, Mask);
  void complete(Warp&, int join);
  void leave_kernel(Warp&, std::size_t index, Mask);

  Memory& memory_;
  const LoadedModule& module_;
  const LaunchInfo& launch_;
  const Schedule schedule_;
  const u32 first_warps_;  // Settings::first_warps

  ObserverHub hub_;
  SpinReads spin_;
  FaultReporter faults_;
  FrameFactory frames_;
  MemoryPipe pipe_;
  AsyncPipe async_;
  Synchronisation sync_;
  Calls calls_;

  u64 executed_ = 0, budget_;
  u64 ended_ = 0;  // blocks
  u64 call_at_ = ~u64(0);
  std::function<void()> call_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
