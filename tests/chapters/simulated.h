// What only the simulated GPU can do for the judge: check every access, and run lanes in other orders. On a real GPU
// there are no findings and one schedule. The build links simulated_sim.cpp or simulated_gpu.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge.h"

namespace judge {

// Turns on the checks for races, memory never written, barriers and shuffles.
void enable_checks();

// What they have found since the last call. Warnings are not among it: they concern kernels that are right.
std::vector<Finding> take_findings();

// What the kernel that faulted last did: "kernels.cuh:23:30: out of bounds: …". A GPU does not say.
std::string last_fault();

// The legal orders of a warp's lanes, other than together: "ascending", "descending". None on a GPU, which says so.
std::vector<std::string> other_schedules();

// Until it ends, lanes run in this order.
class InSchedule {
 public:
  explicit InSchedule(const std::string& name);
  ~InSchedule();
  InSchedule(const InSchedule&) = delete;
  InSchedule& operator=(const InSchedule&) = delete;
};

}  // namespace judge
