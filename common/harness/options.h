// The command line of every program: --n --repeat --seed --json --profile --trace --help, and what a chapter
// adds to them.
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
  // On the simulated GPU only: the kernels' source with counters, printed, or with a file written there as
  // JSON; and the file for what block 0 of the step's kernel does (empty: not asked for).
  bool profile = false;
  std::string profile_file;
  std::string trace_file;
  bool predict = false;    // instead of counting: how long a GPU would take
  bool only_step = false;  // then only of the kernel that the chapter is about
};

// An option of one chapter that takes a whole number in [least, greatest]. *value holds the default.
struct IntegerOption {
  const char* name;  // "--blocks"
  const char* help;  // "blocks in the grid"
  long long* value;
  long long least, greatest;
  bool power_of_two = false;  // and nothing else in between
};

struct ParsedOptions {
  Options options;
  int exit_status = -1;  // of a program that must end here: 0 after --help, kExitBadOption; -1: run on
  std::string message;   // what it prints before: the help, or one line about the bad option
};

// argv[1] … argv[argc - 1]. Whole numbers may be written 1000000, 2^20, 64K, 1M or 1G (powers of 1024).
ParsedOptions try_parse_options(int argc, const char* const* argv, const std::string& program,
                                const std::string& summary, const std::vector<IntegerOption>& extra = {});

// The same for main(): prints and exits where the program must end. A program that goes on has a GPU to run
// on (device.h, require_gpu).
Options parse_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& summary, const std::vector<IntegerOption>& extra = {});

// For a program that always does the same, whose only option is --help.
void parse_no_options(int argc, const char* const* argv, const std::string& program,
                      const std::string& summary);

}  // namespace harness
