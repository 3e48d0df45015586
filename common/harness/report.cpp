#include "harness/report.h"

#include <cstdio>
#include <cstdlib>

#include "harness/check.h"
#include "harness/output_file.h"

namespace harness {

Report::Report(const Options& options) : options_(options) {
  summary_.program = options.program;
  summary_.description = options.summary;
  summary_.device = device_info();
  summary_.n = options.n;
  summary_.seed = options.seed;
  summary_.shows_proofs = options.proof;
  if (options.profile) predict_profiled_launches();
}

void Report::measure(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                     const std::function<void()>& prepare) {
  measure_row(kernel, bytes, launch, prepare, false);
}

void Report::measure_step(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                          const std::function<void()>& prepare) {
  measure_row(kernel, bytes, launch, prepare, true);
}

void Report::measure_row(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                         const std::function<void()>& prepare, bool is_step) {
  left_out_ = options_.only_step && !is_step;
  if (left_out_) return;
  SummaryRow row;
  row.kernel = kernel;
  row.is_step = is_step;
  row.bytes = static_cast<double>(bytes);
  if (prepare) {
    prepare();
    check_launch("what prepares " + kernel, options_.program);
  }
  if (options_.predict) {
    row.predicted = predict_launches([&] {
      launch();
      check_launch(kernel, options_.program);
    });
    summary_.rows.push_back(std::move(row));
    judged_ = false;
    return;
  }
  const auto count = [&] {
    Proved proved;
    const bool proves = options_.profile || (options_.proof && is_step);
    row.counters = count_launches(
        [&] {
          launch();
          check_launch(kernel, options_.program);
        },
        proves ? &proved : nullptr);
    if (!proved.verdict.empty()) row.proved = proved;
  };
  if (is_step && !options_.trace_file.empty() && trace_.empty()) {
    trace_ = trace_launches(count, [&](const std::string& trace) { write_file(options_.trace_file, trace); });
  } else {
    count();
  }
  row.timing = time_launch(launch, prepare, options_.repeat);
  if (row.timing && !summary_.copy_gigabytes_per_second) {
    summary_.copy_gigabytes_per_second = copy_ceiling(sizeof(float) * options_.n, options_.repeat);
  }
  summary_.rows.push_back(std::move(row));
  judged_ = false;
}

void Report::operations(double count) {
  if (!left_out_ && !summary_.rows.empty()) summary_.rows.back().operations = count;
}

void Report::verify(const Verdict& verdict) {
  if (left_out_ || options_.predict) return;  // results are unfinished
  if (summary_.rows.empty()) {
    std::fprintf(stderr, "%s: verify() needs a measured kernel before it\n", options_.program.c_str());
    std::exit(kExitFailed);
  }
  SummaryRow& row = summary_.rows.back();
  if (judged_ && !row.verified) return;  // the first bad verdict stays: later ones may only follow from it
  row.verified = verdict.ok;
  row.message = verdict.message;
  judged_ = true;
}

int Report::finish() const {
  const bool written = write_files();
  const std::string text = options_.json ? to_json(summary_) : to_table(summary_);
  std::fputs(text.c_str(), stdout);
  if (options_.profile && options_.profile_file.empty()) {
    std::fputs(profile_text(stdout_shows_colour()).c_str(), stdout);
  }
  return !written ? kExitBadOption : summary_.all_verified() ? 0 : kExitFailed;
}

// Writes the files that were asked for. If one cannot be written, prints a line about it on stderr and
// returns false.
bool Report::write_files() const {
  bool written = true;
  const auto write = [&](const char* option, const std::string& file, const std::string& text) {
    const std::string what = write_file(file, text);
    if (what.empty()) return;
    std::fprintf(stderr, "%s: %s: %s\n", options_.program.c_str(), option, what.c_str());
    written = false;
  };
  if (!options_.profile_file.empty()) write("--profile", options_.profile_file, profile_json());
  if (!options_.trace_file.empty()) write("--trace", options_.trace_file, trace_.empty() ? "[]\n" : trace_);
  return written;
}

}  // namespace harness
// SPDX-License-Identifier: MIT
