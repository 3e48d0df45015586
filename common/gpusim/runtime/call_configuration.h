// Launches by <<<…>>>: where in the program they stand.
#pragma once

namespace gpusim::runtime {

// The place of the <<<…>>> whose host stub has called cudaLaunchKernel. Null if the program calls cudaLaunchKernel itself, and when
// asked again.
void* take_bracket_site();

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
