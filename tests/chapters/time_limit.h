// How long a check may take, in processor time of all launches and of the judge itself: the one limit that all chapters share.
#pragma once

#include <string>

namespace judge {

// Whether GPUSIM_BUDGET says how long launches may take: then nothing here stops them.
bool is_budget_given();

// From now on a launch that is running when the time is up is stopped, on the simulated GPU; check_launch() says where.
void limit_time();

// Stops the check of a kernel that ends every launch but takes too long for all of them. `what` has been launched last.
void check_time(const std::string& what);

// What has been done since the last check_time() does not count as time that the kernel takes.
void leave_out_time();

}  // namespace judge
// SPDX-License-Identifier: MIT
