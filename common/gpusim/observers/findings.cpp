#include "observers/findings.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>

#include "gpusim/report.h"
#include "observers/compiler_warnings.h"
#include "observers/environment.h"
#include "observers/leaks.h"
#include "ptx/paths.h"

namespace gpusim {
namespace {

struct CheckRow {
  const char* name;
  std::unique_ptr<Observer> (*make)();  // null: not an observer
};
constexpr CheckRow kChecks[] = {
    {"memory", make_memory_check},   {"race", make_race_check},  {"barrier", make_barrier_check},
    {"shuffle", make_shuffle_check}, {"uninitialized", nullptr}, {"leak", nullptr},
};

struct Checking {
  std::unique_ptr<Observer> attached[std::size(kChecks)];
  bool leaks = false;
  bool print = false;
  std::vector<Finding> found;
  unsigned long long errors = 0;
  std::string last_fault, last_fault_quoted;
  bool in_launch = false;
  std::vector<Finding> of_launch;
};

// Not destroyed: reports come until the process ends.
Checking& checking() {
  static Checking& instance = *new Checking;
  return instance;
}

bool alike(const Finding& a, const Finding& b) {
  return a.check == b.check && a.kernel == b.kernel && same_place(a.place, b.place) &&
         same_place(a.other, b.other) && (a.place.line != 0 || a.message == b.message);
}

std::string text_of(const Place& p) {
  std::string text = shortened(p.file) + ":" + std::to_string(p.line);
  if (p.column) text += ":" + std::to_string(p.column);
  return text;
}

// The source line and a caret, or nothing where the file cannot be read.
std::string quoted(const Place& p) {
  std::ifstream file(where_it_is(p.file));
  std::string line;
  for (int k = 0; k < p.line; ++k)
    if (!std::getline(file, line)) return "";
  if (p.line == 0) return "";
  std::string caret;
  for (int k = 0; k + 1 < p.column && k < int(line.size()); ++k)
    caret += line[std::size_t(k)] == '\t' ? '\t' : ' ';
  return "\n  " + line + (p.column ? "\n  " + caret + "^" : "");
}

// A program must not look clean because it ignored what was found.
void leave_with_findings() {
  const DeviceLock lock;
  if (checking().leaks && checking().last_fault.empty())
    report_leaks();  // after a fault nothing can be freed
  if (checking().errors == 0) return;
  std::fflush(nullptr);
  std::fprintf(stderr, "gpusim: %llu finding%s; exit status 1\n", checking().errors,
               checking().errors == 1 ? "" : "s");
  std::_Exit(1);
}

// What is found in a launch is told at its end, faults of barriers first: what races may race because of them.
class Teller final : public Observer {
 public:
  void launch_begin(const LaunchInfo&) override { checking().in_launch = true; }
  void launch_end(const LaunchInfo&, bool) override {
    Checking& c = checking();
    c.in_launch = false;
    std::vector<Finding> found = std::move(c.of_launch);
    c.of_launch.clear();
    std::stable_partition(found.begin(), found.end(), [](const Finding& f) {
      return f.check == "barrier" && f.severity == Severity::error;
    });
    for (Finding& f : found) report_finding(std::move(f));
  }
};

}  // namespace

bool same_place(const Place& a, const Place& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

bool enable_checks(const std::string& which) {
  std::vector<bool> wanted(std::size(kChecks), which == "all");
  if (which != "all" && which != "none") {
    std::stringstream words(which);
    for (std::string word; std::getline(words, word, ',');) {
      const auto row = std::ranges::find(kChecks, word, &CheckRow::name);
      if (row == std::end(kChecks)) return false;
      wanted[std::size_t(row - kChecks)] = true;
    }
  }
  const DeviceLock lock;
  static const bool registered = (std::atexit(leave_with_findings), true);
  (void)registered;
  std::vector<Observer*>& observers = Device::instance().observers;
  for (std::size_t k = 0; k < std::size(kChecks); ++k) {
    std::unique_ptr<Observer>& attached = checking().attached[k];
    if (kChecks[k].name == std::string_view("leak")) {
      checking().leaks = wanted[k];
    } else if (!kChecks[k].make) {
      report_compiler_warnings(wanted[k]);
    } else if (wanted[k] && !attached) {
      attached = kChecks[k].make();
      observers.push_back(attached.get());
    } else if (!wanted[k] && attached) {
      std::erase(observers, attached.get());
      attached.reset();
    }
  }
  static Teller& teller = *new Teller;  // the last to be told that a launch is over
  std::erase(observers, &teller);
  if (std::ranges::any_of(checking().attached, [](const auto& a) { return a != nullptr; }))
    observers.push_back(&teller);
  return true;
}

void print_findings(bool on) {
  const DeviceLock lock;
  checking().print = on;
}

void report_finding(Finding finding) {
  Checking& c = checking();
  if (c.in_launch) {
    c.of_launch.push_back(std::move(finding));
    return;
  }
  for (Finding& known : c.found)
    if (alike(known, finding)) {
      known.count += finding.count;
      return;
    }
  c.errors += finding.severity == Severity::error;
  if (c.print) {
    std::fflush(stdout);
    std::fprintf(stderr, "%s\n", to_text(finding).c_str());
  }
  c.found.push_back(std::move(finding));
}

const std::vector<Finding>& findings() { return checking().found; }

void note_fault(const std::string& message, const std::string& quoted) {
  checking().last_fault = message;
  checking().last_fault_quoted = quoted;
}
const std::string& last_fault() { return checking().last_fault; }
const std::string& last_fault_quoted() { return checking().last_fault_quoted; }

void clear_findings() {
  const DeviceLock lock;
  checking().found.clear();
  checking().errors = 0;
}

std::string to_text(const Finding& f) {
  std::string text = f.place.line ? text_of(f.place) + ": " : std::string("gpusim: ");
  if (f.severity == Severity::warning) text += "warning: ";
  text += f.check + ": " + f.message;
  if (f.other.line && !same_place(f.place, f.other))
    text += std::string(" (the other ") + (f.check == "race" ? "access" : "place") + ": " + text_of(f.other) +
            ")";
  if (!f.kernel.empty()) text += " [" + f.kernel + "]";
  text += quoted(f.place);
  for (const Place& call : f.place.called_at) text += "\n  called at " + text_of(call) + quoted(call);
  if (f.other.line && !same_place(f.place, f.other)) text += quoted(f.other);
  return text;
}

std::string with_source_line(const std::string& message) {
  // file:line:column: …
  const std::size_t end = std::min(message.find(": "), message.size());
  Place p;
  const std::size_t column = message.rfind(':', end - 1);
  const std::size_t line =
      column == std::string::npos || column == 0 ? std::string::npos : message.rfind(':', column - 1);
  if (line == std::string::npos) return message;
  p.file = message.substr(0, line);
  p.line = std::atoi(message.c_str() + line + 1);
  p.column = std::atoi(message.c_str() + column + 1);
  return message + quoted(p);
}

Place place_of(const Program& program, u32 pc) {
  if (pc >= program.lines.size()) return {};
  const auto place = [&](const SourceLine& at) -> Place {
    if (at.line == 0 || at.file >= program.files.size()) return {};
    return {program.files[at.file], int(at.line), int(at.column), {}};
  };
  Place p = place(program.lines[pc]);
  for (const SourceLine& call : program.callers(pc)) p.called_at.push_back(place(call));
  return p;
}

namespace {

std::string triple(u64 index, const Dim3& size) {
  if (size.y == 1 && size.z == 1) return std::to_string(index);
  return "(" + std::to_string(index % size.x) + "," + std::to_string(index / size.x % size.y) + "," +
         std::to_string(index / size.x / size.y) + ")";
}

}  // namespace

std::string block_name(const LaunchInfo& launch, u64 block) { return "block " + triple(block, launch.grid); }

std::string thread_name(const LaunchInfo& launch, u32 thread) {
  return "thread " + triple(thread, launch.block) + " (warp " + std::to_string(thread / kWarpSize) +
         ", lane " + std::to_string(thread % kWarpSize) + ")";
}

}  // namespace gpusim
