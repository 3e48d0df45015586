// fuzz_exploration [--inputs N] [--seed S] [--only K]
// Makes N kernels (talking_kernels.h) and explores each three times: as GPUSIM_EXPLORE does; with all interleavings; and with all
// interleavings while loops that wait go round and round, up to a number of operations. The first two must find the same results and
// kinds of mistakes, and the third none that they have not found. Input K depends on the seed and K alone.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "exploration/explored_launches.h"
#include "fuzz_options.h"
#include "gpu.h"
#include "talking_kernels.h"

namespace {

using namespace gpusim;

constexpr u64 kMostExecutions = 30'000;
constexpr u64 kMostUnrolled = 4'000;
constexpr u64 kRounds = 5;  // operations that waiting may add
constexpr double kSeconds = 4;

struct Found {
  Exploration::Verdict verdict = Exploration::Verdict::all_right;
  u64 executions = 0;
  std::set<u64> results;
  bool has_race = false, waits_for_ever = false;
};

class Subject {
 public:
  explicit Subject(const TalkingKernel& kernel) : blocks_(kernel.blocks) {
    words_ = gpu_.device.memory.allocate(kBytes);
    out_ = gpu_.device.memory.allocate(kBytes);
    std::string error;
    module_ = gpu_.load(kernel.text(), &error);
    if (!module_) std::fprintf(stderr, "fuzz_exploration: %s\n%s", error.c_str(), kernel.text().c_str());
  }
  bool is_loaded() const { return module_; }

  Found explore_by(const ExplorationLimits& limits) {
    gpu_.device.memory.fill(words_, kBytes, 0);
    gpu_.device.memory.fill(out_, kBytes, 0);
    ExploredLaunch launch{&gpu_.device, module_, module_->kernel("test"), {{blocks_, 1, 1}, {1, 1, 1}}, {}};
    launch.params.resize(2 * sizeof(u64));
    std::memcpy(launch.params.data(), &words_, sizeof words_);
    std::memcpy(launch.params.data() + sizeof words_, &out_, sizeof out_);
    const Exploration e = explore({launch}, limits);
    Found found{e.verdict, e.executions, e.hashes};
    for (const std::string& wrong : e.wrongs)
      (wrong.find("race: ") != std::string::npos ? found.has_race : found.waits_for_ever) = true;
    found.has_race |= !e.equal_stores.empty();
    const u8* const bytes = gpu_.device.memory.resolve(words_, kBytes);
    is_undone_ = std::all_of(bytes, bytes + kBytes, [](u8 b) { return b == 0; });
    return found;
  }
  bool is_undone() const { return is_undone_; }

 private:
  static constexpr std::size_t kBytes = 64;
  Gpu gpu_;
  u32 blocks_;
  u64 words_ = 0, out_ = 0;
  const Module* module_ = nullptr;
  bool is_undone_ = false;
};

// Why the reduced exploration is wrong; empty where it is right.
std::string compared(const Found& reduced, const Found& all, const Found& rounds) {
  if (reduced.has_race != all.has_race)
    return all.has_race ? "it misses a race" : "it finds a race that is not there";
  if (rounds.has_race && !all.has_race) return "parking hides a race";
  if (all.has_race) return "";  // what a race leads to is not explored
  if (reduced.waits_for_ever != all.waits_for_ever)
    return all.waits_for_ever ? "it misses agents that wait for ever"
                              : "it finds agents that wait for ever and do not";
  if (reduced.results != all.results)
    return "it finds " + std::to_string(reduced.results.size()) + " results of " +
           std::to_string(all.results.size());
  for (const u64 result : rounds.results)
    if (!all.results.contains(result)) return "parking hides a result";
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  const FuzzOptions options = only_fuzz_options(argc, argv, 300);
  u64 wrong = 0, large = 0, racy = 0, stuck = 0, reduced_runs = 0, all_runs = 0, several = 0, unrolled = 0;
  for (u64 k = options.only.value_or(0); k < options.inputs || options.only; ++k) {
    const TalkingKernel kernel(options.seed * 1000003 + k);
    if (options.only) std::fputs(kernel.text().c_str(), stderr);
    Subject subject(kernel);
    if (!subject.is_loaded()) return 1;
    ExplorationLimits limits;
    limits.executions = kMostExecutions;
    limits.seconds = kSeconds;
    limits.stops_at_wrong = false;
    const Found reduced = subject.explore_by(limits);
    limits.reduces = false;
    const Found all = subject.explore_by(limits);
    limits.parks = false;
    limits.executions = kMostUnrolled;
    limits.operations = kernel.blocks * 4 + kRounds;
    const Found rounds = subject.explore_by(limits);
    if (reduced.verdict != Exploration::Verdict::all_right ||
        all.verdict != Exploration::Verdict::all_right) {
      ++large;
    } else {
      std::string why = compared(reduced, all, rounds);
      if (!subject.is_undone()) why = "memory is not as it was";
      if (!why.empty())
        std::fprintf(stderr, "fuzz_exploration: input %llu (seed %llu): %s\n",
                     static_cast<unsigned long long>(k), static_cast<unsigned long long>(options.seed),
                     why.c_str());
      wrong += !why.empty();
      racy += all.has_race;
      stuck += all.waits_for_ever;
      several += !all.has_race && all.results.size() > 1;
      unrolled += rounds.verdict == Exploration::Verdict::all_right;
      reduced_runs += reduced.executions;
      all_runs += all.executions;
    }
    if (options.only) break;
  }
  const auto n = [](u64 v) { return static_cast<unsigned long long>(v); };
  std::fprintf(
      stderr,
      "%llu inputs: %llu with a race, %llu that may wait for ever, %llu with several results, %llu too large to compare, "
      "%llu also without parking; %llu executions in place of %llu; %llu wrong\n",
      n(options.only ? 1 : options.inputs), n(racy), n(stuck), n(several), n(large), n(unrolled),
      n(reduced_runs), n(all_runs), n(wrong));
  const bool says_something =
      options.only || (racy > 0 && stuck > 0 && several > 0 && reduced_runs < all_runs);
  if (!says_something)
    std::fprintf(stderr, "fuzz_exploration: too few kernels of a kind: this says little\n");
  return wrong != 0 || !says_something;
}
// SPDX-License-Identifier: MIT
