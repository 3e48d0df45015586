// Files that a program or a person names.
#pragma once

#include <map>
#include <sstream>
#include <string>

namespace gpusim {

// Texts that stand in for files, by name, where a process has no files (a page in a browser). They are looked up first.
std::map<std::string, std::string>& given_files();

// Opens a file for reading its whole text. Only regular files open: a folder has no text, and some devices never end.
std::istringstream open_file(const std::string& name);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
