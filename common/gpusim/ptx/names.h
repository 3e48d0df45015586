// Names as the source has them, from the mangled ones of PTX text (Itanium C++ ABI).
#pragma once

#include <string>

namespace gpusim {

// The full name with its parameter types: sum_tile(float const*, float*). Names that are not mangled stay as they are.
std::string demangled(const std::string&);

// sum_tile or scan<256>, without return and parameter types.
std::string kernel_name(const std::string& mangled);

// tile, of the mangled sum_tile(float const*, float*)::tile.
std::string variable_name(const std::string& mangled);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
