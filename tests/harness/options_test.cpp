// The command line: what is understood, and one line for everything else.
#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <vector>

#include "child_process.h"
#include "harness/device.h"
#include "harness/options.h"

namespace {

harness::ParsedOptions parse(std::vector<const char*> arguments,
                             const std::vector<harness::IntegerOption>& extra = {}) {
  arguments.insert(arguments.begin(), "/somewhere/01_global_memory");
  return harness::try_parse_options(static_cast<int>(arguments.size()), arguments.data(), "01_global_memory",
                                    "sums in global memory", extra);
}

// The arguments are refused with status 2 and this line.
void refuses(const std::vector<const char*>& arguments, const std::string& what) {
  const auto parsed = parse(arguments);
  CHECK(parsed.exit_status == harness::kExitBadOption);
  CHECK(parsed.message == "01_global_memory: " + what + " (try --help)");
}

}  // namespace

TEST_CASE("without options n is 2^20 on the simulated GPU and 2^25 on a real one") {
  const auto parsed = parse({});
  CHECK(parsed.exit_status == -1);
  CHECK(parsed.options.n == (harness::is_simulated() ? 1 << 20 : 1 << 25));
  CHECK(parsed.options.repeat == 20);
  CHECK(parsed.options.seed == 1);
  CHECK_FALSE(parsed.options.json);
  CHECK(parsed.options.program == "01_global_memory");
}

TEST_CASE("all options are read") {
  const auto parsed = parse({"--n", "1000003", "--repeat=5", "--seed", "42", "--json"});
  CHECK(parsed.exit_status == -1);
  CHECK(parsed.options.n == 1000003);
  CHECK(parsed.options.repeat == 5);
  CHECK(parsed.options.seed == 42);
  CHECK(parsed.options.json);
}

TEST_CASE("the last of two values counts") { CHECK(parse({"--n", "1", "--n", "2"}).options.n == 2); }

TEST_CASE("sizes may be written as powers") {
  const struct {
    const char* text;
    int n;
  } rows[] = {{"0", 0}, {"2^0", 1}, {"2^20", 1 << 20}, {"3K", 3 << 10}, {"1M", 1 << 20}, {"1G", 1 << 30}};
  for (const auto& row : rows) {
    CAPTURE(row.text);
    CHECK(parse({"--n", row.text}).options.n == row.n);
  }
}

TEST_CASE("a size outside 0…2^30 is refused") {
  refuses({"--n", "-5"}, "--n: -5 is not in 0…1073741824");
  refuses({"--n=-5"}, "--n: -5 is not in 0…1073741824");
  refuses({"--n", "1073741825"}, "--n: 1073741825 is not in 0…1073741824");
  refuses({"--n", "9999999999999"}, "--n: 9999999999999 is not in 0…1073741824");
  refuses({"--n", "99999999999999999999999999"}, "--n: 99999999999999999999999999 is not in 0…1073741824");
  refuses({"--n", "-99999999999999999999999999"}, "--n: -99999999999999999999999999 is not in 0…1073741824");
  refuses({"--n", "2G"}, "--n: 2G is not in 0…1073741824");
  refuses({"--n", "2^64"}, "--n: 2^64 is not in 0…1073741824");
  refuses({"--n", "99999999999G"}, "--n: 99999999999G is not in 0…1073741824");
}

TEST_CASE("what is not a whole number is refused") {
  for (const char* typed :
       {"abc", "1.5", "1e6", "12x", "--5", "+", "", "-", "2^", "2^-1", "3^2", "1KM", "0x10"}) {
    const std::string text = typed;
    CAPTURE(text);
    refuses({"--n", text.c_str()}, "--n: '" + text + "' is not a whole number");
  }
}

TEST_CASE("the other numbers have limits too") {
  refuses({"--repeat", "-1"}, "--repeat: -1 is not in 0…100000");
  refuses({"--seed", "-1"}, "--seed: -1 is not in 0…4294967295");
}

TEST_CASE("a missing value is refused") { refuses({"--n"}, "--n: 1 required NUMBER missing"); }

TEST_CASE("unknown arguments are refused") {
  refuses({"--fast"}, "unknown argument '--fast'");
  refuses({"1000"}, "unknown argument '1000'");
  refuses({"--n", "5", "extra", "more"}, "unknown argument 'extra'");
}

TEST_CASE("--profile with and without a file and --trace with one are for the simulated GPU only") {
  if (!harness::is_simulated()) {
    refuses({"--profile"}, "--profile: only the simulated GPU counts; use ncu");
    refuses({"--profile=p.json"}, "--profile: only the simulated GPU counts; use ncu");
    refuses({"--trace=t.json"}, "--trace: only the simulated GPU writes traces; use ncu or cuda-gdb");
    return;
  }
  CHECK_FALSE(parse({}).options.profile);
  CHECK(parse({"--profile"}).options.profile);
  CHECK(parse({"--profile"}).options.profile_file.empty());
  const auto parsed = parse({"--profile", "--n", "5", "--trace", "t.json", "--profile=p.json"});
  CHECK(parsed.exit_status == -1);
  CHECK(parsed.options.n == 5);
  CHECK(parsed.options.profile);
  CHECK(parsed.options.profile_file == "p.json");
  CHECK(parsed.options.trace_file == "t.json");
}

