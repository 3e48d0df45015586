// Whether a launch was accepted and ran to its end, and what the simulated GPU found in it.
#pragma once

#include <string>

namespace judge {

// Reports a fault unless the launch was accepted and ran to its end, and what the simulated GPU's checks found in it.
void check_launch(const std::string& what);

}  // namespace judge
// SPDX-License-Identifier: MIT
