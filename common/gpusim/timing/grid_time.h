// How long a whole grid keeps the multiprocessors, from runs of a few of its blocks.
#pragma once

#include "timing/multiprocessor.h"

namespace gpusim::timing {

struct GridTime {
  double cycles = 0;
  MultiprocessorRun run;  // the longest that was made
};

// Time of a multiprocessor that runs `blocks` blocks (of a whole grid: on average): all of them, or so many rounds of resident ones that
// the rest can be told from the difference. Of the scenario, `blocks` is not read, and a run ends after twice its most steps.
GridTime grid_time(const Machine&, const LaunchRecord&, double blocks, Scenario);

// What the address that most atomics meet on takes, whoever they come from: no launch is shorter.
double contended_nanoseconds(const Machine&, const LaunchRecord&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
