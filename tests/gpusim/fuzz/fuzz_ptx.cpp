// fuzz_ptx [--inputs N] [--seed S] [--only K] FILE.ptx…
// Makes N inputs, loads each, and launches each kernel that loads: one input in two is a text of the given files that has
// been damaged, the other a kernel made of the rows of opcodes.def (fuzz_grammar.h). They run in every schedule, order of
// blocks and kind of turns, with all checks, the counters and the trace attached. Whatever the text says, the simulated
// GPU must refuse it, stop with a fault or finish: no crash, no hang (build with -fsanitize=address,undefined). Input K
// depends on the seed, K and the files alone, so `--only K` repeats the one that went wrong.
//
// A long run by hand, on a core of its own: fuzz_ptx --inputs 10000000 --seed 7 tests/gpusim/ptx/*.ptx
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "fuzz_grammar.h"
#include "fuzz_options.h"
#include "gpu.h"
#include "ptx/parser.h"
#include "ptx/program.h"
#include "reports/trace.h"

namespace {

using namespace gpusim;

constexpr u32 kSecondsPerInput = 20;  // of processor time, with sanitizers; longer than that is a hang
constexpr u64 kBudget = 1500;         // warp instructions per launch
constexpr std::size_t kBufferBytes = 1 << 16;
constexpr u32 kThreads = 48, kDynamicShared = 256;
constexpr u64 kMostMemory = 1 << 24;  // bytes of variables: more takes time, and shows nothing new

u64 current = 0;  // the input being tried: for the last words of a crash

void say_current(const char* what) {
  char text[128];
  const int length = std::snprintf(text, sizeof text, "fuzz_ptx: input %llu: %s (repeat with --only)\n",
                                   static_cast<unsigned long long>(current), what);
  if (write(STDERR_FILENO, text, std::size_t(length)) < 0) _exit(3);
}
void on_signal(int number) {
  say_current(number == SIGPROF ? "hangs" : "crashes");
  _exit(1);
}

// The machine may be busy, or this process stopped, for longer than an input may take.
void end_after(u32 seconds) {
  const itimerval end{{0, 0}, {time_t(seconds), 0}};
  setitimer(ITIMER_PROF, &end, nullptr);
}

class Mutator {
 public:
  Mutator(std::string text, u64 seed) : text_(std::move(text)), random_(seed) {}

  std::string run() {
    for (u64 times = 1 + below(3); times > 0 && !text_.empty(); --times) {
      switch (below(9)) {
        case 0: text_.resize(below(text_.size() + 1)); break;
        case 1: flip_bytes(); break;
        case 2: swap_pieces(kTokenEnds); break;
        case 3: swap_pieces("\n"); break;
        case 4: delete_piece(kTokenEnds); break;
        case 5: delete_piece("\n"); break;
        case 6: repeat_piece("\n"); break;
        case 7: copy_piece(kTokenEnds); break;
        default: change_number(); break;
      }
    }
    return text_;
  }

 private:
  static constexpr const char* kTokenEnds = " \t\n,;[]{}()+";
  struct Piece {
    std::size_t begin, length;
  };

