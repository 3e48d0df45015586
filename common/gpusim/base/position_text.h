// Blocks and threads in words.
#pragma once

#include <string>

#include "base/base.h"

namespace gpusim {

// "100", "32 x 8": only the dimensions that the grid or block has.
inline std::string extent_text(const Dim3& size) {
  std::string text = std::to_string(size.x);
  if (size.y != 1 || size.z != 1) text += " x " + std::to_string(size.y);
  if (size.z != 1) text += " x " + std::to_string(size.z);
  return text;
}

// "3", or "(1,2,0)" where the grid or block has more than one dimension.
inline std::string position_text(u64 index, const Dim3& size) {
  if (size.y == 1 && size.z == 1) return std::to_string(index);
  const Dim3 at = position(index, size);
  return "(" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + ")";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
