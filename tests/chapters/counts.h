// What a chapter asks of a kernel's counters. The simulated GPU counts; on a real one these checks say
// "not counted on a GPU" and pass. The build links counts_sim.cpp or counts_gpu.cpp.
#pragma once

#include <string>
#include <vector>

#include "sum_checks.h"

namespace judge {

// At most `per_block` of one counter in a block whose every thread has an element.
struct Limit {
  const char* counter;  // a member of gpusim::Counters (gpusim/report.h): "global.load.requests"
  int per_block;
  const char* does;     // completes "it …" in the verdict, # being the number: "loads # times a block"
};

// Runs the kernel on a few full blocks. Over a limit it is right, but not what the chapter asks for: the
// finding names the source lines that count most.
void check_counts(const SumKernel& kernel, const std::vector<Limit>& limits);

// What the simulated GPU says of the kernel that faulted last: "kernels.cuh:23:30: out of bounds: …". A GPU says nothing.
std::string last_fault();

}  // namespace judge
