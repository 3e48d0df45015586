#include "time_limit.h"

#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "judge.h"
#include "simulated.h"

namespace judge {
namespace {

// As std::clock() counts it. Solutions need a tenth of it, and build/learn waits for 30 s.
constexpr double kMostSeconds = 25;

double seconds_so_far() { return double(std::clock()) / CLOCKS_PER_SEC; }
double left_out = 0, before = 0, longest = 0;  // seconds

}  // namespace

bool is_budget_given() { return std::getenv("GPUSIM_BUDGET") != nullptr; }

void limit_time() {
  if (!is_budget_given()) stop_launches_after(kMostSeconds + left_out);
}

void check_time(const std::string& what) {
  static std::string longest_what;
  const double now = seconds_so_far() - left_out;
  if (now - before > longest) longest = now - before, longest_what = what;
  before = now;
  if (now <= kMostSeconds || is_budget_given()) return;
  char text[80];
  std::snprintf(text, sizeof text, "%.0f s of processor time; the longest launch took %.1f s: ", now,
                longest);
  report(Kind::hazard, "unfinished: the check was stopped after " + (text + longest_what));
}

void leave_out_time() {
  left_out = seconds_so_far() - before;
  limit_time();
}

}  // namespace judge
// SPDX-License-Identifier: MIT