  u64 below(u64 limit) { return random_() % limit; }
  // The piece between separators that holds a random byte.
  Piece piece(const char* separators) {
    const std::size_t at = below(text_.size());
    const std::size_t before = text_.find_last_of(separators, at),
                      after = text_.find_first_of(separators, at);
    const std::size_t begin = before == std::string::npos ? 0 : std::min(before + 1, at);
    return {begin, (after == std::string::npos ? text_.size() : std::max(after, at)) - begin};
  }
  void flip_bytes() {
    for (u64 k = 1 + below(8); k > 0; --k) text_[below(text_.size())] = char(below(256));
  }
  void delete_piece(const char* separators) {
    const Piece p = piece(separators);
    text_.erase(p.begin, p.length);
  }
  void repeat_piece(const char* separators) {
    const Piece p = piece(separators);
    text_.insert(p.begin, text_.substr(p.begin, p.length) + "\n");
  }
  void copy_piece(const char* separators) {
    const Piece from = piece(separators);
    const std::string word = text_.substr(from.begin, from.length);
    const Piece to = piece(separators);
    text_.replace(to.begin, to.length, word);
  }
  void swap_pieces(const char* separators) {
    Piece a = piece(separators), b = piece(separators);
    if (a.begin > b.begin) std::swap(a, b);
    if (a.begin + a.length > b.begin) return;
    const std::string first = text_.substr(a.begin, a.length), second = text_.substr(b.begin, b.length);
    text_.replace(b.begin, b.length, first).replace(a.begin, a.length, second);
  }
  void change_number() {
    static const char* const kNumbers[] = {"0",
                                           "1",
                                           "3",
                                           "31",
                                           "32",
                                           "64",
                                           "255",
                                           "65536",
                                           "2147483647",
                                           "4294967295",
                                           "4294967296",
                                           "1099511627776",
                                           "9223372036854775808",
                                           "18446744073709551615",
                                           "99999999999999999999",
                                           "-1",
                                           "0x7fffffffffffffff",
                                           "0f7FC00000",
                                           "1e999"};
    const std::size_t digit = text_.find_first_of("0123456789", below(text_.size()));
    if (digit == std::string::npos) return;
    const std::size_t end = std::min(text_.find_first_not_of("0123456789abcdefxABCDEF", digit), text_.size());
    text_.replace(digit, end - digit, kNumbers[below(std::size(kNumbers))]);
  }

  std::string text_;
  std::mt19937_64 random_;
};

struct Tally {
  u64 refused = 0, loaded = 0, executed = 0, finished = 0, faulted = 0, not_launched = 0;
};

// Launches every kernel of the module on a small grid; pointers lead to one buffer, other parameters are 33.
bool launch_all(Device& device, const Module& module, u64 buffer, Tally& tally) {
  bool any = false;
  for (const Function& f : module.program().functions) {
    const KernelInfo* kernel = f.is_kernel ? module.kernel(f.name) : nullptr;
    if (!kernel) continue;
    if (!kernel->unsupported.empty() || kernel->max_threads < kThreads || kernel->param_bytes > 4096 ||
        kernel->static_shared_bytes > Limits::static_shared_bytes) {
      ++tally.not_launched;  // the runtime would refuse it too
      continue;
    }
    std::vector<u8> params(kernel->param_bytes);
    for (const ParamInfo& p : kernel->params) {
      const u64 value = p.size == 8 ? buffer : 33;
      for (u32 at = 0; at < p.size; at += 8)
        std::memcpy(&params[p.offset + at], &value, std::min(8u, p.size - at));
    }
    const LaunchConfig config{{2, 1, 1}, {kThreads, 1, 1}, kDynamicShared};
    ++(device.launch(module, *kernel, config, params.data()) ? tally.faulted : tally.finished);
    any = true;
  }
  return any;
}

// False: refused, and nothing said why.
bool try_input(Gpu& gpu, const std::string& text, u64 buffer, u64 number, Tally& tally) {
  Device& device = gpu.device;
  std::string error;
  const std::unique_ptr<Module> module = device.load(text, &error);
  ++(module ? tally.loaded : tally.refused);
  if (!module) return !error.empty();
  device.schedule = Schedule(number % 3);
  device.start_order = StartOrder(number / 3 % 3);
  device.turns = number / 9 % 2 ? Turns{{1, 59}} : Turns{};
  const TraceRecorder trace(device, {});
  tally.executed += launch_all(device, *module, buffer, tally);
  for (const LaunchTrace& launch : trace.launches())
    if (to_json(launch).empty()) return false;
  gpu.findings.clear();
  gpu.reports.clear();
  return true;
}

// Does the grammar know every row of opcodes.def with each of its types? Of each a kernel must be made that can run.
bool grammar_has_every_row(Device& device) {
  bool all = true;
  u64 forms = 0;
  for (const ptx::Row& row : ptx::all_rows())
    for (u8 t = 0; t <= u8(Type::bf16x2); ++t) {
      if (row.types ? !(t && row.types & ptx::set_of(Type(t))) : t != 0) continue;
      ++forms;
      bool runs = false;
      for (u64 attempt = 0; attempt < 40 && !runs; ++attempt) {
        std::string error;
        const auto module = device.load(Grammar(attempt).kernel_with(row, Type(t)), &error);
        runs = module && module->kernel("test")->unsupported.empty();
      }
      if (runs) continue;
      std::fprintf(stderr, "fuzz_ptx: no kernel with %s%s%s loads: has fuzz_grammar.h its operands?\n",
                   std::string(row.mnemonic).c_str(), t ? "." : "", t ? name_of(Type(t)) : "");
      all = false;
    }
  if (all)
    std::fprintf(stderr, "instructions that the grammar makes: %llu\n",
                 static_cast<unsigned long long>(forms));
  return all;
}

}  // namespace

