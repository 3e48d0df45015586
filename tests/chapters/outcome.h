// All that a judge has to say, as JSON: for `learn`, which shows the part that matters now. Pure data.
//
// {
//   "file": "…/kernels.cuh",  "verdict": "begun: 1 of 2: …",  "exit_code": 1,
//   "as_shipped": false,      the file is the starter's
//   "todo_lines": [46],       where a TODO(you) stands
//   "gaps": [{"name": "sum_in_place: the tree", "todos": 1, "open": true, "kernels": ["sum_in_place"]}],
//   "test_cases": [{"name": "…", "state": "ok",              ok, todo, FAIL, as it is printed
//                   "seconds": 0.1}],
//   "findings": [{"kind": "unimproved", "excused": true,     fault, hazard, wrong_result, as_shipped, unimproved
//                 "gap": 0, "message": "…", "text": "…"}],   the first of the gaps that it is about, or null
//   "measurements": [{"kernel": "sum_in_place", "counter": "barriers", "each": "a block", "value": 72,
//                     "at_most": true, "limit": 16, "kept": false, "goal": ""}]      goal: of a harder target
// }
#pragma once

#include <string>
#include <vector>

#include "judge.h"
#include "measurements.h"

namespace judge {

struct Outcome {
  struct GapState {
    Gap gap;
    bool is_open;
  };
  struct TestCase {
    std::string name, state;
    double seconds;
  };
  struct Found {
    Finding finding;
    bool is_excused;
    int gap;  // index; -1: none
  };

  std::string file;
  Verdict verdict;
  bool is_as_shipped;
  std::vector<int> todo_lines;
  std::vector<GapState> gaps;
  std::vector<TestCase> test_cases;
  std::vector<Found> findings;
  std::vector<Measurement> measurements;
};

std::string to_json(const Outcome& outcome);

}  // namespace judge
// SPDX-License-Identifier: MIT
