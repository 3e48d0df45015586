// What the simulated GPU counts while a kernel runs, by name. A real GPU gives a program no counters (ncu has
// them), so functions return no result there, and a test says "not counted on a GPU".
//
//   const auto counters = harness::count_launches([&] { sum_tile<<<blocks, kBlock>>>(d_in, d_sums, n); });
//   if (counters) CHECK(counters->at("shared_bank_conflicts") == 0);
//
// For the counters of one source line, see reports() in gpusim/report.h, which keeps the same launches.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

// A counter is named after its member in gpusim/report.h: global.load.sectors is "global_load_sectors". Two
// more are "launches" and "blocks".
struct Counter {
  std::string name;
  double value = 0;  // a count (exact up to 2^53) or a mean
};

class Counters {
 public:
  explicit Counters(std::vector<Counter> list) : list_(std::move(list)) {}
  const std::vector<Counter>& list() const { return list_; }
  // Throws std::out_of_range, with the name, if there is no counter of this name.
  double at(const std::string& name) const;

 private:
  std::vector<Counter> list_;
};

// What is proved of the compiled code of launches: whether another order of threads or another input of the same
// size could make them race (gpusim/proof.h).
struct Proved {
  std::string verdict;  // "proved", "race_free" or "not_proved"; empty: no kernel was launched
  std::string file;     // where the reason is; empty: nowhere
  int line = 0;
  std::string reason;  // why it is not proved, or why the result may differ: "takes its address from memory"
  std::string text;    // all of it in a sentence
};

// Runs `launch` once and waits for its kernels. Returns the counters of all kernels that it launched, added
// up; nullopt on a GPU. *proved, unless it is null, becomes the worst of what is proved of these kernels; the
// checks watch them for that, which takes time. The build links counters_sim.cpp or counters_gpu.cpp.
std::optional<Counters> count_launches(const std::function<void()>& launch, Proved* proved = nullptr);

// How long a GPU would take, from a model of that GPU (gpusim/report.h, Prediction).
struct Predicted {
  double milliseconds = 0;
  double copy_gigabytes_per_second = 0;  // what a copy of 1 GiB reads and writes on that GPU
  double error = 0;      // as a share of the time: nine in ten known times are no further off; 0: unknown
  std::string machine;   // "NVIDIA H200"
  std::string compiler;  // the compiler of the kernels' PTX, "clang 14"; empty: not known
  std::string why;       // what decides the time: a sentence
  // The cost without which the longest kernel would be shortest: "bank conflicts"; empty: none makes up 5 %.
  std::string saving;
  double saved_part = 0;  // of that kernel's time
  // The GPU whose model that of `machine` is derived from, "h100"; empty: `machine` was measured.
  std::string derived_from;
};

// Call this before the program asks the GPU anything: from then on the simulated GPU answers as the GPU whose
// times are predicted.
void prepare_predictions();
// From this call on, profiles say what share of the predicted time each line has.
void predict_profiled_launches();

// Runs some blocks of each kernel that `launch` launches, and predicts how long the whole kernels would take
// together. Results stay unfinished. nullopt on a GPU.
std::optional<Predicted> predict_launches(const std::function<void()>& launch);

// The launches counted so far, each with the counters of its source lines, and with what is proved of it if
// count_launches was asked for that. One is text for people, with ANSI
// colours or without (to_profile in gpusim/report.h); the other a JSON array for programs (to_json). "" on a
// GPU.
std::string profile_text(bool colour);
std::string profile_json();

// Runs `launch` once, like count_launches. Returns what block 0 of each kernel did, as JSON (json() in
// gpusim/trace.h); "" on a GPU. If a kernel that runs by a schedule (GPUSIM_SCHEDULE) goes wrong and so ends
// the program, `at_end` gets what it did until then.
std::string trace_launches(const std::function<void()>& launch,
                           const std::function<void(const std::string&)>& at_end = {});

}  // namespace harness
// SPDX-License-Identifier: MIT