// AddressSanitizer calls this before it reports.
extern "C" void __asan_on_error() { say_current("a sanitizer objects"); }

// Where memory was allocated would be noted for nothing, at a fifth of the time: who repeats an input with `--only` sets
// ASAN_OPTIONS=malloc_context_size=30.
extern "C" const char* __asan_default_options() { return "malloc_context_size=1"; }

int main(int argc, char** argv) {
  const FuzzOptions options = fuzz_options(argc, argv, 1000);
  std::vector<std::string> texts;
  for (const std::string& name : options.others) {
    std::ifstream file(name, std::ios::binary);
    std::stringstream text;
    if (!file || !(text << file.rdbuf())) {
      std::fprintf(stderr, "fuzz_ptx: %s: cannot be read, or is empty\n", name.c_str());
      return 2;
    }
    texts.push_back(text.str());
  }
  if (texts.empty()) {
    std::fprintf(stderr, "usage: fuzz_ptx [--inputs N] [--seed S] [--only K] FILE.ptx...\n");
    return 2;
  }
  if (!std::freopen("/dev/null", "w", stdout)) return 2;  // what kernels print
  for (const int number : {SIGPROF, SIGABRT}) std::signal(number, on_signal);

  Gpu gpu;
  Device& device = gpu.device;
  device.budget = {kBudget, 0};
  const u64 buffer = device.memory.allocate(kBufferBytes);
  // Constants lie far from all else, so that no address which goes astray is one of these. Their pages are never touched.
  const std::size_t ballast = device.memory.total() - device.memory.used() - kMostMemory;
  if (!buffer || !device.memory.allocate(ballast, MemoryKind::constant)) {
    std::fprintf(stderr, "fuzz_ptx: no memory for the simulated GPU\n");
    return 1;
  }
  for (const std::string& text : texts) {
    std::string error;
    if (device.load(text, &error)) continue;
    std::fprintf(stderr, "fuzz_ptx: the undamaged text does not load, so mutations of it prove nothing: %s\n",
                 error.c_str());
    return 1;
  }
  if (!grammar_has_every_row(device)) return 1;
  gpu.checks.enable("all");
  gpu.reports.keep(true);
  Tally tally;
  const std::clock_t begin = std::clock();
  u64 count = options.inputs;
  if (options.only) current = *options.only, count = current + 1;
  for (; current < count; ++current) {
    end_after(kSecondsPerInput);
    const u64 own_seed = options.seed * 1000003 + current;
    const std::string text =
        current % 2 ? Grammar(own_seed).kernel() : Mutator(texts[current / 2 % texts.size()], own_seed).run();
    if (options.only) std::fputs(text.c_str(), stderr);
    if (!try_input(gpu, text, buffer, current / 2, tally)) {
      say_current("refused without a word");
      return 1;
    }
  }
  end_after(0);
  const auto number = [](u64 n) { return static_cast<unsigned long long>(n); };
  const u64 inputs = tally.refused + tally.loaded;
  std::fprintf(
      stderr, "%llu inputs in %.1f s of processor time: %llu refused, %llu loaded; %llu (%.1f %%) executed\n",
      number(inputs), double(std::clock() - begin) / CLOCKS_PER_SEC, number(tally.refused),
      number(tally.loaded), number(tally.executed),
      inputs ? 100.0 * double(tally.executed) / double(inputs) : 0.0);
  std::fprintf(stderr, "their kernels: %llu finished, %llu faulted, %llu not launchable\n",
               number(tally.finished), number(tally.faulted), number(tally.not_launched));
  return 0;
}
// SPDX-License-Identifier: MIT
