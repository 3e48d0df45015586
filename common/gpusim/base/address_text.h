// An address in a message.
#pragma once

#include <cstdio>
#include <string>

#include "base/base.h"

namespace gpusim {

// "0x7f0012345678"
inline std::string address_text(u64 address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
