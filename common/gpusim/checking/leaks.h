// Device memory that a program never freed.
#pragma once

#include "checking/findings.h"

namespace gpusim {

// One finding for each live allocation that a program made with cudaMalloc and its kin.
void report_leaks(const Memory&, Findings&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
