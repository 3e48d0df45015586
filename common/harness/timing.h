// How long a kernel takes on a real GPU. The simulated GPU counts and predicts, so there these functions
// measure nothing.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace harness {

// Milliseconds of `samples` runs. Quartiles and not a mean: one interrupted run must not move the result.
struct Timing {
  double median = 0;
  double q1 = 0, q3 = 0;
  int samples = 0;
};

// Quantile p in [0, 1] of ascending values, linear between neighbours (type 7 of Hyndman and Fan); 0 for no
// values.
double quantile(const std::vector<double>& ascending, double p);

Timing summarise(std::vector<double> milliseconds);

// 10^9 bytes per second; 0 if no time has passed.
double gigabytes_per_second(double bytes, double milliseconds);

// Times `launch` `repeat` times after a warm-up. Before each run `prepare` restores what the last run
// changed, and a read of twice the size of the L2 cache evicts the inputs. Neither is timed. nullopt on the
// simulated GPU, and if `repeat` is 0.
std::optional<Timing> time_launch(const std::function<void()>& launch, const std::function<void()>& prepare,
                                  int repeat);

// What memory can deliver: GB/s (bytes read plus bytes written) of a device-to-device copy of `bytes` bytes,
// measured the same way. nullopt on the simulated GPU and for 0 bytes.
std::optional<double> copy_ceiling(std::size_t bytes, int repeat);

}  // namespace harness
// SPDX-License-Identifier: MIT
