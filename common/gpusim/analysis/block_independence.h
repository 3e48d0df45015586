// Whether it can be shown before a launch runs that the order of its blocks does not matter to global memory.
#pragma once

#include "analysis/launch_info.h"

namespace gpusim {

// True: no block writes what another one does, and none reads what any of them may write, as the kernel's text, its parameters and the
// grid say. So a launch that has run in part may be begun anew: if it runs to its end, memory is as if it had run once. (If it faults, the
// first run may have written what the second does not come to.)
// Footprint tells of other launches when they have run.
bool blocks_are_independent(const LaunchInfo&);

}  // namespace gpusim
