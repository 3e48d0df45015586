// The blocks of a launch: which start when, and how they take turns (gpusim/schedule.h).
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "execution/exec.h"
#include "execution/livelock.h"
#include "launch/progress.h"

namespace gpusim {

// The blocks of a grid that run, in the order in which they start.
class StartList {
 public:
  // The blocks of the grid, or only those that the settings choose, if they choose any.
  StartList(const Settings&, const LaunchInfo&);
  u64 count() const { return count_; }
  u64 operator[](u64 k) const;

 private:
  StartOrder order_;
  std::vector<u64> chosen_;
  bool are_chosen_;
  u64 count_;
};

// Whether this process has used this many seconds of processor time; 0 means no limit.
bool is_time_up(double processor_seconds);

class Grid {
 public:
  Grid(Executor&, const LaunchInfo&, const Settings&, const StartList&);

  // Runs every block to its end. If other GPUs are busy, it returns when the grid waits for them, and after a while in any case.
  // If they are idle, it pauses when it has changed something, and waits only when it cannot continue without them. If no GPU can
  // continue, it throws the Fault of a kernel that never ends.
  RunState run(PeerState);

  // run() pauses as soon as no block is under way and `may_pause()` holds. Empty: never.
  void pause_between_blocks_if(std::function<bool()> may_pause) { may_pause_ = std::move(may_pause); }
  u64 started() const { return started_; }  // blocks

 private:
  bool pauses_here() const { return may_pause_ && resident_.empty() && may_pause_(); }
  bool can_start() const { return started_ < blocks_.count() && resident_.size() < most_; }
  void start();
  bool take_turn(std::size_t k);
  void rotate(std::size_t count);
  bool will_not_end();
  bool waits_for_host();

  Executor& executor_;
  const Turns& turns_;
  void (*still_runs_)();
  const double processor_seconds_;
  const StartList& blocks_;
  u64 started_ = 0;
  std::function<bool()> may_pause_;
  Progress progress_;
  std::size_t most_;
  std::vector<std::unique_ptr<Block>> resident_, idle_;  // resident: by start
  u64 idle_rotations_ = 0;  // in which nothing happened that another thread could see
  Livelock livelock_;
  // Since when nothing but the host could end the wait, and what executor_.changes() was then.
  std::chrono::steady_clock::time_point standstill_;
  u64 changes_at_standstill_ = ~u64(0);
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
