// ptx_runner FILE.ptx…: runs each test on the simulated GPU and prints what is not as the file says
// (ptx_case.h). Each runs with the loops over lanes that this processor is given, and with those of every processor.
#include <cstdio>
#include <map>

#include "execution/device.h"
#include "execution/events.h"
#include "lanes/lane_ops.h"
#include "ptx/program.h"
#include "ptx_case.h"

namespace {

using namespace gpusim;

// Writes down which labelled stretches of code the warps of block 0 execute.
class Tracer : public SerialObserver {
 public:
  Interests interests() const override { return {.issues = true}; }
  explicit Tracer(const PtxCase& test) : test_(test) {}
  void launch_begin(const LaunchInfo& launch) override { program_ = launch.program; }
  void issue(const Issue& issue) override {
    if (issue.block != 0) return;
    const u32 line = program_->lines[issue.pc].line;
    const TraceEntry entry{line < test_.labels.size() ? test_.labels[line] : "?", issue.mask};
    if (entry.label.empty()) return;  // before the first label of a function
    Warp& warp = warps_[issue.warp];
    if (warp.trace.empty() || !(warp.trace.back() == entry) || issue.pc <= warp.pc)
      warp.trace.push_back(entry);
    warp.pc = issue.pc;
  }
  const std::vector<TraceEntry>& trace(u32 warp) { return warps_[warp].trace; }

 private:
  struct Warp {
    std::vector<TraceEntry> trace;
    u32 pc = 0;
  };
  const PtxCase& test_;
  const Program* program_ = nullptr;
  std::map<u32, Warp> warps_;
};

std::string show(const Expectation& e, u64 bits) {
  char text[64];
  double number = 0;
  float single = 0;
  std::memcpy(&number, &bits, sizeof number);
  std::memcpy(&single, &bits, sizeof single);
  if (e.is_float()) {
    std::snprintf(text, sizeof text, "0%c%0*llX (%.9g)", e.type == "f32" ? 'f' : 'd', int(e.size() * 2),
                  static_cast<unsigned long long>(bits), e.type == "f32" ? double(single) : number);
  } else {
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(bits));
  }
  return text;
}

double as_double(const Expectation& e, u64 bits) {
  float single;
  double number;
  std::memcpy(&single, &bits, sizeof single);
  std::memcpy(&number, &bits, sizeof number);
  return e.type == "f32" ? double(single) : number;
}

class Run {
 public:
  explicit Run(std::string path) : path_(std::move(path)) {
    device_.memory.fresh = Backing::kNan;  // so that an operation on a register without a value shows
  }

  int failures() {
    const PtxCase test = read_case(path_);
    if (test.expectations.empty() && test.traces.empty() && test.message.empty() && !test.fault)
      fail(1, "the file expects nothing");
    std::string error;
    const std::unique_ptr<Module> module = device_.load(test.text, &error);
    if (test.refused) {
      if (module) fail(1, "loads, but must be refused with '" + test.message + "'");
      else if (error.find(test.message) == std::string::npos)
        fail(1, "refused: " + error + "; expected '" + test.message + "'");
    } else if (!module) {
      fail(1, "does not load: " + error);
    } else if (const KernelInfo* kernel = module->kernel("test")) {
      if (test.unsupported) {
        if (kernel->unsupported.find(test.message) == std::string::npos)
          fail(1, "unsupported: '" + kernel->unsupported + "'; expected '" + test.message + "'");
      } else if (!kernel->unsupported.empty()) {
        fail(1, kernel->unsupported);
      } else {
        launch(test, *module, *kernel);
      }
    } else {
      fail(1, "has no kernel 'test'");
    }
    return failures_;
  }

 private:
  void fail(int line, const std::string& what) {
    if (++failures_ <= kShown) std::printf("%s:%d: %s\n", path_.c_str(), line, what.c_str());
    if (failures_ == kShown + 1) std::printf("%s: more is wrong\n", path_.c_str());
  }

