// fuzz_engines [--inputs N] [--seed S] [--only K]
// Makes N kernels of the rows of opcodes.def (fuzz_grammar.h) that load, and launches each by the interpreter and as machine code, with
// 1, 2 and 7 host threads, with all checks or none: memory, faults, findings and counters must be the same. Input K depends on the
// seed and K alone, so `--only K` repeats, and shows, the one that differs.
//
// A long run by hand (clang takes about half a second for each): fuzz_engines --inputs 2000 --seed 7
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "execution/module.h"
#include "fuzz_grammar.h"
#include "fuzz_options.h"
#include "gpu.h"
#include "jit/compile.h"

namespace {

using namespace gpusim;

constexpr u64 kBudget = 3000;  // warp instructions of a launch
constexpr std::size_t kBufferBytes = 1 << 16;
constexpr u32 kBlocks = 5, kDynamicShared = 1024;
constexpr u32 kThreads[] = {64, 96, 48, 32, 33};  // of a block
constexpr u32 kHostThreads[] = {1, 2, 7};

// What can be seen of a launch.
struct Outcome {
  std::string said;  // faults, findings, counters
  std::vector<u8> memory;
  bool operator==(const Outcome&) const = default;
};

// A simulated GPU with a kernel and a buffer for it, which is in the same place on each such GPU.
class Run {
 public:
  Run(u64 number, NativeCompiler* native) : number_(number) {
    gpu_.device.budget = {kBudget, 0};
    gpu_.device.native = native;
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
  bool is_native() {
    const auto& module = static_cast<const LoadedModule&>(*module_);
    return gpu_.device.native->code_of(module, module.code.functions[kernel_->function], 0) != nullptr;
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
      Outcome& outcome = outcomes.emplace_back();
      outcome.memory.assign(bytes, bytes + kBufferBytes);
      if (fault) outcome.said = "fault " + std::to_string(int(fault->code)) + ": " + fault->message + "\n";
      for (const Finding& f : gpu_.findings.all())
        outcome.said += f.check + ": " + f.message + ", " + std::to_string(f.count) + " times\n";
      for (const Report& report : gpu_.reports.all()) outcome.said += to_json(report) + "\n";
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

// How often two are not the same.
u64 compare(u64 number, const std::vector<Outcome>& interpreted, const std::vector<Outcome>& native) {
  u64 differences = 0;
  const auto say = [&](const char* engine, u32 host_threads, const Outcome& is, const Outcome& expected) {
    if (is == expected) return;
    ++differences;
    std::fprintf(stderr,
                 "fuzz_engines: input %llu: %s with %u host threads differs from the interpreter with one\n",
                 static_cast<unsigned long long>(number), engine, host_threads);
    if (is.said != expected.said)
      std::fprintf(stderr, "it says:\n%sand not:\n%s", is.said.c_str(), expected.said.c_str());
    for (std::size_t k = 0; k < is.memory.size(); ++k)
      if (is.memory[k] != expected.memory[k]) {
        std::fprintf(stderr, "byte %zu is %u and not %u\n", k, is.memory[k], expected.memory[k]);
        break;
      }
  };
  for (std::size_t k = 0; k < interpreted.size(); ++k)
    say("machine code", kHostThreads[k], native[k], interpreted[k]);
  return differences;
}

}  // namespace

int main(int argc, char** argv) {
  u64 inputs = 100, seed = 1, only = ~u64(0);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--inputs") inputs = number_after(argc, argv, i++);
    else if (argument == "--seed") seed = number_after(argc, argv, i++);
    else if (argument == "--only") only = number_after(argc, argv, i++);
    else {
      std::fprintf(stderr, "usage: fuzz_engines [--inputs N] [--seed S] [--only K]\n");
      return 2;
    }
  }
  if (!std::freopen("/dev/null", "w", stdout)) return 2;  // what kernels print
  NativeCompiler& compiler = native_compiler(NativeUse::always);
  u64 launched = 0, native = 0, faulted = 0, differences = 0;
  for (u64 k = only == ~u64(0) ? 0 : only; launched < inputs; ++k) {
    const std::string text = Grammar(seed * 1000003 + k, true).kernel();
    Run by_interpreter(k, nullptr), as_code(k, &compiler);
    if (by_interpreter.load(text) && as_code.load(text)) {
      if (only != ~u64(0)) std::fputs(text.c_str(), stderr);
      const std::vector<Outcome> expected = by_interpreter.launch();
      differences += compare(k, expected, as_code.launch());
      native += as_code.is_native();
      faulted += expected.front().said.starts_with("fault");
      ++launched;
    }
    if (only != ~u64(0)) break;
  }
  const auto number = [](u64 n) { return static_cast<unsigned long long>(n); };
  std::fprintf(stderr, "%llu kernels, of which %llu fault; %llu as machine code; %llu differences\n",
               number(launched), number(faulted), number(native), number(differences));
  if (native == 0) std::fprintf(stderr, "fuzz_engines: none was machine code, so nothing was compared\n");
  return differences || native == 0;
}
// SPDX-License-Identifier: MIT
