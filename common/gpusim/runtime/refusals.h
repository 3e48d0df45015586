// Calls that the runtime has refused, and that the program does not ask about.
#pragma once

#include <string>

#include "base/api_call.h"
#include "driver_types.h"

namespace gpusim::runtime {

enum class Returns { the_error, nothing };  // what the refused call tells the program

struct Refusal {
  cudaError_t code;
  std::string what;  // in words, or empty
  ApiCall site;
  Returns returns;
};

// Remembers a refused call until the program asks for the last error. At the end of the program a line tells those that it has
// ignored: launches, and calls whose result its source does not use. Of other calls it is not known whether the program has
// looked at the result. If it ends with exit status 0, a line tells the first one that has words for what was refused.
void note_refusal(cudaError_t code, const std::string& what, Returns);

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
