// The access patterns of the calibration set as JSON, for memory_model_test.mjs: {name: [element of each lane, -1: off]}.
#include "tests/gpusim/fidelity/calibration_patterns.h"

#include <cstdio>

int main() {
  const char* comma = "{";
  for (const calibration::Pattern& pattern : calibration::kPatterns) {
    std::printf("%s\"%s\": [%d", comma, pattern.name, pattern.element(0));
    for (int lane = 1; lane < 32; ++lane) std::printf(", %d", pattern.element(lane));
    std::printf("]");
    comma = ",\n";
  }
  std::printf("}\n");
}
// SPDX-License-Identifier: MIT
