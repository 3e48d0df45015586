// The command line of every program: --n --repeat --seed --json --profile --proof --trace --predict --help, and
// the options that a chapter adds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace harness {

struct Options {
  std::string program;  // 02_shared_memory
  std::string summary;  // what the program does, in one line
  int n = 0;            // elements, 0 … 2^30: every index is an int
  int repeat = 20;  // timed runs on a GPU, 0: run once, as under a profiler; the simulated GPU always does
  std::uint64_t seed = 1;
  bool json = false;
  // Options of the simulated GPU only. The profile is the kernels' source with counters: printed, or written
  // to a file as JSON if there is one. The trace file gets what block 0 of the step's kernel does; empty: no
  // trace.
  bool profile = false;
  std::string profile_file;
  std::string trace_file;
  bool proof = false;      // say whether another order of threads or another input could make the step race
  bool predict = false;    // predict how long a GPU would take, instead of counting
  bool only_step = false;  // predict only for the kernel that the chapter is about
};

// An option of one chapter that takes a whole number in [least, greatest]. *value holds the default.
struct IntegerOption {
  const char* name;  // "--blocks"
  const char* help;  // "blocks in the grid"
  long long* value;
  long long least, greatest;
  bool power_of_two = false;  // the value must be a power of two
};

struct ParsedOptions {
  Options options;
  int exit_status = -1;  // status to end with: 0 after --help, or kExitBadOption; -1: do not end
  std::string message;   // printed before the end: the help, or one line about the bad option
};

// Reads argv[1] … argv[argc - 1]. Integers may be written 1000000, 2^20, 64K, 1M or 1G (powers of 1024).
ParsedOptions try_parse_options(int argc, const char* const* argv, const std::string& program,
                                const std::string& summary, const std::vector<IntegerOption>& extra = {});

// The same for main(): if the program must end, this prints the message and exits. If it returns, there is a
// GPU to run on (require_gpu in device.h).
Options parse_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& summary, const std::vector<IntegerOption>& extra = {});

// For a program without options of its own: it knows --help only.
void parse_no_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& summary);

}  // namespace harness
// SPDX-License-Identifier: MIT
