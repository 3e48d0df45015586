#include "quoted_line.h"

#include <fstream>

namespace judge {
namespace {

// Without its indentation; empty if the file cannot be read.
std::string source_line(const std::string& path, int line) {
  std::ifstream file(path);
  std::string text;
  for (int k = 0; k < line; ++k)
    if (!std::getline(file, text)) return "";
  const std::size_t start = text.find_first_not_of(" \t");
  return start == std::string::npos ? "" : text.substr(start);
}

}  // namespace

std::string quoted_line(const std::string& path, int line, const std::string& what) {
  return path.substr(path.rfind('/') + 1) + ":" + std::to_string(line) + ": " + what + "    " +
         source_line(path, line);
}

std::string quoted_definition(const std::string& path, const std::string& function) {
  std::ifstream file(path);
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    const std::size_t at = text.find(function + "(");
    const bool is_outermost = !text.empty() && std::string(" \t/*#").find(text[0]) == std::string::npos;
    if (is_outermost && at != std::string::npos && at > 0 && text[at - 1] == ' ')
      return quoted_line(path, line);
  }
  return "";
}

}  // namespace judge
// SPDX-License-Identifier: MIT
