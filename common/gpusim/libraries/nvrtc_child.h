// simcc as a child process, which compiles what a program gives to NVRTC.
#pragma once

#include <string>

namespace gpusim::libraries {

struct SimccAnswer {
  std::string output;   // what simcc printed
  std::string said;     // what it wrote to standard error
  std::string problem;  // why it could not be run, in one line; else empty
};

// Runs `simcc --nvrtc` with this text as its input, and waits for it. simcc/nvrtc.py says what the texts are.
SimccAnswer ask_simcc(const std::string& request);

}  // namespace gpusim::libraries
// SPDX-License-Identifier: MIT
