// Does the simulated GPU count what a GPU counts? Every launch of the solved programs, against Nsight Compute's
// numbers for the same launch on a GPU (tests/gpusim/data). fidelity_table.py has run the programs and left their
// profiles in the folder that PROFILES names: NN_topic.N.json, N being the number of elements.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "fidelity.h"
#include "harness/counters.h"

namespace {

// harness::Counters of one launch in a profile (gpusim/report.h, to_json): names with _ for each dot.
harness::Counters counters_of(const nlohmann::json& launch) {
  std::vector<harness::Counter> list;
  double blocks = 1;
  for (const nlohmann::json& size : launch.at("grid")) blocks *= size.get<double>();
  list.push_back({"blocks", blocks});
  for (const auto& [name, value] : launch.at("total").items()) {
    std::string flat = name;
    std::replace(flat.begin(), flat.end(), '.', '_');
    list.push_back({flat, value.get<double>()});
  }
  for (const std::string way : {"load", "store"}) {
    const nlohmann::json& total = launch.at("total");
    list.push_back({"shared_" + way + "_bank_conflicts",
                    total.at("shared." + way + ".wavefronts").get<double>() -
                        total.at("shared." + way + ".ideal_wavefronts").get<double>()});
  }
  return harness::Counters(std::move(list));
}

// ncu writes scan<float, 1> where the demangler writes scan<float, (Scan)1>.
std::string without_casts(const std::string& kernel) {
  static const std::regex cast("\\(\\w+\\)(?=-?\\d)");
  return std::regex_replace(kernel, cast, "");
}

struct Launch {
  harness::Counters counters;
  double elements;
};

// "02_shared_memory sum_tile" of the first launch of a kernel in a program; "… #2" of the next that differs from it in
// its number of blocks. measure.py names its launches by the same rule.
std::map<std::string, Launch> read_profiles() {
  const char* folder = std::getenv("PROFILES");
  REQUIRE_MESSAGE(folder != nullptr, "run this by fidelity_table.py, which sets PROFILES");
  std::map<std::string, Launch> launches;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::filesystem::path program = entry.path().stem();  // NN_topic.N
    std::ifstream file(entry.path());
    std::map<std::string, std::vector<double>> grids;  // of each kernel, in order of appearance
    for (const nlohmann::json& launch : nlohmann::json::parse(file)) {
      const harness::Counters counters = counters_of(launch);
      const std::string kernel = without_casts(launch.at("kernel"));
      std::vector<double>& seen = grids[kernel];
      if (std::ranges::find(seen, counters.at("blocks")) != seen.end()) continue;
      seen.push_back(counters.at("blocks"));
      const std::string number = seen.size() == 1 ? "" : " #" + std::to_string(seen.size());
      launches.emplace(program.stem().string() + " " + kernel + number,
                       Launch{counters, std::stod(program.extension().string().substr(1))});
    }
  }
  return launches;
}

const std::map<std::string, Launch>& simulated() {
  static const std::map<std::string, Launch> launches = read_profiles();
  return launches;
}

double per_block(const std::string& launch, const std::string& counter) {
  const harness::Counters& counters = simulated().at(launch).counters;
  return counters.at(counter) / counters.at("blocks");
}

// Counted by hand, for one block of 256 threads.
struct HandCount {
  const char* launch;
  const char* counter;
  double per_block;
};
constexpr HandCount kHandCounts[] = {
    {"01_global_memory sum_atomic", "global_atomic_serialised", 256},  // every add queues for one address
    {"02_shared_memory sum_tile", "shared_load_wavefronts", 95},       // 2 x 47 in the tree, 1 for the sum
    {"02_shared_memory sum_tile", "shared_store_wavefronts", 55},      // 8 fill the tile, 47 in the tree
    {"02_shared_memory sum_tile", "shared_load_bank_conflicts", 0},
    {"02_shared_memory sum_tile", "barriers", 72},  // 8 warps; one barrier after the load, one a level
};

// What these count on a GPU depends on when their blocks run: they wait for others, asking again and again.
constexpr const char* kSpinReads[] = {"10_scan single_pass", "12_bandwidth_limit sum_one_launch"};

bool polls(const std::string& launch) {
  return std::ranges::any_of(kSpinReads, [&](const char* kernel) { return launch.starts_with(kernel); });
}

// A new chapter's program, until measure.py has counted it: then all are compared.
bool awaits_gpu(const std::string& launch, const nlohmann::json& on_gpu) {
  const std::string program = launch.substr(0, launch.find(' ') + 1);
  return std::ranges::none_of(on_gpu.items(),
                              [&](const auto& row) { return row.key().starts_with(program); });
}

}  // namespace

TEST_CASE("every launch makes the requests, sectors and wavefronts that a GPU counts") {
  const nlohmann::json& on_gpu = fidelity::measured("kernels");
  std::set<std::string> compared;
  for (const auto& [name, launch] : simulated()) {
    if (awaits_gpu(name, on_gpu)) {
      std::printf("%s: not compared: it has not been counted on a GPU yet\n", name.c_str());
      continue;
    }
    REQUIRE_MESSAGE(on_gpu.contains(name), "not measured on a GPU: " << name);
    if (polls(name)) {
      std::printf("%s: not compared: it asks again and again until others have come so far\n", name.c_str());
    } else {
      fidelity::compare(name, launch.counters, on_gpu.at(name));
    }
    compared.insert(name);
  }
  CHECK(compared.size() == on_gpu.size());  // none was measured that is not compared
}

TEST_CASE("counting by hand gives the same") {
  for (const HandCount& hand : kHandCounts) {
    CAPTURE(hand.launch);
    CAPTURE(hand.counter);
    CHECK(per_block(hand.launch, hand.counter) == hand.per_block);
  }
}

// How many instructions a kernel has is the compiler's business. Which of two has more is the kernel's.
TEST_CASE("where a step issues far fewer instructions on a GPU than the one before, it does here") {
  const auto on_gpu = [](const std::string& launch) {
    const nlohmann::json& row = fidelity::measured("kernels").at(launch);
    return row.at("counters").at("warp_instructions").get<double>();
  };
  const auto here = [](const std::string& launch) {  // for each element: runs differ in length
    return simulated().at(launch).counters.at("warp_instructions") / simulated().at(launch).elements;
  };
  constexpr const char* kSteps[] = {"01_global_memory sum_in_place",      "02_shared_memory sum_tile",
                                    "03_divergence sum_strided",          "04_bank_conflicts sum_sequential",
                                    "05_idle_threads sum_adjacent_tiles", "06_warp_unroll sum_warp_tail",
                                    "08_grid_sizing sum_grid_stride<256>"};
  for (std::size_t i = 1; i < std::size(kSteps); ++i) {
    CAPTURE(kSteps[i]);
    CHECK(on_gpu(kSteps[i]) < 0.95 * on_gpu(kSteps[i - 1]));
    CHECK(here(kSteps[i]) < here(kSteps[i - 1]));
  }
}
// SPDX-License-Identifier: MIT
