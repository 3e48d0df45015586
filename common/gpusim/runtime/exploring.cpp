#include "runtime/exploring.h"

#include <cstdio>

#include "runtime/process.h"

namespace gpusim::runtime {

bool Exploring::has_run(std::vector<ExploredLaunch> launches, std::optional<Fault>* fault) {
  for (ExploredLaunch& l : launches) l.number = l.device->launches() + 1;
  if (schedule) {
    if (has_followed_ || schedule->launch != launches.front().number) return false;
    has_followed_ = true;
    for (ExploredLaunch& l : launches) {
      l.observers = l.device->observers;
      if (trace) l.observers.push_back(&trace->observer_of(*l.device));
    }
    const auto told = [this](const NamedMove* move, bool is_named, const std::string& text) {
      if (!trace) return;
      if (move) trace->add(*move, is_named, text);
      else trace->begin();
    };
    std::string unfit;
    try {
      *fault = run_by_schedule(launches, *schedule, &unfit, told);
    } catch (const NotExplored& e) {
      std::fprintf(stderr, "gpusim: GPUSIM_SCHEDULE is not followed: %s %s\n",
                   launches.front().kernel->pretty_name.c_str(), e.why.c_str());
      has_failed_ = true;
      return false;
    }
    if (!unfit.empty()) {
      std::fprintf(
          stderr,
          "gpusim: GPUSIM_SCHEDULE does not fit this launch of %s: %s; what it says from there on was not followed\n",
          launches.front().kernel->pretty_name.c_str(), unfit.c_str());
      has_failed_ = true;
    }
    for (const ExploredLaunch& l : launches) l.device->count_launch();
    return true;
  }
  if (!limits) return false;
  const Exploration e = explore(launches, *limits);
  std::fflush(stdout);
  std::fprintf(stderr, "gpusim: %s\n", to_text(e, launches).c_str());
  if (e.verdict != Exploration::Verdict::violation) return false;
  has_failed_ = true;
  process().contexts[0]->gpu.findings.note_told(e.message);
  return false;
}

}  // namespace gpusim::runtime
// SPDX-License-Identifier: MIT
