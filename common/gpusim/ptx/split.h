// "a.b.c" to its parts.
#pragma once

#include <string_view>
#include <vector>

namespace gpusim::ptx {

inline std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace gpusim::ptx
// SPDX-License-Identifier: MIT
