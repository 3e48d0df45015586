// What the user asks of the simulated GPU from outside a program, and how counting is attached to the device.
#pragma once

#include <cstdio>

#include "device/events.h"

namespace gpusim {

// Reads the environment; the runtime calls it before the first launch.
//   GPUSIM_REPORT=1                                    print the counters of every launch on stderr
//   GPUSIM_CHECK=all|none|memory,race,…                judge every launch (gpusim/check.h), print what is found
//   GPUSIM_SCHEDULE=lockstep|ascending|descending      the order of lanes and warps
//   GPUSIM_BLOCK_ORDER=first_to_last|last_to_first|shuffled   the order in which blocks start
//   GPUSIM_BUDGET=N                                    warp instructions after which a launch counts as endless
// A value that is not understood ends the program: one line on stderr, exit status 1.
void configure_from_environment();

// Prints the report of every launch from now on to `out`, or stops printing (null).
void print_reports_to(std::FILE* out);

// Prints findings as they are met.
void print_findings(bool on);

// The observer behind enable_reports() and print_reports_to(); in Device::observers while either asks for it.
Observer* report_observer();

}  // namespace gpusim
