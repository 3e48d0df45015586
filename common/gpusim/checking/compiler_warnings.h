// What simcc's compiler warned of when it made a module, which simcc wrote at the end of its PTX text, a comment each:
//   // simcc: kernels.cuh:23:9: variable 'sum' is uninitialized when used here
// And which calls of the runtime ignore the error that they return:
//   // simcc: main.cu:40:3: ignores the error
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "checking/findings.h"

namespace gpusim {

// A line of these, without its mark, if it is about a variable.
std::optional<Finding> uninitialised_variable(std::string_view note);

class CompilerWarnings {
 public:
  explicit CompilerWarnings(Findings& findings) : findings_(findings) {}

  // A module of the program.
  void note(std::string_view ptx);

  // Whether the warnings are findings: those of modules known already, and of others as they come.
  void report(bool on);

  // Whether a call at this line ignores the error that it returns. The file may be named with further folders before it.
  bool is_ignored(const Place& call) const;

 private:
  Findings& findings_;
  std::vector<Place> ignored_;
  std::vector<Finding> known_;
  bool report_ = false;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
