// What was counted while a kernel was judged, kept or not: for programs, which show it before and after an edit.
#pragma once

#include <string>
#include <vector>

namespace judge {

struct Measurement {
  std::string kernel;   // as in a finding: "sum_tile, n = 256"
  std::string counter;  // "bank conflicts"
  std::string each;     // "a block"
  double value = 0;
  bool at_most = true;  // else at least
  double limit = 0;
  std::string goal = {};  // empty: the chapter asks for it; else what a harder target is called

  bool kept() const { return at_most ? value <= limit : value >= limit; }
};

// While it is not empty, what is asked for is a harder target of this name: it is measured, and no verdict depends on it.
// judge.cpp sets it for test cases whose names begin with "stretch: ".
void set_goal(const std::string& name);
const std::string& goal();

void note(const Measurement& measurement);

// In the order in which they were made.
const std::vector<Measurement>& measurements();

}  // namespace judge
// SPDX-License-Identifier: MIT
