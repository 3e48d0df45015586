// What the simulated GPU counts while a kernel runs, by name. A GPU counts nothing for us (ask ncu): there is
// no result there, and a test says "not counted on a GPU".
//
//   const auto counters = harness::count_launches([&] { sum_tile<<<blocks, kBlock>>>(d_in, d_sums, n); });
//   if (counters) CHECK(counters->at("shared_bank_conflicts") == 0);
//
// Counters of one source line: gpusim/report.h, whose reports() keeps the same launches.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

// Named after its member in gpusim/report.h: global.load.sectors is "global_load_sectors". Besides these
// there are "launches" and "blocks".
struct Counter {
  std::string name;
  double value = 0;  // a count (exact up to 2^53) or a mean
};

class Counters {
 public:
  explicit Counters(std::vector<Counter> list) : list_(std::move(list)) {}
  const std::vector<Counter>& list() const { return list_; }
  // Throws std::out_of_range, with the name, for one that does not exist.
  double at(const std::string& name) const;

 private:
  std::vector<Counter> list_;
};

// Runs `launch` once and waits for its kernels; the counters of all kernels that it launched, added up.
// nullopt on a GPU. The build links counters_sim.cpp or counters_gpu.cpp.
std::optional<Counters> count_launches(const std::function<void()>& launch);

// How long a GPU would take, from a model of that GPU (gpusim/report.h, Prediction).
struct Predicted {
  double milliseconds = 0;
  double copy_gigabytes_per_second = 0;  // of that GPU: what a copy of 1 GiB reads and writes
  double error = 0;      // of it, a part: nine in ten of known truth are no further off; 0: unknown
  std::string machine;   // "NVIDIA H200"
  std::string compiler;  // that made the kernels' PTX, "clang 14"; empty: not known
  std::string why;       // what decides it: a sentence
};

// To be called before a program asks the GPU anything: the simulated one then answers as the one whose times are predicted.
void prepare_predictions();
// From now on profiles say what share of the predicted time each line has.
void predict_profiled_launches();

// Runs some blocks of each kernel that `launch` launches, which leaves results unfinished, and predicts how long all of
// them would take together. nullopt on a GPU.
std::optional<Predicted> predict_launches(const std::function<void()>& launch);

// The launches counted so far, each with the counters of its source lines: as text for people, with ANSI
// colours or without (gpusim/report.h, to_profile), and as a JSON array for programs (to_json). "" on a GPU.
std::string profile_text(bool colour);
std::string profile_json();

// Runs `launch` once, like count_launches. What block 0 of each kernel did, as JSON (gpusim/trace.h, json());
// "" on a GPU.
std::string trace_launches(const std::function<void()>& launch);

}  // namespace harness
