// Numbers that an exercise gives, and that the limits of its checks stand for.
#pragma once

#include <string>

#include "judge.h"

namespace judge {

// With 32 threads a block, say, there is nothing to pack into whole warps: the starter would do.
inline void check_given(const char* name, long long is, long long was) {
  if (is != was)
    report(Kind::hazard, std::string("changed: ") + name + " is " + std::to_string(is) + ", and " +
                             std::to_string(was) + " in the exercise, which its limits are for: set it back");
}

}  // namespace judge
// SPDX-License-Identifier: MIT
