// Numbers as people read them.
#pragma once

#include <string>

#include "base/base.h"

namespace gpusim {

// 1234567 as "1,234,567".
inline std::string grouped(u64 number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
