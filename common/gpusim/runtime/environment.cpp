#include "runtime/environment.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/grouped.h"
#include "reports/text.h"
#include "runtime/exploring.h"
#include "runtime/machine.h"
#include "runtime/process.h"
#include "runtime/report_file.h"

namespace gpusim {
namespace {

constexpr std::string_view kSchedules[] = {"lockstep", "ascending",
                                           "descending"};  // in the order of enum Schedule
constexpr std::string_view kStartOrders[] = {"first_to_last", "last_to_first",
                                             "shuffled"};  // of enum StartOrder

constexpr const char* kHint =
    "gpusim: only the first launches were checked, up to this finding: GPUSIM_CHECK=all checks everything and prints "
    "every finding, GPUSIM_CHECK=none checks nothing";

constexpr std::size_t kQuoted = 80;  // columns of a value that a line shows

[[noreturn]] void refuse(const char* variable, const char* value, const char* wanted) {
  std::fprintf(stderr, "gpusim: %s=%s is not understood; set it to %s\n", variable,
               printable(value, kQuoted).c_str(), wanted);
  std::exit(1);
}

// Whether the variable is 1, empty or absent, and not 0.
bool is_on(const char* variable) {
  const char* text = std::getenv(variable);
  const std::string_view value = text ? text : "";
  if (value.empty()) return true;
  if (value == "0") return false;
  if (value == "1") return true;
  refuse(variable, text, "1 or 0");
}

// The value as a number from 1 to `most`.
u64 number_in(const char* variable, const char* value, u64 most, const char* wanted) {
  const std::string_view text = value;
  u64 number = 0;
  const auto [end, error] = std::from_chars(text.begin(), text.end(), number);  // rejects signs and spaces
  if (error != std::errc() || end != text.end() || number == 0 || number > most)
    refuse(variable, value, wanted);
  return number;
}

constexpr std::string_view kVariables[] = {
    "GPUSIM_BLOCK_ORDER",  "GPUSIM_BUDGET",   "GPUSIM_CHECK",    "GPUSIM_DEVICES", "GPUSIM_EXPLORE",
    "GPUSIM_FRESH_MEMORY", "GPUSIM_MACHINE",  "GPUSIM_PATIENCE", "GPUSIM_PREDICT", "GPUSIM_REPLAY",
    "GPUSIM_REPORT",       "GPUSIM_SCHEDULE", "GPUSIM_SIMCC",    "GPUSIM_THREADS"};

// A name that is misspelt would change nothing, and nothing would say so.
void tell_unknown_variables() {
  for (char** entry = environ; entry && *entry; ++entry) {
    const std::string_view text = *entry, name = text.substr(0, text.find('='));
    if (!name.starts_with("GPUSIM_") || std::ranges::find(kVariables, name) != std::end(kVariables)) continue;
    std::string known;
    for (const std::string_view variable : kVariables)
      known += (known.empty() ? "" : ", ") + std::string(variable);
    std::fprintf(stderr, "gpusim: %s is not a variable that the simulated GPU knows; it knows %s\n",
                 printable(std::string(name), kQuoted).c_str(), known.c_str());
  }
}

bool print_links() {
  const std::string text = to_text(runtime::process().contexts[0]->gpu.reports.links());
  if (!text.empty()) std::fprintf(stderr, "gpusim: from GPU to GPU, in all\n%s", text.c_str());
  return true;
}

// Standard output of the program may be a pipe that is compared: like the reports, this goes to standard error.
bool print_replays() {
  const Device& device = runtime::process().contexts[0]->gpu.device;
  if (device.replayed() == 0) return true;
  std::fprintf(
      stderr,
      "gpusim: %s of %s launches were not run again, because an earlier one had the same arguments and read the "
      "same bytes; GPUSIM_REPLAY=0 runs them\n",
      grouped(device.replayed()).c_str(), grouped(device.launches()).c_str());
  return true;
}

void complain(const char* file, const std::string& why) {
  std::fprintf(stderr, "gpusim: GPUSIM_REPORT=%s %s\n", printable(file, kQuoted).c_str(), why.c_str());
}

// All launches in one file, which is written when the program ends.
void report_to_file(Reports& reports, const char* name) {
  const auto file = std::make_shared<runtime::ReportFile>(name);
  if (!file->why_not().empty()) {
    complain(name, file->why_not());
    std::exit(1);
  }
  reports.hand_to([file](const Report& report) { file->add(report); });
  runtime::at_end([file, name = std::string(name)] {
    const std::string why = file->finish();
    if (!why.empty()) complain(name.c_str(), why);
    return why.empty();
  });
}

// What GPUSIM_REPORT is set to; empty: it is not set.
const char* report_asked() {
  const char* value = std::getenv("GPUSIM_REPORT");
  return value ? value : "";
}
bool prints_report() { return std::string_view(report_asked()) == "1"; }
bool writes_report_file() { return std::string_view(report_asked()).ends_with(".json"); }

// What GPUSIM_REPORT and GPUSIM_PREDICT ask for.
void report_as_asked(Reports& reports) {
  const char* value = report_asked();
  const std::string_view text = value;
  const bool predicts = is_on("GPUSIM_PREDICT");
  if (text.empty() || text == "0") return;
  if (prints_report()) {
    reports.keep(true);
    reports.print_to(stderr);
    runtime::at_end(print_links);
    runtime::at_end(print_replays);
  } else if (writes_report_file()) {
    report_to_file(reports, value);
  } else {
    refuse("GPUSIM_REPORT", value, "1, 0 or a file to write, FILE.json");
  }
  if (predicts) reports.predict_for(machine_from_environment());
}

runtime::Exploring& exploring() {
  std::shared_ptr<runtime::Exploring>& exploring = runtime::process().exploring;
  if (!exploring) {
    exploring = std::make_shared<runtime::Exploring>();
    runtime::at_end([] { return !runtime::process().exploring->has_failed(); });
  }
  return *exploring;
}

// "5000": executions; "60s": seconds.
ExplorationLimits exploration_limits(const char* value) {
  constexpr const char* kWanted = "a number of executions, such as 5000, or of seconds, such as 60s";
  ExplorationLimits limits;
  const std::string_view text = value;
  if (!text.ends_with('s')) limits.executions = number_in("GPUSIM_EXPLORE", value, ~u64(0), kWanted);
  else {
    const std::string number(text.substr(0, text.size() - 1));
    u64 seconds = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), seconds);
    if (error != std::errc() || end != number.data() + number.size() || seconds == 0)
      refuse("GPUSIM_EXPLORE", value, kWanted);
    limits.seconds = double(seconds);
  }
  return limits;
}

