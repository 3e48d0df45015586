#include "simulated.h"

#include <gpusim/check.h>
#include <gpusim/chosen_blocks.h>
#include <gpusim/report.h>

#include <algorithm>
#include <set>

#include "time_limit.h"

namespace judge {
namespace {

// A launch is stopped after this many warp instructions, and so many more for each of its warps. The longest that
// solutions make take 21 million in 1968 warps (chapter 10, 5000011 elements).
constexpr unsigned long long kBudget = 50'000'000, kBudgetOfWarp = 50'000;

void set_budget() {
  if (!is_budget_given()) gpusim::set_instruction_budget(kBudget, kBudgetOfWarp);
}

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string position(const gpusim::Place& place) {
  std::string text = file_name(place.file) + ":" + std::to_string(place.line);
  if (place.column > 0) text += ":" + std::to_string(place.column);
  return text;
}

bool is_theirs(const gpusim::Place& place) { return file_name(place.file) == file_name(kernels_file); }

// "kernels.cuh:23:30", and in brackets from where that was called. An access that a given file makes for the kernel begins with
// the line in kernels.cuh that asked for it; one that has none there, with the other access of the race.
std::string where(const gpusim::Finding& f) {
  const gpusim::Place& place = f.place;
  const auto own = std::ranges::find_if(place.called_at, is_theirs);
  if (is_theirs(place) || (own == place.called_at.end() && !is_theirs(f.other))) {
    std::string calls;
    for (const gpusim::Place& call : place.called_at)
      calls +=
          (calls.empty() ? " (called at " : ", ") + file_name(call.file) + ":" + std::to_string(call.line);
    return position(place) + calls + (calls.empty() ? "" : ")");
  }
  return position(own == place.called_at.end() ? f.other : *own) + " (" +
         (own == place.called_at.end() ? "against " : "at ") + position(place) + ")";
}

// "race: kernels.cuh:23:30: block 0, lane 5 of warp 0 reads …"
std::string verdict_text(const gpusim::Finding& f) {
  return f.check + ": " + (f.place.line > 0 ? where(f) + ": " : "") + f.message;
}

}  // namespace

WithoutChecks::WithoutChecks() { gpusim::enable_checks("none"); }
WithoutChecks::~WithoutChecks() { gpusim::enable_checks(gpusim::checks_for_kernels()); }

InstructionBudget::InstructionBudget(std::uint64_t instructions) {
  if (!is_budget_given()) gpusim::set_instruction_budget(instructions);
}
InstructionBudget::~InstructionBudget() { set_budget(); }

void stop_launches_after(double seconds) { gpusim::set_time_limit(seconds); }

void enable_checks() {
  gpusim::enable_checks(gpusim::checks_for_kernels());
  gpusim::print_faults(false);
  set_budget();
}

// "tile", of "… writes tile[0] while …"; empty where the finding names no array.
static std::string array_of(const gpusim::Finding& f) {
  for (const std::string verb : {" writes ", " reads "})
    if (const std::size_t at = f.message.find(verb); at != std::string::npos) {
      const std::size_t begin = at + verb.size(), end = f.message.find('[', begin);
      return end == std::string::npos ? "" : f.message.substr(begin, end - begin);
    }
  return "";
}

std::vector<Finding> take_findings() {
  const auto is_error = [](const gpusim::Finding& f) { return f.severity == gpusim::Severity::error; };
  std::vector<Finding> taken;
  std::set<std::string> racing, raced_for;  // kernels, and with them the arrays
  for (const gpusim::Finding& f : gpusim::findings())
    if (is_error(f) && f.check == "race") racing.insert(f.kernel), raced_for.insert(f.kernel + array_of(f));
  // Stores of the same value are a warning, unless the kernel races for the array in another way, too: then they may be the
  // cause of that.
  const auto counts = [&](const gpusim::Finding& f) {
    return is_error(f) || (f.check == "race" && raced_for.contains(f.kernel + array_of(f)));
  };
  // Who reads too early what another thread stores is told of the race, and not that nothing was stored.
  const auto follows = [&](const gpusim::Finding& f) {
    return f.check == "never written" && racing.contains(f.kernel);
  };
  for (const gpusim::Finding& f : gpusim::findings())
    if (counts(f) && !follows(f)) taken.push_back({Kind::hazard, verdict_text(f), gpusim::to_text(f)});
  gpusim::clear_findings();
  // Threads that miss a barrier race for it: the cause first.
  for (const char* cause : {"race: ", "barrier: "})
    std::stable_partition(taken.begin(), taken.end(),
                          [cause](const Finding& f) { return f.message.starts_with(cause); });
  return taken;
}

std::string last_fault_quoted() { return gpusim::last_fault_quoted(); }

std::string last_fault() {
  // A fault names files from where the person stands: with more or fewer of the folders that kernels_file names.
  std::string fault = gpusim::last_fault();
  const std::string file = kernels_file, name = file_name(file);
  for (std::size_t from = 0; from + name.size() < file.size(); from = file.find('/', from) + 1) {
    const std::string place = file.substr(from) + ":";
    for (std::size_t at; (at = fault.find(place)) != std::string::npos;) {
      std::size_t begin = at;  // of "../", too
      while (begin > 0 && (fault[begin - 1] == '.' || fault[begin - 1] == '/')) --begin;
      fault.replace(begin, at - begin + place.size(), name + ":");
    }
  }
  return fault;
}

namespace {

struct NamedSchedule {
  const char* name;
  gpusim::Schedule lanes;
  gpusim::StartOrder blocks;
  gpusim::Turns turns;
};
const NamedSchedule kSchedules[] = {
    // A block that waits for one with a smaller number, which may start later, waits for ever.
    {"ascending, the last block first, two at a time",
     gpusim::Schedule::ascending,
     gpusim::StartOrder::last_to_first,
     {{}, 2}},
    {"descending, blocks shuffled", gpusim::Schedule::descending, gpusim::StartOrder::shuffled, {}},
    {"lockstep, blocks in turns of a few instructions",
     gpusim::Schedule::lockstep,
     gpusim::StartOrder::shuffled,
     {{5, 23, 2, 59}}},
};

}  // namespace

std::vector<std::string> other_schedules() {
  std::vector<std::string> names;
  for (const NamedSchedule& s : kSchedules) names.push_back(s.name);
  return names;
}

bool run_only_blocks(const std::vector<std::uint64_t>& blocks) {
  gpusim::run_only_blocks(blocks);
  return true;
}
void run_all_blocks() { gpusim::run_only_blocks({}); }

std::uint64_t blocks_launched(const std::function<void()>& launch) {
  gpusim::clear_reports();
  gpusim::enable_reports();
  launch();
  gpusim::enable_reports(false);
  return gpusim::reports().empty() ? 0 : gpusim::last_report().blocks();
}

InSchedule::InSchedule(const std::string& name) {
  const NamedSchedule& s = *std::ranges::find(kSchedules, name, &NamedSchedule::name);
  gpusim::set_schedule(s.lanes);
  gpusim::set_start_order(s.blocks);
  gpusim::set_turns(s.turns);
}
InSchedule::~InSchedule() {
  gpusim::set_schedule(gpusim::Schedule::lockstep);
  gpusim::set_start_order(gpusim::StartOrder::first_to_last);
  gpusim::set_turns({});
}

WithBlocks::WithBlocks(BlockOrder order) {
  gpusim::set_start_order(order == BlockOrder::shuffled ? gpusim::StartOrder::shuffled
                                                        : gpusim::StartOrder::last_to_first);
}
WithBlocks::~WithBlocks() { gpusim::set_start_order(gpusim::StartOrder::first_to_last); }

InTurns::InTurns(const std::vector<unsigned>& lengths) { gpusim::set_turns({lengths}); }
InTurns::~InTurns() { gpusim::set_turns({}); }

}  // namespace judge
// SPDX-License-Identifier: MIT
