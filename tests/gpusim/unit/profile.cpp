// The profile that a person reads: source lines, counters beside them.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "gpusim/proof.h"
#include "gpusim/report.h"

using namespace gpusim;

namespace {

// A source file in the current directory, while it lives.
struct SourceFile {
  const std::filesystem::path path = std::filesystem::current_path() / "profile_example.cuh";
  explicit SourceFile(const std::string& text) { std::ofstream(path) << text; }
  ~SourceFile() { std::filesystem::remove(path); }
};

Counters executed(std::uint64_t warps, std::uint64_t lanes_each) {
  Counters c;
  c.warp_instructions = warps;
  c.thread_instructions = warps * lanes_each;
  return c;
}

Report report_of(const std::vector<LineReport>& lines) {
  Report r;
  r.kernel = "sum<128>";
  r.grid[0] = 4096;
  r.block[0] = 256;
  r.shared_bytes = 1024;
  r.completed = true;
  r.lines = lines;
  for (const LineReport& line : lines) r.total += line.counters;
  return r;
}

constexpr const char* kSource =
    "// not of the kernel\n"
    "__global__ void sum(float* in) {\n"
    "  // load\n"
    "\ttile[t] = in[i];\t// \x1b[31m\n"
    "\n"
    "  sum(tile);\n"
    "}\n"
    "// not of the kernel\n";

Report example(const SourceFile& file) {
  Counters load = executed(2000, 32), sum = executed(10000, 12);
  load.global.load = {1000, 8000, 4000, 128000};
  sum.global.load_waits = 400;
  sum.global.loads_awaited = 1000;
  load.shared.store = {1000, 1000, 1000};
  sum.shared.load = {4000, 12000, 4000};
  const std::string path = file.path.string();
  return report_of(
      {{path, 2, executed(100, 32)}, {path, 4, load}, {path, 6, sum}, {path, 7, executed(50, 20)}});
}

}  // namespace

TEST_CASE("a profile shows the lines from the first to the last that ran") {
  const SourceFile file(kSource);
  CHECK(to_profile(example(file), false) ==
        "sum<128>, grid 4096, block 256, 1024 B shared per block\n"
        "    executions lanes sectors/req.  in flight   conflicts  line | source\n"
        "profile_example.cuh\n"
        "           100  32.0            -          -           -     2 | __global__ void sum(float* in) {\n"
        "                                                             3 |   // load\n"
        "         2,000  32.0         8.00          -           0     4 |  tile[t] = in[i]; //  [31m\n"
        "                                                             5 |\n"
        "        10,000  12.0            -       2.50       8,000     6 |   sum(tile);\n"
        "            50  20.0            -          -           -     7 | }\n");
}

TEST_CASE("colour marks what costs and changes no other character") {
  const SourceFile file(kSource);
  const Report report = example(file);
  const std::string plain = to_profile(report, false), coloured = to_profile(report, true);
  CHECK(plain.find('\033') == std::string::npos);
  std::string stripped = coloured;
  for (std::size_t at; (at = stripped.find('\033')) != std::string::npos;)
    stripped.erase(at, stripped.find('m', at) - at + 1);
  CHECK(stripped == plain);
  for (const char* marked : {"\033[1m10,000\033[0m", "\033[31m12.0\033[0m", "\033[33m20.0\033[0m",
                             "\033[31m8.00\033[0m", "\033[31m8,000\033[0m", "\033[2m  // load\033[0m"}) {
    CAPTURE(marked);
    CHECK(coloured.find(marked) != std::string::npos);
  }
  CHECK(coloured.find("\033[33m32.0") == std::string::npos);
}

TEST_CASE("a profile leaves out what lies between two functions") {
  std::string source;
  for (int line = 1; line <= 60; ++line) source += "line " + std::to_string(line) + ";\n";
  const SourceFile file(source);
  const std::string path = file.path.string();
  const std::string text = to_profile(
      report_of({{path, 5, executed(1, 32)}, {path, 25, executed(1, 32)}, {path, 46, executed(1, 32)}}),
      false);
  CHECK(text.find("| line 4;") == std::string::npos);
  CHECK(text.find("| line 24;") != std::string::npos);
  CHECK(text.find("| line 26;") == std::string::npos);
  CHECK(text.find("   ...\n") != std::string::npos);
  CHECK(text.find("| line 46;") != std::string::npos);
  CHECK(text.find("| line 47;") == std::string::npos);
}

TEST_CASE("a profile without its source shows the lines that have counters") {
  const std::string text = to_profile(report_of({{"", 0, executed(3, 32)},
                                                 {"/nowhere/k.cuh", 7, executed(1, 32)},
                                                 {"/nowhere/k.cuh", 9, executed(2, 32)}}),
                                      false);
  CHECK(text.find("(no source line)\n"
                  "             3  32.0            -          -           -     - |\n"
                  "/nowhere/k.cuh\n"
                  "             1  32.0            -          -           -     7 |\n"
                  "             2  32.0            -          -           -     9 |\n") != std::string::npos);
}

