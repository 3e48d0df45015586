#define DOCTEST_CONFIG_IMPLEMENT
#include "judge.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "harness/device.h"
#include "simulated.h"

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
  }
  return "";
}

const std::string& text_of(const Finding& f) { return f.shown.empty() ? f.message : f.shown; }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// A file that bears its TODO may lack what the untouched starter lacks.
bool is_excused(Kind kind, bool bears_todo) {
  return bears_todo && (kind == Kind::as_shipped || kind == Kind::unimproved);
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

// Line numbers of the judged file that contain TODO(you). Ends the program if it cannot be read.
const std::vector<int>& todo_lines() {
  static const std::vector<int> lines = [] {
    std::ifstream file(kernels_file);
    if (!file) {
      std::fprintf(stderr, "cannot read %s, which this test was built from; build again\n", kernels_file);
      std::exit(kExitRejected);
    }
    std::vector<int> numbers;
    std::string text;
    for (int number = 1; std::getline(file, text); ++number)
      if (text.find("TODO(you)") != std::string::npos) numbers.push_back(number);
    return numbers;
  }();
  return lines;
}

// Prints a line per test case as it ends, and what it found.
class Printer : public doctest::IReporter {
 public:
  explicit Printer(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    name_ = test.m_name;
    first_finding_ = findings().size();
  }
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    const char* state = "ok";
    for (std::size_t i = first_finding_; i < findings().size(); ++i)
      state = is_excused(findings()[i].kind, !todo_lines().empty()) ? "todo" : "FAIL";
    std::printf("  %-4s  %s\n", state, name_);
    for (std::size_t i = first_finding_; i < findings().size(); ++i)
      std::printf("%s\n", indented(text_of(findings()[i])).c_str());
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
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  const char* name_ = "";
  std::size_t first_finding_ = 0;
};

DOCTEST_REGISTER_REPORTER("judge", 1, Printer);

}  // namespace

void report(const Finding& finding) {
  findings().push_back(finding);
  if (finding.kind <= Kind::wrong_result) FAIL(finding.message);  // the last, by abort-after
}

Verdict verdict_of(const std::vector<Finding>& all, bool bears_todo) {
  if (all.empty()) return {"done", kExitDone};
  const Finding& worst = *std::min_element(
      all.begin(), all.end(), [](const Finding& a, const Finding& b) { return a.kind < b.kind; });
  if (is_excused(worst.kind, bears_todo)) return {"not started", kExitNotStarted};
  return {prefix_of(worst.kind) + first_line(worst.message), kExitRejected};
}

}  // namespace judge

int main(int argc, char** argv) {
  doctest::Context context;
  context.setOption("reporters", "judge");
  context.setOption("abort-after", 1);
  context.applyCommandLine(argc, argv);

  const std::vector<int>& todos = judge::todo_lines();
  harness::require_gpu(harness::kExitSkipped);
  std::printf("%s\n", judge::kernels_file);
  judge::enable_checks();
  // What the compiler has found is said before a kernel runs: it may be why it goes wrong.
  for (const judge::Finding& finding : judge::take_findings()) {
    std::printf("%s\n", judge::indented(judge::text_of(finding)).c_str());
    judge::findings().push_back(finding);
  }
  const int status = judge::findings().empty() ? context.run() : 0;
  if (context.shouldExit()) return status;  // --list-test-cases and the like

  const judge::Verdict verdict = judge::verdict_of(judge::findings(), !todos.empty());
  if (verdict.exit_code == judge::kExitNotStarted)
    for (int line : todos) std::printf("  %s:%d: TODO(you)\n", judge::kernels_file, line);
  std::printf("verdict: %s\n", verdict.text.c_str());
  return verdict.exit_code;
}
