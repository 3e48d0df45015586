// Launches that need not run, because an earlier one has shown what they do.
//
// The rule. A kernel is a function of its code, its arguments, its grid, the settings of the GPU, and the
// bytes of memory that it reads: the simulated GPU runs blocks, warps and lanes in one order, and several
// host threads give what one gives (launch/parallel_launch.h). So if the same launch has run before, and
// every byte that it read then holds what it held when that launch began, it would read, compute and write
// the same. It is not run again. Instead
//
// - the bytes that it wrote are written again, where they differ;
// - observers that can be told of a launch as a whole (Observer::hears_replays), which are the counters and
//   the predicted times, are told what they concluded of the earlier one;
// - the sampler of the default checks is asked, and told how many warp instructions were executed, as for
//   every launch.
//
// The bytes are compared, so it does not matter who has written them, or how: a copy, a fill, a library,
// another kernel, the program itself in pinned or managed memory. An update in place is no special case
// either. Its result differs from what it read, so the next launch finds other bytes and runs; but if the
// program fills the array anew each time, it is known again.
//
// What is recorded. The first launch of a kind only leaves its name. While the second one runs, an observer
// notes which bytes of global memory it reads and writes (execution/footprint.h), and saves pages before they
// change. Afterwards the bytes that were read, as they were before, and those that were written are copied
// (launch/launch_effects.h). Constant memory of the module counts as read. The third launch can be replayed.
//
// What always runs:
// - a kernel with effects that no access shows: it reads a clock or a texture, prints, allocates, launches
//   kernels (Observer::unseen);
// - atomics, volatile and ordered accesses to pinned or managed memory: host threads see it, and may
//   change it meanwhile;
// - a launch that checks, traces or other observers hear; one that a fault has stopped; a launch of several
//   GPUs;
// - a launch of few warp instructions, and one whose bytes do not fit in kMostBytes. To make room for it, records
//   are dropped if they have not been used since this launch last ran.
//
// What it costs. Comparing and copying takes a few milliseconds for 16 MB. Most of it is avoided: Memory knows
// which allocations the program or a kernel may have changed since the last comparison (Memory::changed_at).
// If a launch finds its bytes changed, recording it was wasted. That costs as much as several launches if
// lanes access bytes all over memory, and a small part of one launch if the bytes are neighbours. Then
// the kind waits for 8 launches before it is recorded again, then 64, 512, …
#pragma once

#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "execution/device.h"
#include "launch/launch_effects.h"

namespace gpusim {

struct LoadedModule;

class Replays {
 public:
  static constexpr u64 kMostBytes = u64(512) << 20;  // of this process, for all records
  static constexpr u64 kFewestInstructions =
      128;  // warp instructions; running fewer takes less time than to look

  enum class Plan : u8 { run, record, replay };
  // Before a launch: what to do with it. `heard_by`: the observers that hear of it to its end.
  Plan plan(const Device&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const> heard_by);
  // It was to be replayed: does it. Returns how many warp instructions it would have executed.
  u64 replay(Memory&, const LaunchInfo&, std::span<Observer* const> heard_by);
  // Call after a launch that was to run. `recorder`: null unless it was recorded.
  void ended(const LoadedModule&, const Memory&, std::span<Observer* const> heard_by, u64 executed,
             const EffectsRecorder* recorder);

  // Forgets all launches, so that the next ones are new.
  void forget();

  u64 replayed() const { return replayed_; }  // launches

 private:
  struct Record {
    LaunchEffects effects;
    u64 executed;                                                          // warp instructions
    std::vector<std::pair<u64, std::shared_ptr<const void>>> conclusions;  // and by which observer
    u64 uses = 0;
  };
  struct Kind {
    std::vector<u8> name;
    u64 launches = 0, executed = 0;  // so far; warp instructions of the latest
    u64 record_at = 2;               // the number of the launch that is recorded
    u64 wait = 8;                    // launches, after the next failure
    u64 latest = 0, before = 0;      // numbers of its latest launch, and of the one before, among all
    std::unique_ptr<Record> record;
  };
  Kind& kind_of(const LoadedModule&, const LaunchInfo&);
  void forget_if_other(const Settings&, const Memory&);
  void drop(Kind&);
  void make_room(u64 bytes, const Kind& for_kind);

  std::unordered_map<u64, Kind> kinds_;  // by a hash of their names
  std::vector<u8> name_;                 // of the launch that was asked for last
  Kind* current_ = nullptr;              // its kind
  Settings settings_;                    // with which the launches ran that are known
  u8 fresh_ = 0;                         // …, and Memory::fresh
  u64 launches_ = 0, replayed_ = 0, bytes_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
