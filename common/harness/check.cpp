#include "harness/check.h"

#include <cstdio>
#include <cstdlib>

#include "harness/device.h"

namespace harness {

std::string describe_error(cudaError_t status, const std::string& what, const std::string& where) {
  return where + ": " + what + ": " + cudaGetErrorName(status) + ": " + cudaGetErrorString(status);
}

void check(cudaError_t status, const char* what, const char* where) {
  if (status == cudaSuccess) return;
  std::fflush(stdout);  // results printed so far come before the error
  std::fprintf(stderr, "%s\n", describe_error(status, what, where).c_str());
  std::exit(kExitFailed);
}

void check_launch(const std::string& kernel, const std::string& where) {
  check(cudaGetLastError(), (kernel + " did not start").c_str(), where.c_str());
  check(cudaDeviceSynchronize(), (kernel + " failed").c_str(), where.c_str());
}

}  // namespace harness
// SPDX-License-Identifier: MIT
