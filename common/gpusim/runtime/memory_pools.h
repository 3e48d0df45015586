// Which pool memory is from. To be called with the device locked.
#pragma once

#include "base/base.h"

namespace gpusim::runtime {

// Memory at this address is freed, in whichever way.
void tell_pools_freed(u64 address);
// cudaDeviceReset: pools that programs have made are gone.
void forget_pools();

}  // namespace gpusim::runtime
