// The calibration set: does the simulated GPU count what a GPU counts, pattern by pattern?
#include <doctest/doctest.h>

#include <set>

#include "calibration_launch.cuh"
#include "fidelity.h"

TEST_CASE("every access pattern of the calibration set counts what it counts on a GPU") {
  const nlohmann::json& on_gpu = fidelity::measured("calibration");
  std::set<std::string> cases;
  calibration::for_each_case(calibration::kSmall,
                             [&](const std::string& name, const std::function<void()>& launch) {
                               REQUIRE_MESSAGE(on_gpu.contains(name), "not measured: " << name);
                               fidelity::compare(name, *harness::count_launches(launch), on_gpu.at(name));
                               cases.insert(name);
                             });
  CHECK(cases.size() == on_gpu.size());  // none was measured that is not compared
}
// SPDX-License-Identifier: MIT
