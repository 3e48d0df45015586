// Measures kernels and reports them: one row for each, verified or not.
//
//   harness::Report report(options);
//   report.measure_step("sum_tile", bytes, [&] {
//     sum_tile<<<blocks, kBlock>>>(d_in.data(), d_sums.data(), n);
//   });
//   report.verify(harness::verify_blocks(d_sums.download(), input, kBlock, kDepth));
//   return report.finish();
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "harness/options.h"
#include "harness/reference.h"
#include "harness/summary.h"

namespace harness {

class Report {
 public:
  explicit Report(const Options& options);

  // Runs `launch` once with the counters on and, on a GPU, options.repeat more times with a clock. `bytes`
  // are the useful bytes that a run moves: inputs read plus results written, each once. `prepare` runs before
  // every run and restores what the kernel changes (a total that it adds to, an input that it overwrites). An
  // error in the kernel ends the program with one line.
  void measure(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
               const std::function<void()>& prepare = {});

  // The same for the kernel that the chapter is about: its row stands for the chapter in the tour.
  void measure_step(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                    const std::function<void()>& prepare = {});

  // Gives the kernel measured last its number of floating-point operations per run; a multiply-add counts as
  // two. The table then has a column TFLOP/s.
  void operations(double count);

  // Records whether the result of the kernel measured last is right. The first bad verdict counts if there
  // are several. A row without a verdict counts as wrong.
  void verify(const Verdict& verdict);

  // Writes the files of --profile and --trace, then prints the table (or JSON, with --json) and the profile.
  // Returns main's exit status: 0 only if every row was verified.
  int finish() const;

  const Summary& summary() const { return summary_; }

 private:
  void measure_row(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                   const std::function<void()>& prepare, bool is_step);
  bool write_files() const;

  Options options_;
  Summary summary_;
  bool left_out_ = false;  // the last kernel was not measured: --only-step asked for another one
  bool judged_ = false;    // the last row has a verdict
  std::string trace_;      // what the first step's kernel did; empty without --trace
};

}  // namespace harness
// SPDX-License-Identifier: MIT
