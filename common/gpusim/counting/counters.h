// Counts what a launch does and hands the result over as a Report.
//
// While the kernel runs, counting an instruction, or a straight run of instructions, takes two increments; only branches and memory
// accesses need more. What the instruction itself tells (is it a shuffle?) and the sums per source line are worked out once, at the end
// of the launch.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "counting/lanes.h"
#include "counting/loads_in_flight.h"
#include "execution/events.h"
#include "gpusim/report.h"
#include "ptx/program.h"

namespace gpusim {

class LaunchCounters final : public Observer {
 public:
  using Sink = std::function<void(Report)>;  // called at the end of every launch; empty for a shard
  explicit LaunchCounters(Sink sink) : sink_(std::move(sink)) {}

  void launch_begin(const LaunchInfo&) override;
  void launch_end(const LaunchInfo&, bool completed) override;
  void issue(const Issue& i) override {
    Issued& at = issued_[i.pc];
    ++at.warps;
    at.lanes += lane_count(i.mask);
    if (const u32 loads = in_flight_.awaited(i, *program_)) awaited(i, loads);
  }
  void issue_run(const Issue&, u32 count) override;
  void branch(const Issue&, Mask taken) override;
  void access(const Access&) override;
  Interests interests() const override {
    return {.issues = true, .branches = true, .accesses = true, .rows = true};
  }
  void row_access(const RowAccess&) override;
  Observer* shard(u32 k, u32) override;
  bool found_something(u32) const override { return false; }
  void merge_shards(u32 count) override;
  bool hears_replays() const override { return true; }
  std::shared_ptr<const void> conclusion() const override { return recorded_; }
  void replayed(const LaunchInfo&, const std::shared_ptr<const void>& conclusion) override;

 private:
  template <class F> void for_code(F) const;  // f(pc) for each instruction that the kernel can reach
  void take(LaunchCounters& part);
  void count_links(const Access&);
  void awaited(const Issue&, u32 loads);

  // How often an instruction, or a straight run of them, was executed.
  struct Issued {
    u64 warps = 0, lanes = 0;
  };
  // Straight runs that begin at a pc; all have the same length.
  struct Runs : Issued {
    u32 count = 0;
  };
  Sink sink_;
  const Program* program_ = nullptr;
  const LaunchInfo* launch_ = nullptr;
  std::vector<std::pair<u32, u32>> code_;  // [begin, end) of each function that the kernel can reach
  std::map<std::pair<unsigned, unsigned>, LinkTraffic> links_;  // by (from, to)
  LoadsInFlight in_flight_;
  std::vector<Issued> issued_;    // by pc: instructions that were not part of a run
  std::vector<Runs> runs_;        // by pc of the first instruction
  std::vector<Counters> events_;  // by pc: branches and memory accesses
  bool is_full_ = false;          // a launch has begun, and its counts have not been handed over yet
  std::vector<std::unique_ptr<LaunchCounters>> parts_;
  std::shared_ptr<const Report> recorded_;  // of the latest launch, if it is to be kept
};

inline void LaunchCounters::issue_run(const Issue& i, u32 count) {
  Runs& runs = runs_[i.pc];
  if (runs.warps == 0) runs.count = count;
  else if (runs.count != count) return Observer::issue_run(i, count);
  ++runs.warps;
  runs.lanes += lane_count(i.mask);
  if (!in_flight_.waits(i)) return;
  for (Issue each = i; each.pc < i.pc + count; ++each.pc)
    if (const u32 loads = in_flight_.awaited(each, *program_)) awaited(each, loads);
}

inline void LaunchCounters::branch(const Issue& i, Mask taken) {
  Counters& at = events_[i.pc];
  ++at.branches;
  at.divergent_branches += taken != 0 && taken != i.mask;
}

inline void LaunchCounters::awaited(const Issue& i, u32 loads) {
  GlobalCounters& at = events_[i.pc].global;
  ++at.load_waits;
  at.loads_awaited += loads;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
