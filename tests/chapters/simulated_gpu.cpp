#include <cstdio>

#include "block_stores.h"
#include "counted_once.h"
#include "counts.h"
#include "simulated.h"
#include "thresholds.h"

namespace judge {

bool check_counts(const std::string& kernel, int, const std::function<void()>&, const std::vector<Limit>&,
                  const std::string&) {
  std::printf("    %s: not counted on a GPU\n", kernel.c_str());
  return true;
}
bool check_counts_once(const std::string& kernel, int, const std::function<void()>&,
                       const std::vector<Limit>&, const std::string&) {
  return check_counts(kernel, 0, {}, {});
}
bool check_levels_written_out(const SumKernel& kernel) { return check_counts(kernel.name, 0, {}, {}, ""); }
bool check_last_warp_alone(const SumKernel& kernel) { return check_counts(kernel.name, 0, {}, {}, ""); }
bool check_launches(const std::string& what, int, const std::function<void()>&) {
  std::printf("    launches of %s: not counted on a GPU\n", what.c_str());
  return true;
}
bool check_grid(const std::string& what, int, const std::function<void()>&) {
  std::printf("    the grid of %s: not counted on a GPU\n", what.c_str());
  return true;
}
bool check_counts(const SumKernel& kernel, const std::vector<Limit>& limits, int, const std::string&) {
  return check_counts(kernel.name, 0, {}, limits);
}
std::string writes_to(const void*, std::size_t, std::uint64_t, const std::function<void()>&) { return ""; }
std::string reads_of(const void*, std::size_t, std::size_t, const std::function<void()>&) { return ""; }
int launches_in(const std::function<void()>& launch) {
  launch();
  return -1;
}

bool run_only_blocks(const std::vector<std::uint64_t>&) {
  std::printf("    chosen blocks of a large grid: not run on a GPU\n");
  return false;
}
void run_all_blocks() {}
std::uint64_t blocks_launched(const std::function<void()>& launch) {
  launch();
  return 0;
}
void stop_launches_after(double) {}
std::map<std::uint64_t, std::vector<Elements>> stores_of_blocks(const void*, std::size_t, std::size_t,
                                                                const std::function<void()>& launch) {
  return launch(), std::map<std::uint64_t, std::vector<Elements>>{};
}
OneWarpsLoads loads_of_one_warp(const void*, const void*, std::size_t, std::size_t,
                                const std::function<void()>&) {
  return {};
}

std::vector<Threshold> thresholds(std::size_t, std::size_t, const std::string&) { return {}; }
std::vector<float> float_thresholds(const std::string&) { return {}; }
std::size_t largest_number_in_code(std::size_t most) { return most; }
std::vector<std::string> comparisons_with_one_outcome() { return {}; }
void print_thresholds() { std::printf("thresholds: not read from code for a GPU\n"); }

void enable_checks() {
  std::printf(
      "  not checked on a GPU: races, barriers; compute-sanitizer can (meson test --setup racecheck)\n");
}
WithoutChecks::WithoutChecks() = default;
WithoutChecks::~WithoutChecks() = default;
std::vector<Finding> take_findings() { return {}; }
std::string last_fault() { return ""; }
std::string last_fault_quoted() { return ""; }

std::vector<std::string> other_schedules() {
  std::printf("    other schedules: not checked on a GPU\n");
  return {};
}
InSchedule::InSchedule(const std::string&) {}
InSchedule::~InSchedule() = default;
InstructionBudget::InstructionBudget(std::uint64_t) {}
InstructionBudget::~InstructionBudget() = default;
WithBlocks::WithBlocks(BlockOrder) {}
WithBlocks::~WithBlocks() = default;
InTurns::InTurns(const std::vector<unsigned>&) {}
InTurns::~InTurns() = default;

}  // namespace judge
// SPDX-License-Identifier: MIT
