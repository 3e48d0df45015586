// Reports of the process: switched on and off, kept, written as text and as JSON.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "counting/counter_fields.h"
#include "execution/events.h"
#include "gpusim/counter_list.h"
#include "gpusim/report.h"
#include "ptx/program.h"
#include "runtime/environment.h"
#include "runtime/process.h"

using namespace gpusim;

namespace {

// Each counter a different number, so that no two can be mixed up unnoticed.
Counters numbered(std::uint64_t first) {
  Counters c;
  for (const CounterField& field : kCounterFields) field.of(c) = first++;
  return c;
}

Report example() {
  Report r;
  r.kernel = "sum<\"128\">";
  r.grid[0] = 4096;
  r.block[0] = 32, r.block[1] = 8;
  r.shared_bytes = 1024;
  r.launch = 3;
  r.completed = true;
  r.total.warp_instructions = 1234567;
  r.total.thread_instructions = 1234567 * 16;
  r.total.branches = 1000;
  r.total.divergent_branches = 10;
  r.total.global.load = {100, 1600, 400, 12800};
  r.total.global.load_waits = 40;
  r.total.global.loads_awaited = 100;
  r.total.shared.load = {50, 150, 50};
  r.lines = {{"/nowhere/kernels.cuh", 12, r.total}};
  return r;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

int times_attached() {
  return int(std::ranges::count(runtime::device().observers, runtime::current().gpu.reports.observer()));
}

// One launch of an empty kernel, as the device would tell it.
void launch(u64 number) {
  Program program;
  program.functions.emplace_back();
  KernelInfo kernel;
  kernel.name = "nothing";
  LaunchInfo info;
  info.program = &program;
  info.kernel = &kernel;
  info.number = number;
  for (Observer* observer : runtime::device().observers) observer->launch_begin(info);
  for (Observer* observer : runtime::device().observers) observer->launch_end(info, true);
}

}  // namespace

TEST_CASE("adding counters adds every member") {
  Counters sum = numbered(1);
  sum += numbered(1000);
  std::uint64_t expected = 1001;
  for (const CounterField& field : kCounterFields) {
    CHECK(field.of(sum) == expected);
    expected += 2;
  }
}

TEST_CASE("reports are counted from when a program asks until it stops") {
  clear_reports();
  CHECK(last_report().kernel.empty());
  CHECK(times_attached() == 0);
  launch(1);
  CHECK(reports().empty());

  enable_reports();
  enable_reports();
  CHECK(times_attached() == 1);
  launch(2);
  launch(3);
  REQUIRE(reports().size() == 2);
  CHECK(reports()[0].launch == 2);
  CHECK(last_report().launch == 3);
  CHECK(last_report().kernel == "nothing");

  enable_reports(false);
  CHECK(times_attached() == 0);
  launch(4);
  CHECK(reports().size() == 2);
  clear_reports();
  CHECK(reports().empty());
}

TEST_CASE("printed reports are printed even if the program keeps none") {
  clear_reports();
  std::FILE* out = std::tmpfile();
  REQUIRE(out);
  runtime::current().gpu.reports.print_to(out);
  CHECK(times_attached() == 1);
  launch(5);
  runtime::current().gpu.reports.print_to(nullptr);
  CHECK(times_attached() == 0);
  std::rewind(out);
  char text[256] = {};
  CHECK(std::fread(text, 1, sizeof text - 1, out) > 0);
  std::fclose(out);
  CHECK(contains(text, "gpusim launch 5: nothing"));
  CHECK(reports().empty());
}

TEST_CASE(
    "GPUSIM_REPORT=1 and FILE.json count, 0 does not, and anything else ends the program with one line") {
  struct Row {
    const char* value;
    int exit_status;  // 2: counting, 0: not counting, 1: refused
  };
  const Row rows[] = {{"1", 2},   {"0", 0},           {"", 0},
                      {"yes", 1}, {"report.json", 2}, {"/nowhere/report.json", 1}};
  for (const Row& row : rows) {
    CAPTURE(row.value);
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      if (!std::freopen("/dev/null", "w", stderr)) _exit(9);
      setenv("GPUSIM_REPORT", row.value, 1);
      configure_from_environment();
      _exit(times_attached() == 1 ? 2 : 0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == row.exit_status);
  }
}

TEST_CASE("the text gives totals that a person can read") {
  const std::string text = to_text(example());
  CHECK(contains(text, "gpusim launch 3: sum<\"128\">, grid 4096, block 32 x 8, 1024 B shared per block\n"));
  CHECK(contains(text, "1,234,567 with 16.0 of 32 lanes on"));
  CHECK(contains(text, "1,000 of which 10 diverge"));
  CHECK(contains(text, "16.00 per request, ideal 4.00"));
  CHECK(contains(text, "waits for loads               40 with 2.50 loads in flight"));
  CHECK(contains(text, "150 wavefronts  100 bank conflicts"));
  CHECK_FALSE(contains(text, "local"));
  CHECK_FALSE(contains(text, "atomics"));
  CHECK_FALSE(contains(text, "shuffles"));
  CHECK_FALSE(contains(text, "fault"));
  CHECK(contains(text, "/nowhere/kernels.cuh\n"));
}

TEST_CASE("the text says when a fault stopped the kernel") {
  Report r = example();
  r.completed = false;
  CHECK(contains(to_text(r), "stopped by a fault\n"));
}

TEST_CASE("the text shows what the source says, trimmed, and the file relative to the current directory") {
  const std::filesystem::path file = std::filesystem::current_path() / "counters_report_example.cuh";
  std::ofstream(file) << "first\n\t  sum += in[i];  // é" << std::string(80, 'x') << "\n";
  Report r = example();
  r.lines = {{file.string(), 2, r.total}, {file.string(), 3, r.total}};
  const std::string text = to_text(r);
  std::filesystem::remove(file);
  CHECK(contains(text, "\n  counters_report_example.cuh\n"));
  CHECK(contains(text, ("  sum += in[i];  // é" + std::string(60 - 19, 'x') + "\n").c_str()));
}

TEST_CASE("the text of a long kernel shows the lines that cost most") {
  Report r = example();
  r.lines.clear();
  for (int line = 1; line <= 100; ++line) {
    Counters c;
    c.warp_instructions = line == 77 ? 1000000 : 1000 - line;
    r.lines.push_back({"/nowhere/k.cuh", line, c});
  }
  const std::string text = to_text(r);
  CHECK(contains(text, "\n      39 "));
  CHECK_FALSE(contains(text, "\n      40 "));
  CHECK(text.find("\n      39 ") < text.find("\n      77 "));
  CHECK(contains(text, "and 60 lines that cost less"));
}

TEST_CASE("the JSON holds what follows from the counters") {
  const nlohmann::json json = nlohmann::json::parse(to_json(example()));
  for (const nlohmann::json& derived : {json["derived"], json["lines"][0]["derived"]}) {
    CHECK(derived["active_lanes"] == 16);
    CHECK(derived["global.sectors_per_request"] == 16);
    CHECK(derived["global.loads_in_flight"] == 2.5);
    CHECK(derived["shared.bank_conflicts"] == 100);
  }
}

TEST_CASE("the JSON holds every counter under its C++ name") {
  Report r = example();
  r.total = numbered(100);
  r.lines = {{"C:\\dir\\a \"b\"\t.cu", 12, numbered(200)}, {"", 0, numbered(300)}};
  const nlohmann::json json = nlohmann::json::parse(to_json(r));
  CHECK(json["kernel"] == "sum<\"128\">");
  CHECK(json["launch"] == 3);
  CHECK(json["grid"] == nlohmann::json({4096, 1, 1}));
  CHECK(json["block"] == nlohmann::json({32, 8, 1}));
  CHECK(json["shared_bytes"] == 1024);
  CHECK(json["completed"] == true);
  CHECK(json["total"].size() == std::size(kCounterFields));
  CHECK(json["total"]["global.load.sectors"] == r.total.global.load.sectors);
  CHECK(json["total"]["shared.store.wavefronts"] == r.total.shared.store.wavefronts);
  CHECK(json["total"]["local.store.bytes"] == r.total.local.store.bytes);
  CHECK(json["derived"].size() + json["total"].size() == std::size(kCounters));
  CHECK_FALSE(json.contains("gpu"));
  REQUIRE(json["lines"].size() == 2);
  CHECK(json["lines"][0]["file"] == r.lines[0].file);
  CHECK(json["lines"][0]["line"] == 12);
  CHECK(json["lines"][1]["counters"]["votes"] == r.lines[1].counters.votes);
  r.lines.clear();
  CHECK(nlohmann::json::parse(to_json(r))["lines"].empty());
}
// SPDX-License-Identifier: MIT
