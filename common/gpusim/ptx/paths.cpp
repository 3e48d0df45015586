#include "ptx/paths.h"

#include <algorithm>
#include <array>

#include "base/files.h"

#ifndef __wasm__
#include <cstdlib>
#include <filesystem>
#endif

namespace gpusim {
#ifdef __wasm__  // no folders: keep the name that the compiler used

std::string shortened(const std::string& file) { return file; }
std::string where_it_is(const std::string& file) { return file; }

#else
namespace {

std::filesystem::path standpoint() {
  std::error_code error;
  const char* shell = std::getenv("PWD");
  if (shell && std::filesystem::path(shell).is_absolute() && std::filesystem::is_directory(shell, error))
    return shell;
  return std::filesystem::current_path(error);
}

}  // namespace

std::string shortened(const std::string& file) {
  const auto relative = std::filesystem::path(file).lexically_relative(standpoint()).lexically_normal();
  const bool is_below = !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : file;
}

std::string where_it_is(const std::string& file) {
  std::error_code error;
  if (given_files().contains(file)) return file;
  if (std::filesystem::path(file).is_absolute() || std::filesystem::exists(file, error)) return file;
  return (standpoint() / file).string();
}

#endif

bool is_library_file(const std::string& file) {
  return std::ranges::any_of(std::array{"/cub/", "/thrust/", "/cuda/std/"},
                             [&](const char* folder) { return file.find(folder) != std::string::npos; });
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
