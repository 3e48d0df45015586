// Checked CUDA calls: what they print and how they end the program.
#include <doctest/doctest.h>

#include "child_process.h"
#include "harness/check.h"

TEST_CASE("a failed CUDA call ends the program with one line that names place and call and error") {
  const ChildResult child = run_child("failed-call");
  CHECK(child.exit_status == 1);
  CHECK(child.output.find("child_process.cpp:") != std::string::npos);
  CHECK(child.output.find(": cudaErrorInvalidValue: cudaErrorInvalidValue: invalid argument\n") !=
        std::string::npos);
  CHECK(child.output.find('\n') == child.output.size() - 1);
}

TEST_CASE("a call that succeeds is silent") {
  CUDA_CHECK(cudaSuccess);
  CUDA_CHECK_LAUNCH();
  harness::check(cudaSuccess, "what", "where");
}

TEST_CASE("an error is described by place and call and name and meaning") {
  CHECK(harness::describe_error(cudaErrorInvalidValue, "cudaFree(p)", "main.cu:7") ==
        "main.cu:7: cudaFree(p): cudaErrorInvalidValue: invalid argument");
}

TEST_CASE("a bad option ends the program with status 2 and one line") {
  const ChildResult child = run_child("bad-option");
  CHECK(child.exit_status == 2);
  CHECK(child.output == "program: --n: -5 is not in 0…1073741824 (try --help)\n");
}

TEST_CASE("an upload of the wrong length ends the program") {
  const ChildResult child = run_child("wrong-upload");
  CHECK(child.exit_status == 1);
  CHECK(child.output == "upload of 2 elements to a device buffer of 3\n");
}
// SPDX-License-Identifier: MIT