namespace {

Proof proof_of_code(const Conclusion& conclusion) {
  Proof p;
  p.kernel = "sum<128>";
  p.verdict = conclusion.verdict;
  p.place = conclusion.place;
  p.reason = conclusion.reason;
  p.compiled = conclusion;
  return p;
}

}  // namespace

TEST_CASE("a profile marks each line that prevents a proof") {
  const SourceFile file(kSource);
  const std::string path = file.path.string();
  const Conclusion address = {Verdict::not_proved, {path, 4, 1, {}}, "takes its address from memory"};
  const Conclusion branch = {Verdict::not_proved, {path, 6, 1, {}}, "branches depending on memory"};
  const Conclusion unseen = {Verdict::not_proved, {path, 3, 1, {}}, "is a fence"};
  Proof proof = proof_of_code(address);
  proof.obstacles = {address, unseen, branch};
  const std::string text = to_profile(example(file), proof, false);
  CHECK(text.find("  not proved: profile_example.cuh:4 takes its address from memory\n") !=
        std::string::npos);
  CHECK(
      text.find(
          "     3 |   // load\n"
          "                                                               | ^ prevents a proof: is a fence\n"
          "         2,000") != std::string::npos);
  CHECK(text.find(
            "in[i]; //  [31m\n"
            "                                                               | ^ prevents a proof: takes its "
            "address from memory\n") != std::string::npos);
  CHECK(
      text.find(
          "sum(tile);\n"
          "                                                               | ^ prevents a proof: branches depending "
          "on memory\n") != std::string::npos);
  CHECK(to_profile(example(file), proof, true).find("\033[33m^ prevents a proof: is a fence\033[0m") !=
        std::string::npos);
}

TEST_CASE("a profile marks what a check has found") {
  const SourceFile file(kSource);
  const Conclusion found = {
      Verdict::not_proved, {file.path.string(), 6, 1, {}}, "is where the check 'race' has found something"};
  const std::string text = to_profile(example(file), proof_of_code(found), false);
  CHECK(text.find("  not proved: profile_example.cuh:6 is where the check 'race' has found something\n") !=
        std::string::npos);
  CHECK(text.find("| ^ prevents a proof: the check 'race' has found something here\n") != std::string::npos);
}

TEST_CASE("a profile of a proved kernel says so in one line and marks none") {
  const SourceFile file(kSource);
  Proof proof = proof_of_code({Verdict::proved, {}, ""});
  std::string text = to_profile(example(file), proof, false);
  CHECK(text.find(
            "\n  proved: no order of warps and blocks and no input of this size can race, and the same input "
            "always gives the same bits\n    executions") != std::string::npos);
  CHECK(text.find("^ ") == std::string::npos);
  proof.verdict = Verdict::not_proved;
  proof.reason = "compile with simcc --keep-accesses";
  text = to_profile(example(file), proof, false);
  CHECK(text.find("\n  holds for         the compiled code only (compile with simcc --keep-accesses)\n") !=
        std::string::npos);
}

TEST_CASE("a profile marks the line because of which results may differ") {
  const SourceFile file(kSource);
  const Conclusion rounds = {Verdict::race_free, {file.path.string(), 6, 1, {}}, "adds floats in any order"};
  const std::string text = to_profile(example(file), proof_of_code(rounds), false);
  CHECK(text.find("the result may differ: profile_example.cuh:6 adds floats in any order\n") !=
        std::string::npos);
  CHECK(text.find("| ^ the result may differ: adds floats in any order\n") != std::string::npos);
}

TEST_CASE("the JSON of a launch takes what is proved of it") {
  const Conclusion address = {Verdict::not_proved, {"k.cu", 4, 1, {}}, "takes its \"address\" from memory"};
  const std::string json = to_json(report_of({}), proof_of_code(address));
  CHECK(json.find("\n \"proof\":{\"kernel\":\"sum<128>\"") != std::string::npos);
  CHECK(json.find("\"verdict\":\"not_proved\",\"file\":\"k.cu\",\"line\":4,\"reason\":\"takes its "
                  "\\\"address\\\" from memory\"") != std::string::npos);
  CHECK(json.ends_with("\"obstacles\":[]}}\n"));
}

TEST_CASE("a profile of a kernel that a fault stopped says so") {
  Report report = report_of({});
  report.completed = false;
  CHECK(to_profile(report, false).find("stopped by a fault\n") != std::string::npos);
}
// SPDX-License-Identifier: MIT
