// fuzz_instructions [--inputs N] [--seed S] [--only K]
// Makes N kernels of the rows of opcodes.def (fuzz_grammar.h) that load, and launches each with all checks or none: with the loops over
// lanes that this processor is given and with those of every processor, on 1, 2 and 7 host threads. Faults, findings and counters must
// be the same, and so must memory. Input K depends on the seed and K alone, so `--only K` repeats, and shows, the one that differs.
//
// A long run by hand: fuzz_instructions --inputs 20000 --seed 7
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_grammar.h"
#include "fuzz_options.h"
#include "gpu.h"
#include "lanes/lane_ops.h"

namespace {

using namespace gpusim;

constexpr u64 kBudget = 3000;  // warp instructions of a launch
constexpr std::size_t kBufferBytes = 1 << 16;
constexpr u32 kBlocks = 5, kDynamicShared = 1024;
constexpr u32 kThreads[] = {64, 96, 48, 32, 33};  // of a block
constexpr u32 kHostThreads[] = {1, 2, 7};

// What can be seen of a launch.
struct Outcome {
  u32 host_threads;
  bool has_fault;
  std::string said;  // faults, findings, counters
  std::vector<u8> memory;
};

// A simulated GPU with a kernel and a buffer for it, which is in the same place on each such GPU.
class Run {
 public:
  explicit Run(u64 number) : number_(number) {
    gpu_.device.budget = {kBudget, 0};
    gpu_.device.fewest_shared_warps = 1;
    buffer_ = gpu_.device.memory.allocate(kBufferBytes);
  }

  // False: it does not load, or cannot be launched.
  bool load(const std::string& text) {
    std::string error;
    module_ = gpu_.device.load(text, &error);
    kernel_ = module_ ? module_->kernel("test") : nullptr;
    return kernel_ && kernel_->unsupported.empty() && kernel_->param_bytes == sizeof buffer_ &&
           kernel_->max_threads >= threads() && kernel_->static_shared_bytes <= Limits::static_shared_bytes;
  }

  std::vector<Outcome> launch() {
    gpu_.checks.enable(number_ % 2 ? "all" : "none");
    gpu_.reports.keep(true);
    u8* const bytes = gpu_.device.memory.resolve(buffer_, kBufferBytes);
    std::vector<Outcome> outcomes;
    for (const u32 host_threads : kHostThreads) {
      gpu_.device.host_threads = host_threads;
      for (std::size_t k = 0; k < kBufferBytes; ++k) bytes[k] = u8(k * 7 + k / 256);
      const LaunchConfig config{{kBlocks, 1, 1}, {threads(), 1, 1}, kDynamicShared};
      const std::optional<Fault> fault =
          gpu_.device.launch(*module_, *kernel_, config, reinterpret_cast<const u8*>(&buffer_));
      outcomes.push_back({host_threads, fault.has_value(), {}, {}});
      Outcome& outcome = outcomes.back();
      outcome.memory.assign(bytes, bytes + kBufferBytes);
      if (fault) outcome.said = "fault " + std::to_string(int(fault->code)) + ": " + fault->message + "\n";
      for (const Finding& f : gpu_.findings.all())
        outcome.said += f.check + ": " + f.message + ", " + std::to_string(f.count) + " times\n";
      for (Report report : gpu_.reports.all()) {
        report.launch = 0;  // its number
        outcome.said += to_json(report) + "\n";
      }
      gpu_.findings.clear();
      gpu_.reports.clear();
    }
    return outcomes;
  }

 private:
  u32 threads() const { return kThreads[number_ % std::size(kThreads)]; }

  const u64 number_;
  Gpu gpu_;
  u64 buffer_ = 0;
  std::unique_ptr<Module> module_;
  const KernelInfo* kernel_ = nullptr;
};

// Says how they differ, if they do. (Where a fault ends a launch on several host threads, blocks that come later may have written.)
bool differ(u64 number, const char* loops, const Outcome& is, const Outcome& expected) {
  const bool compares_memory = !is.has_fault || is.host_threads == expected.host_threads;
  if (is.said == expected.said && (!compares_memory || is.memory == expected.memory)) return false;
  std::fprintf(stderr, "fuzz_instructions: input %llu: %u host threads, %s loops\n",
               static_cast<unsigned long long>(number), is.host_threads, loops);
  if (is.said != expected.said)
    std::fprintf(stderr, "it says:\n%sand not:\n%s", is.said.c_str(), expected.said.c_str());
  for (std::size_t k = 0; compares_memory && k < is.memory.size(); ++k)
    if (is.memory[k] != expected.memory[k]) {
      std::fprintf(stderr, "byte %zu is %u and not %u\n", k, is.memory[k], expected.memory[k]);
      break;
    }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const FuzzOptions options = only_fuzz_options(argc, argv, 100);
  const u64 inputs = options.inputs, seed = options.seed;
  const std::optional<u64> only = options.only;
  if (!std::freopen("/dev/null", "w", stdout)) return 2;  // what kernels print
  u64 launched = 0, faulted = 0, differences = 0;
  for (u64 k = only.value_or(0); launched < inputs; ++k) {
    const std::string text = Grammar(seed * 1000003 + k, true).kernel();
    std::vector<Outcome> expected;  // by the best loops
    use_lane_loops(LaneLoops::best);
    if (Run best(k); best.load(text)) {
      if (only) std::fputs(text.c_str(), stderr);
      expected = best.launch();
      for (const Outcome& outcome : expected) differences += differ(k, "best", outcome, expected.front());
      faulted += expected.front().has_fault;
      ++launched;
    }
    use_lane_loops(LaneLoops::base);
    Run base(k);
    const std::vector<Outcome> outcomes = base.load(text) ? base.launch() : std::vector<Outcome>{};
    if (outcomes.size() != expected.size()) {
      std::fprintf(stderr, "fuzz_instructions: input %llu loads with one kind of loops only\n",
                   static_cast<unsigned long long>(k));
      ++differences;
      continue;
    }
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      differences += differ(k, "base", outcomes[i], expected[i]);
    if (only) break;
  }
  const auto number = [](u64 n) { return static_cast<unsigned long long>(n); };
  std::fprintf(stderr, "%llu kernels, of which %llu fault; %llu differences\n", number(launched),
               number(faulted), number(differences));
  return differences != 0;
}
// SPDX-License-Identifier: MIT
