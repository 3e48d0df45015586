// A launch that is under way: it can stop where it waits for another GPU, and go on later.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "execution/device.h"

namespace gpusim {

class EffectsRecorder;
class Executor;
class Grid;
class Replays;
class StartList;
struct LoadedModule;

// Everything about a launch that is known before it runs, except which of its blocks run. `params` must outlive it.
LaunchInfo info_of(const Device&, const Module&, const KernelInfo&, const LaunchConfig&, const u8* params,
                   u64 number);

class RunningLaunch {
 public:
  // Decides which of the device's observers hear of it.
  RunningLaunch(Device&, const LoadedModule&, const KernelInfo&, const LaunchConfig&, const u8* params,
                u64 number);
  ~RunningLaunch();  // a launch that has not ended is over, not completed
  RunningLaunch(const RunningLaunch&) = delete;
  RunningLaunch& operator=(const RunningLaunch&) = delete;

  // If the launch is known to do what an earlier one did, does it at once: it has ended. Otherwise prepare() and run() come next,
  // and what it does may be recorded.
  bool replay(Replays&);
  // Tells the observers that it begins.
  void prepare();
  // Like Grid::run(), except that a fault ends the launch. Afterwards runs the kernels that this one has launched, in order, and
  // theirs.
  RunState run(PeerState);
  const std::optional<Fault>& fault() const { return fault_; }
  const LaunchInfo& info() const { return info_; }
  u64 changes() const;  // how often it has changed memory

 private:
  u64 budget() const;
  bool run_rest_in_parallel();
  void end_sample(bool completed);
  void end(bool completed);
  RunState run_children(PeerState);

  Device& device_;
  const Module& module_;
  std::vector<u8> params_;
  LaunchMoment moment_;
  LaunchInfo info_;
  std::unique_ptr<const StartList> blocks_;
  std::vector<Observer*> observers_;  // that hear of it from now on
  bool is_sampled_ = false;           // some of them hear its beginning only (execution/launch_sampler.h)
  u64 sampled_ = 0;                   // warp instructions that they are to hear
  u64 heard_ = 0, executed_in_parallel_ = 0;  // warp instructions: by those; by host threads
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<Grid> grid_;
  std::optional<Fault> fault_;
  bool has_ended_ = false;
  Replays* replays_ = nullptr;                 // told how the launch ends
  std::unique_ptr<EffectsRecorder> recorder_;  // one of the observers, for replays_
  struct Children;                             // that have not ended yet
  std::unique_ptr<Children> children_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
