// What the user asks of a simulated GPU by environment variables.
#pragma once

#include "gpu.h"
#include "timing/machine.h"

namespace gpusim {

// Configures the GPUs as the environment says. The runtime does so before any code of the program runs.
//   GPUSIM_REPORT=1                                    print the counters of every launch on stderr, and its predicted time
//   GPUSIM_REPORT=FILE.json                            write them to a file, with all findings (runtime/report_file.h)
//   GPUSIM_PREDICT=0                                   reports without predicted times, which cost time
//   GPUSIM_MACHINE=h200|h100|l4|…|FILE.json            the GPU whose times are predicted (timing/machine.h), and as which
//                                                      the simulated one answers (runtime/machine.h)
//   GPUSIM_CHECK=all|none|memory,race,…                judge every launch (gpusim/check.h), print what is found;
//                                                      not set: judge the first launches, print the first error
//   GPUSIM_EXPLORE=N|Ns                                each launch in all executions, N of them or N seconds at most (exploration/)
//   GPUSIM_SCHEDULE=lockstep|ascending|descending      the order of lanes and warps; or a schedule that an exploration has printed
//   GPUSIM_BLOCK_ORDER=first_to_last|last_to_first|shuffled   the order in which blocks start
//   GPUSIM_FRESH_MEMORY=large|nan|zero                 what memory holds until something writes it (gpusim/fresh_memory.h)
//   GPUSIM_BUDGET=N                                    warp instructions after which a launch counts as endless
//   GPUSIM_REPLAY=0                                    run every launch, also one that repeats an earlier one (launch/replay.h)
//   GPUSIM_DEVICES=N                                   how many GPUs there are, 1 to 16
//   GPUSIM_SIMCC=PATH                                  the simcc that compiles what programs give to NVRTC (libraries/nvrtc_child.h)
//   GPUSIM_PATIENCE=N                                  seconds that a GPU waits for what other host threads will give to others
// A value that is not valid ends the program with one line on stderr and exit status 1.
void configure_from_environment();

// The machine model that the user asks for. If there is none of this name, the program ends with one line.
timing::Machine machine_from_environment(timing::Machine::Kernels = timing::Machine::Kernels::others);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