// False: the text is no schedule.
bool run_by(const char* text) {
  std::optional<NamedSchedule> schedule = parse_schedule(text);
  if (!schedule) return false;
  exploring().schedule = std::move(schedule);
  return true;
}

// Whether GPUSIM_CHECK names this check in its list.
bool names_check(std::string_view list, std::string_view name) {
  return ("," + std::string(list) + ",").find("," + std::string(name) + ",") != std::string::npos;
}

}  // namespace

bool is_machine_named() {
  const char* asked = std::getenv("GPUSIM_MACHINE");
  return asked && *asked;
}

timing::Machine machine_from_environment(timing::Machine::Kernels kernels) {
  const std::string name = is_machine_named() ? std::getenv("GPUSIM_MACHINE") : timing::Machine::kDefault;
  std::string error;
  if (std::optional<timing::Machine> machine = timing::Machine::find(name, &error, kernels))
    return *std::move(machine);
  std::fprintf(stderr,
               "gpusim: GPUSIM_MACHINE=%s %s; set it to %s, or to a file that timing/calibrate has printed\n",
               printable(name, kQuoted).c_str(), error.c_str(), timing::Machine::known().c_str());
  std::exit(1);
}

void configure_from_environment() {
  Gpu& gpu = runtime::process().contexts[0]->gpu;
  tell_unknown_variables();
  if (is_machine_named()) runtime::answer_for(machine_from_environment());
  report_as_asked(gpu.reports);
  if (const char* checks = std::getenv("GPUSIM_CHECK")) {
    runtime::exit_with_findings();
    gpu.findings.print(true);
    runtime::process().checks = *checks ? checks : "none";
    const bool looks_for_races = names_check(checks, "race");
    runtime::process().prints_proofs = names_check(checks, "proof");
    // Without a report, a program in which nothing is found says nothing.
    runtime::process().tells_of_proofs =
        looks_for_races && prints_report() && !runtime::process().prints_proofs;
    if (runtime::process().tells_of_proofs || writes_report_file()) gpu.checks.conclude_with_races();
    runtime::process().exits_with_faults = runtime::process().checks != "none";
    if (!gpu.checks.enable(runtime::process().checks))
      refuse("GPUSIM_CHECK", checks, ("all, none, or a list of " + Checks::all_names()).c_str());
  } else {
    gpu.findings.print_first(kHint);
    gpu.checks.sample();
  }
  if (const char* explore = std::getenv("GPUSIM_EXPLORE"); explore && explore != std::string_view("0"))
    exploring().limits = exploration_limits(explore);
  if (const char* schedule = std::getenv("GPUSIM_SCHEDULE")) {
    const auto known = std::find(std::begin(kSchedules), std::end(kSchedules), std::string_view(schedule));
    if (known != std::end(kSchedules)) gpu.device.schedule = Schedule(known - std::begin(kSchedules));
    else if (!run_by(schedule))
      refuse("GPUSIM_SCHEDULE", schedule,
             "lockstep, ascending or descending, or to a schedule that GPUSIM_EXPLORE has printed");
  }
  if (const char* order = std::getenv("GPUSIM_BLOCK_ORDER")) {
    const auto known = std::find(std::begin(kStartOrders), std::end(kStartOrders), std::string_view(order));
    if (known == std::end(kStartOrders))
      refuse("GPUSIM_BLOCK_ORDER", order, "first_to_last, last_to_first or shuffled");
    gpu.device.start_order = StartOrder(known - std::begin(kStartOrders));
  }
  if (const char* fresh = std::getenv("GPUSIM_FRESH_MEMORY")) {
    if (fresh == std::string_view("nan")) gpu.device.memory.fresh = Backing::kNan;
    else if (fresh == std::string_view("zero")) gpu.device.memory.fresh = Backing::kZero;
    else if (fresh != std::string_view("large")) refuse("GPUSIM_FRESH_MEMORY", fresh, "large, nan or zero");
  }
  if (const char* budget = std::getenv("GPUSIM_BUDGET")) {
    const u64 instructions =
        number_in("GPUSIM_BUDGET", budget, ~u64(0), "a number of warp instructions, 1 to 2^64 - 1");
    gpu.device.budget = {instructions, 0};
  }
  gpu.device.replay = is_on("GPUSIM_REPLAY");
  gpu.device.host_threads = std::clamp(std::thread::hardware_concurrency(), 1u, Settings::kUsualHostThreads);
  if (const char* threads = std::getenv("GPUSIM_THREADS")) {
    gpu.device.host_threads = u32(number_in("GPUSIM_THREADS", threads, Settings::kMostHostThreads,
                                            "a number of host threads, 1 to 256"));
    gpu.device.fewest_shared_warps = 0;  // a user who asks for threads gets them for small grids as well
  }
  if (const char* patience = std::getenv("GPUSIM_PATIENCE"))
    runtime::process().patience =
        double(number_in("GPUSIM_PATIENCE", patience, 1'000'000, "a number of seconds, 1 to 1000000"));
  if (const char* devices = std::getenv("GPUSIM_DEVICES"))
    runtime::use_devices(
        u32(number_in("GPUSIM_DEVICES", devices, Memory::kMostGpus, "a number of GPUs, 1 to 16")));
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
