// How many simulated GPUs the program has: one, unless GPUSIM_DEVICES=N or this asks for more.
#pragma once

namespace gpusim {

// From now on, 1 to 16. Memory of GPUs that are not seen any more stays. Waits for all work.
void use_devices(unsigned count);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
