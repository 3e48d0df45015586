// Source files as a person finds them.
#pragma once

#include <string>

namespace gpusim {

// Relative to the folder where the person stands, for a file below it; else as the compiler wrote it. That is the
// folder of the shell ($PWD): build tools start a program in another one, and their messages are read in the first.
std::string shortened(const std::string& file);

// The file that such a name means, for a program that may run in another folder.
std::string where_it_is(const std::string& file);

// Whether a file is one of CUB, Thrust or libcu++: a mistake in what they do is most likely in how they are used.
bool is_library_file(const std::string& file);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
