// One run of a kernel that sums stretches of an array, and what it leaves behind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/device_buffer.h"

namespace judge {

struct SumKernel;

// What kernels find where they have not written: poison spoils a sum that covers it, and of what nothing ever
// wrote a checker sees every read.
enum class Leftovers { poison, zeros, nothing_ever_written };

struct Run {
  std::vector<float> sums;
  std::vector<float> input_after;
  std::string outside;  // what was written outside the sums, or empty
};

// Reports, like check_launch, what stops it. `what` names the run.
Run run(const SumKernel& kernel, const std::string& what, const std::vector<float>& input,
        harness::Guards guards = harness::Guards::zones, Leftovers leftovers = Leftovers::poison);

// Two runs on the same arrays, the input being the other one the second time: what the second leaves behind.
Run run_again(const SumKernel& kernel, const std::string& what, const std::vector<float>& first,
              const std::vector<float>& second);

// For an array that a kernel must write before it reads it: fills it as the run does the output.
void fill_leftovers(harness::DeviceBuffer<float>& array);

// For a kernel each of whose sums covers elements from all over the array: `launch` writes `count` sums, and what they
// add up to, in double, becomes *d_sum. Such a kernel has per_sum = kAll, and this in its launch.
void add_up(int count, float* d_sum, const std::function<void(float* d_sums)>& launch);

}  // namespace judge
// SPDX-License-Identifier: MIT
