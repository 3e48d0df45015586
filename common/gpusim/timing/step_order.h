// The order in which a GPU would run the steps that were recorded of a warp.
#pragma once

#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

// Puts the recorded steps into the order in which ptxas would schedule them.
void order_steps(const ProgramCosts&, std::vector<Step>&);

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
