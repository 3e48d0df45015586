// Files that a program or a person names.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

namespace gpusim {

// To be read; failed unless it is a file: reading a folder throws, and some devices never end.
inline std::ifstream open_file(const std::string& name) {
  std::error_code none;
  if (std::filesystem::is_regular_file(name, none)) return std::ifstream(name, std::ios::binary);
  std::ifstream failed;
  failed.setstate(std::ios::failbit);
  return failed;
}

}  // namespace gpusim