TEST_CASE("a file that cannot be written is refused before anything runs") {
  if (!harness::is_simulated()) return;
  refuses({"--trace"}, "--trace: name a file, --trace=FILE");
  refuses({"--trace", "--n", "5"}, "--trace: name a file, --trace=FILE");
  refuses({"--trace=/none/t.json"}, "--trace: cannot write '/none/t.json': there is no folder '/none'");
  refuses({"--profile=/dev"}, "--profile: cannot write '/dev': it is a directory");
  refuses({"--profile", "--json"},
          "--profile prints text, and --json one document: name a file, --profile=FILE");
  CHECK(parse({"--profile=p.json", "--json"}).exit_status == -1);
}

TEST_CASE("--predict stands alone and --only-step beside it only") {
  refuses({"--only-step"}, "--only-step goes with --predict only");
  if (!harness::is_simulated()) {
    refuses({"--predict"}, "--predict: this is a GPU; its times are measured");
    return;
  }
  const char* kAlone = "--predict counts and proves nothing: leave --profile, --proof and --trace away";
  refuses({"--predict", "--profile"}, kAlone);
  refuses({"--predict", "--proof"}, kAlone);
  refuses({"--predict", "--trace=t.json"}, kAlone);
  CHECK(parse({"--predict"}).options.predict);
  const auto parsed = parse({"--predict", "--only-step"});
  CHECK(parsed.exit_status == -1);
  CHECK(parsed.options.only_step);
  const ChildResult child = run_child("predicts");
  CHECK(child.exit_status == 0);
  CHECK(child.output == "predict 1, verifies nothing 1\n");
}

TEST_CASE("--proof is for the simulated GPU") {
  CHECK_FALSE(parse({}).options.proof);
  if (!harness::is_simulated()) {
    refuses({"--proof"}, "--proof: only the simulated GPU proves; leave it away");
    return;
  }
  CHECK(parse({"--proof"}).options.proof);
  CHECK(parse({"--proof", "--json", "--profile=p.json"}).exit_status == -1);
}

TEST_CASE("a program without options takes --help and nothing else") {
  ChildResult child = run_child("no-options");
  CHECK(child.exit_status == 0);
  CHECK(child.output == "goes on\n");
  child = run_child("no-options-help");
  CHECK(child.exit_status == 0);
  CHECK(child.output == "program: does nothing; it takes no options\n");
  child = run_child("no-options-wrong");
  CHECK(child.exit_status == harness::kExitBadOption);
  CHECK(child.output == "program: it takes no options but --help, and got '--n 5'\n");
}

TEST_CASE("more elements than there is memory for end the program with one line") {
  const ChildResult child = run_child("no-memory");
  CHECK(child.exit_status == 1);
  CHECK(child.output == "not enough memory for so many elements; choose fewer: --n\n");
}

TEST_CASE("a flag takes no value") { refuses({"--json=maybe"}, "json was given a disallowed flag override"); }

TEST_CASE("a message is one line whatever was typed") {
  const auto parsed = parse({"--n", "1\n2\r3\x1b[0m"});
  CHECK(parsed.exit_status == harness::kExitBadOption);
  CHECK(parsed.message == "01_global_memory: --n: '1 2 3 [0m' is not a whole number (try --help)");
}

TEST_CASE("--help lists every option and ends well") {
  const auto parsed = parse({"--help"});
  CHECK(parsed.exit_status == 0);
  for (const char* expected :
       {"sums in global memory", "--n", "--repeat", "--seed", "--json", "--profile", "--trace", "--help"}) {
    CAPTURE(expected);
    CHECK(parsed.message.find(expected) != std::string::npos);
  }
}

TEST_CASE("a chapter adds options of its own") {
  long long blocks = 132;
  const std::vector<harness::IntegerOption> extra = {{"--blocks", "blocks in the grid", &blocks, 1, 4096}};
  CHECK(parse({}, extra).exit_status == -1);
  CHECK(blocks == 132);
  CHECK(parse({"--blocks", "2K"}, extra).exit_status == -1);
  CHECK(blocks == 2048);
  CHECK(parse({"--blocks", "0"}, extra).message ==
        "01_global_memory: --blocks: 0 is not in 1…4096 (try --help)");
  long long threads = 256;
  const std::vector<harness::IntegerOption> power = {{"--threads", "threads", &threads, 64, 1024, true}};
  CHECK(parse({"--threads", "512"}, power).exit_status == -1);
  CHECK(threads == 512);
  CHECK(parse({"--threads", "100"}, power).message ==
        "01_global_memory: --threads: 100 is not a power of two (try --help)");
  CHECK(parse({"--help"}, extra).message.find("blocks in the grid") != std::string::npos);
}
// SPDX-License-Identifier: MIT
