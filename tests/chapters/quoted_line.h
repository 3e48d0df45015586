// A line of somebody's file, for a verdict.
#pragma once

#include <string>

namespace judge {

// "kernels.cuh:24: 94 branches    in[i] += in[i + len];" where `what` is "94 branches". Without the text if the file cannot
// be read.
std::string quoted_line(const std::string& path, int line, const std::string& what = "");

// The line, quoted so, that begins the definition of a function outside of every other; empty if there is none.
std::string quoted_definition(const std::string& path, const std::string& function);

}  // namespace judge
// SPDX-License-Identifier: MIT
