// Source files as a person finds them.
#pragma once

#include <string>

namespace gpusim {

// Relative to the user's current folder if the file is below it; otherwise as the compiler wrote it. "Current" means the folder
// of the shell ($PWD): build tools start programs in another folder, and people read the messages in their own.
std::string shortened(const std::string& file);

// The file that such a name means, for a program that may run in another folder.
std::string where_it_is(const std::string& file);

// Whether a file belongs to CUB, Thrust or libcu++. A mistake found there most likely lies in how the program uses the library.
bool is_library_file(const std::string& file);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
