// Loops of compare-and-swap, as programs write them where there is no atomic for what they do.
#pragma once

#include "timing/launch_record.h"

namespace gpusim::timing {

// Whether the instruction is a compare-and-swap that a loop makes on the same word again because of what it answers.
bool swaps_until_it_succeeds(const Program&, const ProgramCosts&, u32 pc);

// What such loops take at least, in nanoseconds. The simulated GPU runs blocks one after another, so there each first attempt
// succeeds. On a GPU, of all lanes that try one word at a time only one does.
double swapping_nanoseconds(const Machine&, const LaunchRecord&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
