#pragma once

namespace gpusim {

// Thrown where blocks depend on each other's order, or might: the launch must run on one host thread (launch/parallel_launch.h).
struct NeedsSerialOrder {};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
