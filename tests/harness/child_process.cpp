#include "child_process.h"

#include <doctest/doctest.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/matrix.h"
#include "harness/options.h"
#include "harness/reference.h"

ChildResult run_child(const std::string& name) {
  char self[4096] = {};
  REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  FILE* pipe = popen(("'" + std::string(self) + "' " + name + " 2>&1").c_str(), "r");
  REQUIRE(pipe != nullptr);
  ChildResult result{-1, ""};
  for (int c = fgetc(pipe); c != EOF; c = fgetc(pipe)) result.output += static_cast<char>(c);
  result.exit_status = WEXITSTATUS(pclose(pipe));
  return result;
}

void run_as_child(const std::string& name) {
  if (name == "failed-call") {
    CUDA_CHECK(cudaSuccess);
    CUDA_CHECK(cudaErrorInvalidValue);
  } else if (name == "bad-option") {
    const char* arguments[] = {"program", "--n", "-5"};
    (void)harness::parse_options(3, arguments, "program", "does nothing");
  } else if (name == "no-memory") {
    const char* arguments[] = {"program"};
    (void)harness::parse_options(1, arguments, "program", "does nothing");
    const std::vector<float> many(std::size_t(1) << 60);
    std::printf("%p\n", static_cast<const void*>(many.data()));  // clang allocates what is looked at only
  } else if (name == "predicts") {
    const char* arguments[] = {"program", "--predict"};
    const harness::Options options = harness::parse_options(2, arguments, "program", "does nothing");
    std::printf("predict %d, verifies nothing %d\n", options.predict, harness::verifies_nothing());
  } else if (name == "no-options") {
    const char* arguments[] = {"program"};
    harness::parse_no_options(1, arguments, "program", "does nothing");
    std::printf("goes on\n");
  } else if (name == "no-options-help") {
    const char* arguments[] = {"program", "--help"};
    harness::parse_no_options(2, arguments, "program", "does nothing");
  } else if (name == "no-options-wrong") {
    const char* arguments[] = {"program", "--n\n5"};
    harness::parse_no_options(2, arguments, "program", "does nothing");
  } else if (name == "shape-too-large") {
    int n = 1;
    (void)harness::choose_shape("program", &n, 1 << 16, 1 << 15);
  } else if (name == "shape-does-not-divide") {
    int n = 100;
    (void)harness::choose_shape("program", &n, 0, 7);
  } else if (name == "wrong-upload") {
    harness::DeviceBuffer<int>(3).upload({1, 2});
  } else {
    return;
  }
  std::exit(0);  // the test sees that nothing ended the program
}
// SPDX-License-Identifier: MIT
