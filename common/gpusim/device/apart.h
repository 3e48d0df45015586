// Whether it can be shown before a launch runs that the order of its blocks does not matter to global memory.
#pragma once

#include "device/events.h"

namespace gpusim {

// True: no block writes what another one does, and none reads what any of them may write, as the kernel's text, its parameters and the
// grid say. So the launch may also be begun anew when it has run in part: that leaves memory as if it had not.
// (Footprint tells of other launches when they have run.)
bool are_apart(const LaunchInfo&);

}  // namespace gpusim
