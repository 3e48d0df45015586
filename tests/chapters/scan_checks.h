// Checks of kernels that scan an array. Each reports to the judge.
#pragma once

#include <vector>

#include "harness/scan_reference.h"
#include "judge.h"

namespace judge {

// A scan as the checks see it: from in[0, n) to out[0, n); in and out may be the same array. Both element
// types run the same code.
struct ScanKernel {
  static constexpr int kAny = 0;  // as most: no limit

  const char* name;  // for messages
  harness::ScanKind kind;
  int most;          // elements that it takes
  bool fixed_order;  // adds floats in the same order on every run, so twice gives the same bits
  void (*floats)(const float* d_in, float* d_out, int n);  // may be null: then ints only
  void (*ints)(const int* d_in, int* d_out, int n);
  // What the untouched starter makes of these inputs; and the kernel on which this one stands: while that
  // one's gap is open, nothing can be said of this one.
  std::vector<int> (*shipped)(const std::vector<int>& in) = nullptr;
  const ScanKernel* stands_on = nullptr;
  // The lengths that say something of its tiles, if they are so large that few do.
  std::vector<int> lengths = {};
};

// Magnitudes up to 1000, none 0: a missing element shows. No prefix of 2^21 of them leaves the range of int, nor, with
// signs as they come, of any length here.
std::vector<int> random_ints(int n);

// Magnitudes up to 2^28, which no float carries. No sum of neighbours leaves the range of int.
std::vector<int> wide_ints(int n);

// For a gap that no array shows: the kernel was found as shipped. Or asks whether it was.
void gap_is_open(const ScanKernel& kernel);
bool is_gap_open(const ScanKernel& kernel);

// Whether its own gap or that of the kernel below is open: then nothing can be checked, and it is left out.
bool cannot_be_judged(const ScanKernel& kernel);

// The kernel reads and writes only what it was given, and reads nothing that was never written.
void check_bounds(const ScanKernel& kernel);

// Right for lengths around warps, sections and tiles: ints bit for bit, floats within the bound of
// reference.h for the worst order of additions; out of place and in place. Nothing is written outside, the
// input stays.
void check_scans(const ScanKernel& kernel);

// The same once, of ints out of place, for a length that takes its time.
void check_long_scan(const ScanKernel& kernel, int n);

// A NaN or an infinity comes out in the sums that cover it, and in no other.
void check_nan(const ScanKernel& kernel);

// A second run, over different leftovers in the output, gives the same bits.
void check_repeatable(const ScanKernel& kernel);

// Right whichever lane comes first. A GPU has one schedule.
void check_schedules(const ScanKernel& kernel);

}  // namespace judge
// SPDX-License-Identifier: MIT
