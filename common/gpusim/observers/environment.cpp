#include "observers/environment.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "gpusim/check.h"
#include "gpusim/report.h"

namespace gpusim {
namespace {

constexpr std::string_view kSchedules[] = {"lockstep", "ascending", "descending"};  // in the order of enum Schedule

[[noreturn]] void refuse(const char* variable, const char* value, const char* wanted) {
  std::fprintf(stderr, "gpusim: %s=%s is not understood; set it to %s\n", variable, value, wanted);
  std::exit(1);
}

// A variable that is 1 (yes), or 0, empty or absent (no).
bool is_asked_for(const char* variable) {
  const char* text = std::getenv(variable);
  const std::string_view value = text ? text : "";
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  refuse(variable, text, "1 or 0");
}

}  // namespace

void configure_from_environment() {
  if (is_asked_for("GPUSIM_REPORT")) {
    enable_reports(true);
    print_reports_to(stderr);
  }
  if (const char* checks = std::getenv("GPUSIM_CHECK")) {
    print_findings(true);
    if (!enable_checks(*checks ? checks : "none"))
      refuse("GPUSIM_CHECK", checks, "all, none, or a list of memory, race, barrier, shuffle, leak");
  }
  if (const char* schedule = std::getenv("GPUSIM_SCHEDULE")) {
    const auto known = std::find(std::begin(kSchedules), std::end(kSchedules), std::string_view(schedule));
    if (known == std::end(kSchedules)) refuse("GPUSIM_SCHEDULE", schedule, "lockstep, ascending or descending");
    set_schedule(Schedule(known - std::begin(kSchedules)));
  }
  if (const char* budget = std::getenv("GPUSIM_BUDGET")) {
    char* end = nullptr;
    const u64 instructions = std::strtoull(budget, &end, 10);
    if (*end || instructions == 0) refuse("GPUSIM_BUDGET", budget, "a number of warp instructions");
    set_instruction_budget(instructions);
  }
}

}  // namespace gpusim
