// Runs the test cases of one laboratory. The device is the one that the build linked.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "harness/device.h"

int main(int argc, char** argv) {
  harness::require_gpu(harness::kExitSkipped);
  return doctest::Context(argc, argv).run();
}
// SPDX-License-Identifier: MIT
