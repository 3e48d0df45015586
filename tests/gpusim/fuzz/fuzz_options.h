// What fuzz_ptx and fuzz_instructions understand of their arguments.
#pragma once

#include <cstdio>
#include <cstdlib>

#include "base/base.h"

namespace gpusim {

// The number behind option argv[i]; without one the program ends, and says so.
inline u64 number_after(int argc, char** argv, int i) {
  char* end = nullptr;
  const u64 value = i + 1 < argc ? std::strtoull(argv[i + 1], &end, 10) : 0;
  if (!end || end == argv[i + 1] || *end) {
    std::fprintf(stderr, "%s: %s needs a number\n", argv[0], argv[i]);
    std::exit(2);
  }
  return value;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
