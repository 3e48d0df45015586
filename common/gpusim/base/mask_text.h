// A mask of lanes in a message.
#pragma once

#include <cstdio>
#include <string>

#include "base/base.h"

namespace gpusim {

// "0x0000ffff"
inline std::string hex(Mask mask) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", mask);
  return text;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
