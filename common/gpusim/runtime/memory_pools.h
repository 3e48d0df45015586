// Which pool memory belongs to. Call these with the device locked.
#pragma once

#include "base/base.h"

namespace gpusim::runtime {

// Tells the pools that the memory at this address is freed, by whichever call.
void tell_pools_freed(u64 address);
// For cudaDeviceReset: removes the pools that the program has made.
void forget_pools();

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
