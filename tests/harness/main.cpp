// Runs the harness's test cases. The device is the one that the build linked.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "child_process.h"
#include "harness/device.h"

int main(int argc, char** argv) {
  if (argc == 2) run_as_child(argv[1]);  // returns unless argv[1] asks for a program that is meant to fail
  harness::require_gpu(harness::kExitSkipped);
  return doctest::Context(argc, argv).run();
}
// SPDX-License-Identifier: MIT
