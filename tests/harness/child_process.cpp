#include "child_process.h"

#include <doctest/doctest.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "harness/check.h"
#include "harness/device_buffer.h"
#include "harness/options.h"

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
  } else if (name == "wrong-upload") {
    harness::DeviceBuffer<int>(3).upload({1, 2});
  } else {
    return;
  }
  std::exit(0);  // the test sees that nothing ended the program
}
