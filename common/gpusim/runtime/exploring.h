// GPUSIM_EXPLORE, and a schedule in GPUSIM_SCHEDULE: launches that are explored before they run, and the one that runs by a schedule
// (exploration/).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "exploration/explored_launches.h"
#include "reports/trace.h"

namespace gpusim::runtime {

class Exploring {
 public:
  std::optional<ExplorationLimits> limits;  // none: nothing is explored
  std::optional<NamedSchedule> schedule;    // none: no launch runs by one
  ScheduledTrace* trace = nullptr;          // of the launch that runs by it; null: no trace is asked for

  // Launches that begin now and run together, one a GPU. Explores them, and says so. True: they have run already, by the schedule,
  // and *fault is how that ended.
  bool has_run(std::vector<ExploredLaunch>, std::optional<Fault>* fault);
  bool has_failed() const { return has_failed_; }

 private:
  bool has_failed_ = false;
  bool has_followed_ = false;  // the schedule: it is of one launch
};

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
