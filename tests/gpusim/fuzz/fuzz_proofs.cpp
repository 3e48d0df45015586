// fuzz_proofs [--inputs N] [--seed S] [--only K]
// Makes N kernels (racy_kernels.h), and launches each in many orders of lanes, warps and blocks. What is proved must race in none of
// them by the whole trace (whole_trace.h), also with other values in memory, and must leave the same memory in all.
// Input K depends on the seed and K alone, so `--only K` repeats, and shows, one of them.
//
// A long run by hand: fuzz_proofs --inputs 100000 --seed 7
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz_options.h"
#include "gpu.h"
#include "racy_kernels.h"
#include "whole_trace.h"

namespace {

using namespace gpusim;

constexpr std::size_t kBytes = 2 * RacyKernel::kWords * 4 + 1024, kOut = 2 * RacyKernel::kWords * 4;

struct Order {
  Schedule lanes;
  StartOrder blocks;
  std::vector<unsigned> turns;
  u32 input;
};

// A simulated GPU with a kernel and its memory.
class Run {
 public:
  explicit Run(const RacyKernel& kernel) : shape_(kernel) {
    gpu_.device.budget = {2000000, 0};
    gpu_.device.host_threads = 1;
    gpu_.device.fewest_shared_warps = 1;
    buffer_ = gpu_.device.memory.allocate(kBytes);
    std::string error;
    module_ = gpu_.load(kernel.text(), &error);
    if (!module_) std::fprintf(stderr, "fuzz_proofs: %s\n%s", error.c_str(), kernel.text().c_str());
  }
  bool is_loaded() const { return module_; }

  // False: it was stopped by a fault.
  bool launch(const Order& order) {
    gpu_.device.schedule = order.lanes;
    gpu_.device.start_order = order.blocks;
    gpu_.device.turns.lengths = order.turns;
    u8* const bytes = gpu_.device.memory.resolve(buffer_, kBytes);
    std::mt19937 random(order.input);
    for (std::size_t k = 0; k < kBytes; ++k) bytes[k] = order.input == 0 ? u8(k * 7 + k / 256) : u8(random());
    struct {
      u64 first, second, out;
      u32 n;
    } const params = {buffer_, buffer_ + shape_.distance, buffer_ + kOut, 3};
    const auto fault = gpu_.device.launch(*module_, *module_->kernel("test"),
                                          {{shape_.blocks, 1, 1}, {shape_.threads, 1, 1}},
                                          reinterpret_cast<const u8*>(&params));
    memory.assign(bytes, bytes + kBytes);
    return !fault;
  }
  Proof prove(const Order& order, u32 host_threads, bool* has_race) {
    gpu_.checks.enable("proof");
    gpu_.device.host_threads = host_threads;
    launch(order);
    gpu_.device.host_threads = 1;
    const Proof proof = gpu_.findings.proofs().front();
    *has_race = std::ranges::any_of(gpu_.findings.all(), [](const Finding& f) { return f.check == "race"; });
    gpu_.findings.clear();
    gpu_.checks.enable("none");
    return proof;
  }
  std::string race_in(const Order& order) {
    gpu_.device.observers.push_back(&trace_);
    const bool ends = launch(order);
    gpu_.device.observers.pop_back();
    return ends ? trace_.race() : "a fault stops it";
  }
  std::vector<u8> memory;

 private:
  const RacyKernel& shape_;
  Gpu gpu_;
  u64 buffer_ = 0;
  const Module* module_ = nullptr;
  WholeTrace trace_;
};

std::vector<Order> orders() {
  using enum Schedule;
  using enum StartOrder;
  return {{lockstep, first_to_last, {}, 0},       {ascending, first_to_last, {}, 0},
          {descending, last_to_first, {}, 0},     {lockstep, shuffled, {1, 3}, 0},
          {ascending, last_to_first, {5, 1}, 0},  {descending, first_to_last, {1}, 0},
          {descending, last_to_first, {2, 7}, 0}, {lockstep, last_to_first, {1, 59}, 0}};
}

}  // namespace

int main(int argc, char** argv) {
  const FuzzOptions options = only_fuzz_options(argc, argv, 100);
  const u64 inputs = options.inputs, seed = options.seed;
  const std::optional<u64> only = options.only;
  const std::vector<Order> all = orders();
  u64 proved = 0, race_free = 0, racy = 0, wrong = 0, not_needed = 0;
  for (u64 k = only.value_or(0); k < inputs || only; ++k) {
    const RacyKernel kernel(seed * 1000003 + k);
    if (only) std::fputs(kernel.text().c_str(), stderr);
    Run run(kernel);
    if (!run.is_loaded()) return 1;
    bool found_race = false;
    const Proof proof = run.prove(all[k % all.size()], u32(1 + k % 3), &found_race);
    if (only) std::fprintf(stderr, "%s\n", to_text(proof).c_str());
    const auto complain = [&](const std::string& what) {
      std::fprintf(stderr, "fuzz_proofs: input %llu (seed %llu): %s\n  but %s\n",
                   static_cast<unsigned long long>(k), static_cast<unsigned long long>(seed),
                   to_text(proof).c_str(), what.c_str());
      ++wrong;
    };
    if (proof.verdict == Verdict::not_proved) {
      ++racy;
      // How much is not proved though no order of these shows why: only to be told.
      if (k % 16 == 0 && !found_race && run.race_in(all[0]).empty()) ++not_needed;
    } else {
      (proof.verdict == Verdict::proved ? proved : race_free)++;
      std::vector<u8> expected;
      for (Order order : all) {
        std::string race = run.race_in(order);
        if (expected.empty()) expected = run.memory;
        if (proof.verdict == Verdict::proved && run.memory != expected)
          race = "memory differs between two orders";
        order.input = 1 + u32(k);
        if (race.empty()) race = run.race_in(order);
        if (race.empty()) continue;
        complain(race);
        break;
      }
    }
    if (only) break;
  }
  const auto n = [](u64 v) { return static_cast<unsigned long long>(v); };
  std::fprintf(
      stderr,
      "%llu kernels proved, %llu proved race-free, %llu not proved (of each 16th, %llu without a race in sight); %llu wrong\n",
      n(proved), n(race_free), n(racy), n(not_needed), n(wrong));
  const bool says_something = only || inputs < 1000 || (proved > inputs / 50 && racy > inputs / 50);
  if (!says_something)
    std::fprintf(stderr, "fuzz_proofs: too few kernels of either kind: this says little\n");
  return wrong != 0 || !says_something;
}
// SPDX-License-Identifier: MIT
