// Counts what a launch does and hands the result over as a Report.
//
// While the kernel runs, everything is counted per instruction (pc), or for a run of instructions at once: two increments,
// and more only for branches and memory accesses. What follows from the instruction alone (is it a shuffle?) and
// the sums per source line are worked out once, at the end of the launch.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/events.h"
#include "gpusim/report.h"
#include "observers/lanes.h"
#include "observers/loads_in_flight.h"

namespace gpusim {

class LaunchCounters final : public Observer {
 public:
  using Sink = std::function<void(Report)>;  // called at the end of every launch; none: of a part of another
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
  bool takes_rows() const override { return true; }
  void row_access(const RowAccess&) override;
  Observer* part(u32 k, u32) override;
  void take_parts(u32 count) override;

 private:
  void take(LaunchCounters& part);
  void count_links(const Access&);
  void awaited(const Issue&, u32 loads);

  struct Issued {
    u64 warps = 0, lanes = 0;
  };
  // Runs that begin at a pc; all of one length.
  struct Runs : Issued {
    u32 count = 0;
  };
  Sink sink_;
  const Program* program_ = nullptr;
  const LaunchInfo* launch_ = nullptr;
  std::map<std::pair<unsigned, unsigned>, LinkTraffic> links_;  // by from and to
  LoadsInFlight in_flight_;
  std::vector<Issued> issued_;    // by pc: without those of runs
  std::vector<Runs> runs_;        // by pc of the first instruction
  std::vector<Counters> events_;  // by pc: branches and memory accesses
  bool is_full_ = false;          // a launch has begun, and nobody has taken what was counted
  std::vector<std::unique_ptr<LaunchCounters>> parts_;
};

}  // namespace gpusim
