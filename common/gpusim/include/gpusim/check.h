// The simulated GPU as a judge: finds what is wrong with a kernel even if its result happens to be right. (gpusim/schedule.h
// has the schedules under which the result must be the same.)
//
//   gpusim::enable_checks("all");
//   sum_tile<<<grid, block>>>(in, sums, n);
//   for (const gpusim::Finding& f : gpusim::findings()) std::puts(gpusim::to_text(f).c_str());
//
// Any program: GPUSIM_CHECK=all|none|memory,race,barrier,shuffle,bounds,division,uninitialized,leak,proof. Findings are printed on stderr
// at the end of the launch, faults of barriers first, each once, and a program with a finding of severity error does not exit
// with status 0. If it is not set, those that watch launches look at the first ones, and the first error is printed; the program
// keeps its exit status. enable_checks() ends that, and forgets what was found.
// Accesses out of bounds, misaligned, to freed memory, deadlocks and endless kernels are faults: found always, given to
// the program as CUDA errors.
#pragma once

#include <string>
#include <vector>

#include "gpusim/schedule.h"

namespace gpusim {

enum class Severity { error, warning };

struct Place {
  std::string file;  // as the compiler wrote it; empty: none
  int line = 0, column = 0;
  // Of a function whose code the compiler put in place of a call: where it was called, the innermost call first.
  std::vector<Place> called_at;
};

struct Finding {
  std::string
      check;  // "race", "never written", "barrier", "shuffle", "out of bounds", "division", "uninitialized", "leak"
  Severity severity = Severity::error;
  Place place;                   // where it shows
  Place other;                   // the second access of a race; file empty: none
  std::string kernel;            // pretty name; empty for a leak
  std::string message;           // what, who (block, thread or lanes), and in one sentence what to do
  unsigned long long count = 1;  // how often: one finding a kernel, check and pair of places
};

// "all", "none", or a list of names, as GPUSIM_CHECK takes them. False, and nothing changed, for any other word.
// `all` is all but proof, which finds no mistakes and turns on all checks that watch launches (gpusim/proof.h).
bool enable_checks(const std::string& which);

// Those of them that judge kernels, not whole programs, as enable_checks() takes them.
std::string checks_for_kernels();

// In the order met, since the last clear_findings(). A program that clears them has taken note: they do not change its
// exit status any more.
const std::vector<Finding>& findings();
void clear_findings();

// As a compiler prints it: "file:line:column: race: …", the source line, a caret.
std::string to_text(const Finding&);
// For programs: an object whose keys are the members' names, and "text", which is to_text().
std::string to_json(const Finding&);

}  // namespace gpusim
// SPDX-License-Identifier: MIT
