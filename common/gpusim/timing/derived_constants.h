// The constants of a GPU that was not measured, from those of one that was. The head of constants.def has the rules.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/base.h"

namespace gpusim::timing {

using Numbers = std::map<std::string, double, std::less<>>;  // of a file, by name

// Every constant of a machine of which a file gives `own`. `base` has them all, and its numbers must be ones that can
// be. Null after an error, which is then told.
std::optional<Numbers> derived_constants(const Numbers& base, const Numbers& own, std::string* error);

// How many blocks of so many warps are on a multiprocessor at the same time, where only warps and blocks limit it.
u32 blocks_that_meet(u64 threads_per_multiprocessor, u64 blocks_per_multiprocessor, u32 warps);

// Reading, with one load of each warp in flight: with one warp on a multiprocessor, with as many as fit, and with as
// many loads as memory serves. GB/s.
struct ReadRates {
  double one_warp = 0, full = 0, most = 0;
  double warps = 0;  // on a multiprocessor, of `full`
  // What one load on every multiprocessor asks for, times GHz: the GB/s if each waits for one cycle.
  double bytes_each_cycle = 0;
};
// The warps of `full` on a multiprocessor: 64, or as many as fit.
double warps_of_full_rate(double threads_per_multiprocessor);
// Cycles that memory answers later, times u / (1 - u) where u of its time is taken.
double crowd_of(const ReadRates&);
// What `full` is where `crowd` is known.
double full_rate(const ReadRates&, double crowd);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
