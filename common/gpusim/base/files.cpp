#include "base/files.h"

#ifndef __wasm__  // WebAssembly has no files but those given
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#endif

namespace gpusim {

std::map<std::string, std::string>& given_files() {
  static std::map<std::string, std::string> files;
  return files;
}

std::istringstream open_file(const std::string& name) {
  if (const auto given = given_files().find(name); given != given_files().end())
    return std::istringstream(given->second);
#ifndef __wasm__
  std::error_code none;
  if (std::filesystem::is_regular_file(name, none))
    if (std::ifstream file(name, std::ios::binary); file)
      return std::istringstream(std::string(std::istreambuf_iterator<char>(file), {}));
#endif
  std::istringstream failed;
  failed.setstate(std::ios::failbit);
  return failed;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
