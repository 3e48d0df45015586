#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

#include "gpusim/check.h"

int main(int argc, char** argv) {
  gpusim::enable_checks("none");  // each test asks for its own
  unsetenv("PWD");                // texts name files relative to the current folder, not to that of the shell
  return doctest::Context(argc, argv).run();
}
// SPDX-License-Identifier: MIT
