// What the fuzzers understand of their arguments: --inputs N, --seed S, --only K.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/base.h"

namespace gpusim {

struct FuzzOptions {
  u64 inputs = 0, seed = 1;
  std::optional<u64> only;
  std::vector<std::string> others;  // arguments that are none of these options
};

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

inline FuzzOptions fuzz_options(int argc, char** argv, u64 inputs) {
  FuzzOptions options{.inputs = inputs, .seed = 1, .only = {}, .others = {}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--inputs") options.inputs = number_after(argc, argv, i++);
    else if (argument == "--seed") options.seed = number_after(argc, argv, i++);
    else if (argument == "--only") options.only = number_after(argc, argv, i++);
    else options.others.emplace_back(argument);
  }
  return options;
}

// The same for a fuzzer that takes nothing else.
inline FuzzOptions only_fuzz_options(int argc, char** argv, u64 inputs) {
  FuzzOptions options = fuzz_options(argc, argv, inputs);
  if (options.others.empty()) return options;
  std::fprintf(stderr, "usage: %s [--inputs N] [--seed S] [--only K]\n", argv[0]);
  std::exit(2);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
