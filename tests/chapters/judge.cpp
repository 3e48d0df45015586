#define DOCTEST_CONFIG_IMPLEMENT
#include "judge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "channel.h"
#include "harness/device.h"
#include "harness/output_file.h"
#include "outcome.h"
#include "simulated.h"
#include "thresholds.h"
#include "time_limit.h"

namespace judge {
namespace {

constexpr int kExitDone = 0, kExitRejected = 1, kExitNotStarted = 77;

std::vector<Finding>& findings() {
  static std::vector<Finding> all;
  return all;
}

const char* prefix_of(Kind kind) {
  switch (kind) {
    case Kind::fault: return "fault: ";
    case Kind::hazard: return "";  // begins with the name of the check
    case Kind::wrong_result: return "wrong result: ";
    case Kind::as_shipped: return "wrong result: ";
    case Kind::unimproved: return "right, but ";
    case Kind::left_out: return "not tested: ";
  }
  return "";
}

const std::string& text_of(const Finding& f) { return f.shown.empty() ? f.message : f.shown; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

bool is_identifier(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

bool begins_with_name(const std::string& text, const std::string& name) {
  if (!text.starts_with(name)) return false;
  return name.empty() || text.size() == name.size() || !is_identifier(text[name.size()]);
}

bool is_of(const Finding& finding, const Gap& gap) {
  const std::string& about = finding.about.empty() ? finding.message : finding.about;
  return std::ranges::any_of(gap.kernels,
                             [&](const char* kernel) { return begins_with_name(about, kernel); });
}

bool is_open(const Gap& gap, const std::vector<Finding>& findings) {
  return std::ranges::any_of(findings, [&](const Finding& f) { return is_of(f, gap); });
}

// A gap that is open, in a file that says so.
bool is_excused(const Finding& finding, const Exercise& exercise, const File& file) {
  if (!file.bears_todo || finding.kind < Kind::as_shipped) return false;
  return std::ranges::any_of(exercise.gaps, [&](const Gap& gap) { return is_of(finding, gap); });
}

// "2 of 4: " and what the first open gap lacks.
std::string progress_text(const std::vector<Finding>& findings, const Exercise& exercise) {
  int done = 0, all = 0;
  std::string next;
  for (const Gap& gap : exercise.gaps) {
    all += gap.todos;
    if (!is_open(gap, findings)) done += gap.todos;
    for (const Finding& finding : findings)
      if (next.empty() && finding.kind != Kind::left_out && is_of(finding, gap))
        next = first_line(finding.message);
  }
  return std::to_string(done) + " of " + std::to_string(all) + ": " + next;
}

// Indents every line of `text` by four columns.
std::string indented(const std::string& text) {
  std::string out = "    ";
  for (char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

// FNV-1a, 64 bits, of all but white space: neither an editor nor git changes that on its own.
std::uint64_t digest_of(const std::string& text) {
  std::uint64_t digest = 0xcbf29ce484222325u;
  for (const char c : text)
    if (!std::isspace(static_cast<unsigned char>(c)))
      digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return digest;
}

// The judged file. Ends the program if it cannot be read.
struct Judged {
  std::uint64_t digest = 0;
  std::vector<int> todo_lines;  // numbers of those that contain TODO(you)

  File file() const { return {digest == exercise.as_shipped, !todo_lines.empty()}; }
};
const Judged& judged() {
  static const Judged read = [] {
    std::ifstream file(kernels_file);
    if (!file) {
      std::fprintf(stderr, "cannot read %s, which this test was built from; build again\n", kernels_file);
      std::exit(kExitRejected);
    }
    Judged result;
    std::string line, text;
    for (int number = 1; std::getline(file, line); ++number) {
      text += line;
      if (line.find("TODO(you)") != std::string::npos) result.todo_lines.push_back(number);
    }
    result.digest = digest_of(text);
    return result;
  }();
  return read;
}

}  // namespace

bool bears_todo() { return !judged().todo_lines.empty(); }

namespace {

constexpr const char* kStretch = "stretch: ";  // begins the name of a test case that measures a harder target

bool is_silent = false;  // a file gets all of it
std::vector<Outcome::TestCase>& test_cases() {
  static std::vector<Outcome::TestCase> ended;
  return ended;
}

// Notes each test case as it ends, and prints a line for it and what it found.
class Printer : public doctest::IReporter {
 public:
  explicit Printer(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    name_ = test.m_name;
    first_finding_ = findings().size();
    first_measurement_ = measurements().size();
    const std::string name = name_;
    set_goal(name.starts_with(kStretch) ? name.substr(std::strlen(kStretch)) : "");
    tell_supervisor(Said::test_case_begins, 0, test.m_name, std::strlen(test.m_name));
    begun_at_ = std::chrono::steady_clock::now();
    ++begun_;
  }
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    const char* state = "ok";
    for (std::size_t i = first_finding_; i < findings().size(); ++i)
      state = is_excused(findings()[i], exercise, judged().file()) ? "todo" : "FAIL";
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun_at_;
    test_cases().push_back({name_, state, took.count()});
    if (is_silent) return;
    std::printf("  %-4s  %s\n", state, name_);
    for (std::size_t i = first_finding_; i < findings().size(); ++i)
      if (findings()[i].kind != Kind::left_out) std::printf("%s\n", indented(text_of(findings()[i])).c_str());
    for (std::size_t i = first_measurement_; i < measurements().size(); ++i)
      if (!measurements()[i].goal.empty()) print_goal(measurements()[i]);
    std::fflush(stdout);
  }
  // A plain CHECK or REQUIRE of a test case failed, or it threw.
  void log_assert(const doctest::AssertData& check) override {
    if (!check.m_failed) return;
    findings().push_back({Kind::wrong_result, std::string(name_) + ": " + check.m_expr +
                                                  " is not true: " + check.m_decomp.c_str()});
  }
  void test_case_exception(const doctest::TestCaseException& thrown) override {
    findings().push_back({Kind::fault, std::string(name_) + ": " + thrown.error_string.c_str()});
  }
  void report_query(const doctest::QueryData& query) override {
    for (unsigned i = 0; i < query.num_data; ++i) std::printf("%s\n", query.data[i]->m_name);
  }

  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& all) override {
    const int left = static_cast<int>(all.numTestCasesPassingFilters) - begun_;
    if (left > 0 && !is_silent) std::printf("  %d more not tested\n", left);
  }
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  static void print_goal(const Measurement& m) {
    std::printf("    %s: %s: %g %s, the target is %s %g\n", m.kernel.c_str(), m.counter.c_str(), m.value,
                m.each.c_str(), m.at_most ? "at most" : "at least", m.limit);
  }

  const char* name_ = "";
  std::size_t first_finding_ = 0, first_measurement_ = 0;
  std::chrono::steady_clock::time_point begun_at_;
  int begun_ = 0;  // test cases
};

DOCTEST_REGISTER_REPORTER("judge", 1, Printer);

}  // namespace

void report(const Finding& finding) {
  findings().push_back(finding);
  if (finding.kind <= Kind::wrong_result) FAIL(finding.message);  // the last, by abort-after
}

void refuse(const std::string& why) {
  findings().push_back({Kind::hazard, "not judged: nothing of kernels.cuh was run: " + why});
}

bool is_as_shipped(const std::string& kernel) {
  return std::ranges::any_of(findings(), [&](const Finding& f) {
    return f.kind == Kind::as_shipped && begins_with_name(f.message, kernel);
  });
}

bool is_open(const std::string& kernel) {
  return std::ranges::any_of(findings(), [&](const Finding& f) {
    return f.kind != Kind::left_out && begins_with_name(f.about.empty() ? f.message : f.about, kernel);
  });
}

Verdict verdict_of(const std::vector<Finding>& all, const Exercise& exercise, const File& file) {
  if (all.empty()) return {"done", kExitDone};
  std::vector<Finding> counting;
  std::ranges::copy_if(all, std::back_inserter(counting),
                       [&](const Finding& f) { return !is_excused(f, exercise, file); });
  if (counting.empty()) {
    if (file.is_as_shipped) return {"not started", kExitNotStarted};
    return {"begun: " + progress_text(all, exercise), kExitRejected};
  }
  const Finding& worst = *std::ranges::min_element(counting, {}, &Finding::kind);
  return {prefix_of(worst.kind) + first_line(worst.message), kExitRejected};
}

namespace {

// Which gaps are open, a line each, and where a TODO still stands.
std::string gaps_text() {
  std::string text;
  for (const Gap& gap : exercise.gaps)
    text += std::string(is_open(gap, findings()) ? "  open  " : "  done  ") + gap.name + "\n";
  for (int line : judged().todo_lines)
    text += std::string("  ") + kernels_file + ":" + std::to_string(line) + ": TODO(you)\n";
  return text;
}

Outcome outcome_of(const Verdict& verdict) {
  Outcome outcome{
      kernels_file, verdict,       judged().file().is_as_shipped, judged().todo_lines, {}, test_cases(),
      {},           measurements()};
  for (const Gap& gap : exercise.gaps) outcome.gaps.push_back({gap, is_open(gap, findings())});
  for (const Finding& finding : findings()) {
    const auto gap = std::ranges::find_if(exercise.gaps, [&](const Gap& g) { return is_of(finding, g); });
    const int index = gap == exercise.gaps.end() ? -1 : static_cast<int>(gap - exercise.gaps.begin());
    outcome.findings.push_back({finding, is_excused(finding, exercise, judged().file()), index});
  }
  return outcome;
}

// The verdict with all that belongs to it goes to the supervisor, who alone is believed; without one, to the file of --json or
// to standard output. Returns the exit status.
int hand_over(const Verdict& verdict, const std::string& json_file) {
  const bool has_open_gaps = verdict.exit_code == kExitNotStarted || verdict.text.starts_with("begun");
  const std::string text = is_silent ? to_json(outcome_of(verdict))
                                     : (has_open_gaps ? gaps_text() : "") + "verdict: " + verdict.text + "\n";
  std::fflush(stdout);
  if (is_supervised()) {
    tell_supervisor(Said::verdict, verdict.exit_code, text.data(), text.size());
  } else if (is_silent) {
    const std::string lost = harness::write_file(json_file, text);
    if (!lost.empty()) std::fprintf(stderr, "--json: %s\n", lost.c_str());
    if (!lost.empty()) return kExitRejected;
  } else {
    std::fputs(text.c_str(), stdout);
  }
  return verdict.exit_code;
}

// What has not been judged of a kernel that is done, because no launch had such sizes.
void print_what_never_ran() {
  for (const std::string& place : comparisons_with_one_outcome())
    std::printf(
        "%s: this comparison had the same outcome for all sizes that were tried: nothing is known of its other side\n",
        place.c_str());
}

int print_digest() {
  std::printf("%s: 0x%016llx, %s\n", kernels_file, static_cast<unsigned long long>(judged().digest),
              judged().file().is_as_shipped ? "as shipped" : "not as shipped");
  return judged().file().is_as_shipped ? kExitDone : kExitRejected;
}

struct CommandLine {
  bool as_shipped = false, stretch = false, thresholds = false;
  std::string json;  // a file
};
CommandLine command_line_of(int argc, char** argv) {
  CommandLine wanted;
  const std::string json = "--json=";
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--as-shipped") wanted.as_shipped = true;
    if (argument == "--stretch") wanted.stretch = true;
    if (argument == "--thresholds") wanted.thresholds = true;
    if (argument.starts_with(json)) wanted.json = argument.substr(json.size());
  }
  return wanted;
}

}  // namespace
}  // namespace judge

int main(int argc, char** argv) {
  using namespace judge;
  harness::refuse_lost_output();
  const CommandLine wanted = command_line_of(argc, argv);
  if (wanted.as_shipped) return print_digest();
  if (wanted.thresholds) return print_thresholds(), kExitDone;
  is_silent = !wanted.json.empty();
  doctest::Context context;
  context.setOption("reporters", "judge");
  context.setOption("abort-after", 1);
  if (!wanted.stretch) context.setOption("test-case-exclude", (std::string(kStretch) + "*").c_str());
  context.applyCommandLine(argc, argv);

  const File file = judged().file();
  harness::require_gpu(harness::kExitSkipped);
  if (!is_silent) std::printf("%s\n", kernels_file);
  enable_checks();
  limit_time();
  // What the compiler has found is said before a kernel runs: it may be why it goes wrong.
  for (const Finding& finding : take_findings()) {
    if (!is_silent) std::printf("%s\n", indented(text_of(finding)).c_str());
    findings().push_back(finding);
  }
  const int status = findings().empty() ? context.run() : 0;
  if (context.shouldExit()) return status;  // --list-test-cases and the like

  const Verdict verdict = verdict_of(findings(), exercise, file);
  if (verdict.exit_code == kExitDone) print_what_never_ran();
  return hand_over(verdict, wanted.json);
}
// SPDX-License-Identifier: MIT