  void launch(const PtxCase& test, const Module& module, const KernelInfo& kernel) {
    const u64 out_address = device_.memory.allocate(kOutBytes);
    u8* out = device_.memory.resolve(out_address, kOutBytes);
    std::memset(out, kPoison, kOutBytes);
    if (kernel.params.size() != test.params.size() + 1)
      return fail(1, "the kernel's parameters are not out and those of '//! param'");
    std::vector<u8> params(kernel.param_bytes);
    std::memcpy(&params[kernel.params[0].offset], &out_address, sizeof out_address);
    for (std::size_t i = 0; i < test.params.size(); ++i)
      std::memcpy(&params[kernel.params[i + 1].offset], &test.params[i].bits, kernel.params[i + 1].size);

    Tracer tracer(test);
    if (!test.traces.empty()) device_.observers.push_back(&tracer);
    if (test.budget) device_.budget = {test.budget, 0};
    const std::optional<Fault> fault =
        device_.launch(module, kernel, {test.grid, test.block, test.shared}, params.data());
    device_.observers.clear();

    if (fault && int(fault->code) != test.fault)
      fail(1, "fault " + std::to_string(int(fault->code)) + ": " + fault->message);
    else if (!fault && test.fault) fail(1, "ends well; expected fault " + std::to_string(test.fault));
    else if (fault && fault->message.find(test.message) == std::string::npos)
      fail(1, "the fault says '" + fault->message + "'; expected '" + test.message + "'");
    std::vector<bool> claimed(kOutBytes);
    for (const Expectation& e : test.expectations) check(e, out, claimed);
    for (const ExpectedTrace& trace : test.traces) check(trace, tracer.trace(trace.warp));
  }

  void check(const Expectation& e, const u8* out, std::vector<bool>& claimed) {
    for (std::size_t i = 0; i < e.values.size(); ++i) {
      const std::size_t at = e.offset + i * e.size();
      for (u32 byte = 0; byte < e.size(); ++byte) {
        if (claimed[at + byte])
          return fail(e.line, "another line expects something of the same bytes of out");
        claimed[at + byte] = true;
      }
      u64 bits = 0;
      std::memcpy(&bits, out + at, e.size());
      const u64 wanted = e.size() == 8 ? e.values[i].bits : e.values[i].bits & ((u64(1) << e.size() * 8) - 1);
      const double number = as_double(e, bits);
      const bool right =
          e.is_near ? std::fabs(number - e.near) <= e.tolerance * (e.relative ? std::fabs(e.near) : 1.0)
          : e.values[i].any_nan ? std::isnan(number)
                                : bits == wanted;
      const std::string place = e.values.size() > 1 ? "[" + std::to_string(i) + "]" : "";
      if (!right)
        fail(e.line, e.type + " out+" + std::to_string(e.offset) + place + " = " + show(e, bits) +
                         ", expected " +
                         (e.is_near             ? "about " + std::to_string(e.near)
                          : e.values[i].any_nan ? "nan"
                                                : show(e, wanted)));
    }
  }

  void check(const ExpectedTrace& expected, const std::vector<TraceEntry>& trace) {
    if (trace == expected.entries) return;
    fail(expected.line, "warp " + std::to_string(expected.warp) + " took another way:");
    for (std::size_t i = 0; i < std::max(trace.size(), expected.entries.size()); ++i) {
      const TraceEntry none{"-", 0};
      const TraceEntry& was = i < trace.size() ? trace[i] : none;
      const TraceEntry& wanted = i < expected.entries.size() ? expected.entries[i] : none;
      std::printf("  %s %-12s %08x   expected %-12s %08x\n", was == wanted ? " " : ">", was.label.c_str(),
                  was.mask, wanted.label.c_str(), wanted.mask);
    }
  }

  static constexpr int kShown = 20;
  std::string path_;
  Device device_;
  int failures_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: ptx_runner FILE.ptx...\n");
    return 2;
  }
  int wrong = 0;
  for (int i = 1; i < argc; ++i) {
    try {
      use_lane_loops(LaneLoops::best);
      int failures = Run(argv[i]).failures();
      use_lane_loops(LaneLoops::base);
      if (failures == 0 && has_better_loops() && (failures = Run(argv[i]).failures()) > 0)
        std::printf("%s: only with the loops for every processor\n", argv[i]);
      wrong += failures > 0;
    } catch (const std::exception& error) {
      std::printf("%s\n", error.what());
      ++wrong;
    }
  }
  return wrong ? 1 : 0;
}
// SPDX-License-Identifier: MIT
