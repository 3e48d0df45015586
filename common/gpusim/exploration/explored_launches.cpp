#include "exploration/explored_launches.h"

#include <algorithm>

#include "base/grouped.h"
#include "base/position_text.h"
#include "checking/checks.h"
#include "checking/findings.h"
#include "launch/launch.h"

namespace gpusim {
namespace {

constexpr u64 kMostAgents = 256;  // each remembers what it knows of each

// The race check, made anew for each execution: what an earlier one did is no part of this one.
class RaceWatch final : public Explorer::Watch {
 public:
  explicit RaceWatch(const std::vector<ExploredLaunch>& launches) : launches_(launches) {}

  std::vector<std::vector<Observer*>> begin() override {
    checks_.clear();
    findings_ = {};
    std::vector<std::vector<Observer*>> all;
    for (const ExploredLaunch& l : launches_) {
      const Device& device = *l.device;
      checks_.push_back(checks_.empty() ? make_race_check(device.memory, findings_)
                                        : make_race_check_beside(*checks_.front(), device.memory,
                                                                 device.number, findings_));
      all.push_back({checks_.back().get()});
    }
    return all;
  }
  std::string found() override { return first(Severity::error); }
  std::string equal_stores() override { return first(Severity::warning); }

 private:
  std::string first(Severity severity) const {
    const auto found = std::ranges::find(findings_.all(), severity, &Finding::severity);
    return found == findings_.all().end() ? "" : to_text(*found);
  }

  const std::vector<ExploredLaunch>& launches_;
  Findings findings_;
  std::vector<std::unique_ptr<Observer>> checks_;
};

std::string name_of(const std::vector<ExploredLaunch>& launches) {
  const ExploredLaunch& l = launches.front();
  const std::string text =
      l.kernel->pretty_name + "<<<" + extent_text(l.config.grid) + ", " + extent_text(l.config.block) + ">>>";
  return launches.size() == 1 ? text : text + " on " + std::to_string(launches.size()) + " GPUs";
}

std::string count_of(u64 n, const char* what) { return grouped(n) + " " + what + (n == 1 ? "" : "s"); }

// Runs that were given up do not count: another execution is the same as each of them.
std::string given_up(const Exploration& e) {
  const u64 all = e.repeated + e.redundant;
  return all == 0 ? ""
                  : " (and gave up " + count_of(all, "run") + " that only repeat" + (all == 1 ? "s" : "") +
                        " another)";
}

std::string results_text(const Exploration& e) {
  const std::string equal =
      e.equal_stores.empty()
          ? ""
          : "\n  It relies on values being equal; in another order, or with another input, they may differ:\n" +
                e.equal_stores;
  if (e.results <= 1) return "; all leave the same bits" + equal;
  return "; they leave " + grouped(e.results) + " different results\n  GPUSIM_SCHEDULE=" + to_text(e.one) +
         " and GPUSIM_SCHEDULE=" + to_text(e.other) + " run two that differ" + equal;
}

// Runs everything, first by the schedule and then in the order in which operations come up.
void follow(Execution& x, const NamedSchedule& schedule, std::string* unfit, const ToldOfOperation& told) {
  x.begin();
  if (told) told(nullptr, false, "");
  std::size_t next = 0;
  for (;;) {
    if (x.end() == Execution::End::repeated) x.wake();
    if (x.end() != Execution::End::running) break;
    std::optional<Move> move;
    const bool is_named = unfit->empty() && next < schedule.moves.size();
    if (unfit->empty() && next < schedule.moves.size()) {
      move = x.find_move(schedule.moves[next++]);
      if (!move) *unfit = "its operation " + std::to_string(next) + " is not one that can come next";
    }
    for (AgentId a = 0; !move && a < x.agents(); ++a)
      if (x.operation(a)) move = Move{a, x.choices(a).front()};
    const NamedMove named = x.name_of(*move);
    const Step step = x.execute(move->agent, move->choice);
    if (told) told(&named, is_named && unfit->empty(), x.words_of(step));
  }
  if (unfit->empty() && next < schedule.moves.size() && x.end() == Execution::End::complete)
    *unfit = "it has ended before the schedule's operation " + std::to_string(next + 1);
}

}  // namespace

Exploration explore(std::vector<ExploredLaunch> launches, const ExplorationLimits& limits) {
  const auto not_explored = [](const std::string& why) {
    Exploration none;
    none.verdict = Exploration::Verdict::not_explored;
    none.message = why;
    return none;
  };
  u64 warps = 0;
  for (ExploredLaunch& l : launches) {
    const LaunchInfo info = info_of(*l.device, *l.module, *l.kernel, l.config, l.params.data(), l.number);
    warps += info.grid.count() * info.warps_per_block;
    l.facts = std::make_shared<KernelFacts>(info);
    if (const auto why = why_not(info))
      return not_explored(why->place.file + ":" + std::to_string(why->place.line) + " " + why->why);
  }
  if (warps > kMostAgents)
    return not_explored("has " + grouped(warps) + " warps, but at most " + grouped(kMostAgents) +
                        " can be explored: launch fewer or smaller blocks");
  RaceWatch watch(launches);
  return Explorer(launches, watch, limits).explore();
}

std::string to_text(const Exploration& e, const std::vector<ExploredLaunch>& launches) {
  const std::string name = name_of(launches),
                    explored = count_of(e.executions, "execution") + " of " + name + given_up(e);
  switch (e.verdict) {
    case Exploration::Verdict::all_right:
      return "explored " + explored + ": no order of operations races, faults or waits for ever" +
             results_text(e);
    case Exploration::Verdict::not_finished:
      return "not finished: explored " + explored + ", and nothing was found so far; " + e.message +
             results_text(e);
    case Exploration::Verdict::not_explored: return "not explored: " + name + ": " + e.message;
    case Exploration::Verdict::violation: break;
  }
  constexpr std::size_t kShown = 24;
  const u64 executions = e.executions + 1;  // with the one that goes wrong, which is not complete
  std::string text = "explored " + count_of(executions, "execution") + " of " + name + given_up(e) +
                     (executions == 1 ? ", and it goes wrong:\n" : ", and the last one goes wrong:\n") +
                     e.message;
  const std::size_t first = e.steps.size() > kShown ? e.steps.size() - kShown : 0;
  text += "\n  It goes like this";
  if (first)
    text += " (the last " + std::to_string(kShown) + " of " + std::to_string(e.steps.size()) + " operations)";
  for (std::size_t k = first; k < e.steps.size(); ++k)
    text += "\n  " + std::to_string(k + 1) + ". " + e.steps[k];
  return text + "\n  GPUSIM_SCHEDULE=" + to_text(e.schedule) + " runs it again";
}

std::optional<Fault> run_by_schedule(const std::vector<ExploredLaunch>& launches,
                                     const NamedSchedule& schedule, std::string* unfit,
                                     const ToldOfOperation& told) {
  Execution x(launches);
  try {
    follow(x, schedule, unfit, told);
  } catch (const NotExplored&) {
    x.undo();
    throw;
  }
  if (x.end() != Execution::End::complete) return x.fault();
  return std::nullopt;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
