// Files that a program or a person names.
#pragma once

#include <map>
#include <sstream>
#include <string>

namespace gpusim {

// Texts that stand for files of these names, for a process that has none (a page in a browser). They come before files.
std::map<std::string, std::string>& given_files();

// Its whole text, to be read; failed unless there is such a file: a folder is none, and some devices never end.
std::istringstream open_file(const std::string& name);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
