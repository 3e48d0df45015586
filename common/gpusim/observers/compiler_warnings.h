// What simcc's compiler warned of when it made a module, which simcc wrote at the end of its PTX text, a comment each:
//   // simcc: kernels.cuh:23:9: variable 'sum' is uninitialized when used here
#pragma once

#include <string_view>

namespace gpusim {

// A module of the program.
void note_compiler_warnings(std::string_view ptx);

// Whether the warnings are findings: those of modules known already, and of others as they come.
void report_compiler_warnings(bool on);

}  // namespace gpusim
