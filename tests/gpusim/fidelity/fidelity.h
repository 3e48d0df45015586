// Counters of the simulated GPU beside those of ncu. NCU_DATA, set by the build, is the path of ncu's.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/counters.h"

namespace fidelity {

// ncu's, of "kernels" or "calibration" (common/measure.py):
// {"sum_tile": {"grid": 131072, "block": 256, "counters": {…}}}
const nlohmann::json& measured(std::string_view set);

// Compares a launch with ncu's of the same kernel, whose grid may differ: every block counts the same. Prints a
// line for each counter that is not 0 on both sides, and CHECKs:
//   requests, sectors, atomics, wavefronts less conflicts   equal
//   wavefronts, bank conflicts                              within 3 % of the wavefronts, plus 32
void compare(const std::string& kernel, const harness::Counters& simulated, const nlohmann::json& on_gpu);

}  // namespace fidelity
// SPDX-License-Identifier: MIT
