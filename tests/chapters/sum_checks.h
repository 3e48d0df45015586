// Checks of kernels that sum stretches of an array: every chapter from 01 to 09. Each reports to the judge.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "composition.h"
#include "harness/device_buffer.h"
#include "judge.h"
#include "launch_check.h"
#include "sum_run.h"

namespace judge {

// A kernel as the checks see it: from in[0, n) to max(1, ceil(n / per_sum)) sums. Sum b covers the elements
// b * per_sum … (b + 1) * per_sum - 1, the last one what is left; n = 0 gives one sum, 0.
struct SumKernel {
  static constexpr int kAll = 0;  // as per_sum: one sum of everything

  const char* name;  // for messages
  int per_sum;
  bool keeps_input;  // afterwards the input must be what it was, bit for bit
  bool fixed_order;  // adds in the same order on every run, so twice gives the same bits
  bool has_gap;      // the starter's version gives the first element of each stretch
  std::function<void(float* d_in, float* d_sums, int n)> launch;
  const char* part = "block";  // what has a sum of its own

  int count_of(int n) const { return per_sum == kAll || n == 0 ? 1 : (n - 1) / per_sum + 1; }
};

// The kernel reads and writes only what it was given, and reads nothing that was never written: on the simulated
// GPU, and under compute-sanitizer on a real one, the first byte beyond stops it.
void check_bounds(const SumKernel& kernel);
std::string of_that_length(int n);  // of the arrays there: for messages

// Right sums for lengths around warps and blocks and for 500009; for values that need rounding, exact ones
// and cancelling ones. The oracle adds the inputs in double and knows nothing of the kernel; the error
// allowed is that of the worst order of additions, so any order is right. Nothing outside the sums is
// written.
void check_sums(const SumKernel& kernel);

// A NaN or an infinity comes out in the sum that covers it, and in no other.
void check_nan(const SumKernel& kernel);

// A second run, over different leftovers in the output, gives the same bits where the kernel adds in a fixed order; on
// another input in the same arrays, the sums of that.
void check_repeatable(const SumKernel& kernel);

// Right sums whichever lane comes first, and the same bits where it adds in a fixed order. A GPU has one schedule.
void check_schedules(const SumKernel& kernel);

// For a chapter whose starter overwrites its input: keeping it is part of the improvement.
void check_input_kept(const SumKernel& kernel);

// Near the end of arrays that are too large to fill and to run whole (kernels take 2^30 elements): chosen blocks of the
// grid sum what lies in their stretches, per_block elements one after the other. `arrays` is how many of n elements
// the launch needs, the input among them.
void check_large_indices(const SumKernel& kernel, int per_block, int arrays = 1);

// The same for a kernel that leaves a sum for each block of a grid of any size. stretches(b, blocks, n): what block b
// sums, as the kernel's comment has it. A kernel that divides the elements in another way among few blocks may do so
// among many, and then its indices are judged by what it reads, not by its sums.
struct GridSums {
  std::string name;
  std::function<void(float* d_in, float* d_sums, int n, int blocks)> launch;
  std::function<std::vector<Stretch>(std::size_t b, std::size_t blocks, std::size_t n)> stretches;
  int few = 5000;  // elements that show how ten blocks divide them
};
void check_large_grid(const GridSums& kernel, std::size_t n, std::size_t blocks);

// For a kernel that leaves `blocks` sums of which nobody asks what each covers: no block adds up more than `most`
// elements, and together they add up all.
void check_shares(const std::string& kernel, int blocks, int most, int n,
                  const std::function<void(float* d_in, float* d_sums, int n)>& launch);

}  // namespace judge
// SPDX-License-Identifier: MIT
