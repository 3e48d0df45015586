#include "harness/report.h"

#include <cstdio>
#include <cstdlib>

#include "harness/check.h"

namespace harness {

Report::Report(const Options& options) : options_(options) {
  summary_.program = options.program;
  summary_.description = options.summary;
  summary_.device = device_info();
  summary_.n = options.n;
  summary_.seed = options.seed;
}

void Report::measure(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                     const std::function<void()>& prepare) {
  SummaryRow row;
  row.kernel = kernel;
  row.bytes = static_cast<double>(bytes);
  if (prepare) {
    prepare();
    check_launch("what prepares " + kernel, options_.program);
  }
  row.counters = count_launches([&] {
    launch();
    check_launch(kernel, options_.program);
  });
  row.timing = time_launch(launch, prepare, options_.repeat);
  if (row.timing && !summary_.copy_gigabytes_per_second) {
    summary_.copy_gigabytes_per_second = copy_ceiling(sizeof(float) * options_.n, options_.repeat);
  }
  summary_.rows.push_back(std::move(row));
  judged_ = false;
}

void Report::measure_step(const std::string& kernel, std::size_t bytes, const std::function<void()>& launch,
                          const std::function<void()>& prepare) {
  measure(kernel, bytes, launch, prepare);
  summary_.rows.back().is_step = true;
}

void Report::verify(const Verdict& verdict) {
  if (summary_.rows.empty()) {
    std::fprintf(stderr, "%s: verify() needs a measured kernel before it\n", options_.program.c_str());
    std::exit(kExitFailed);
  }
  SummaryRow& row = summary_.rows.back();
  if (judged_ && !row.verified) return;  // the first thing that went wrong tells most
  row.verified = verdict.ok;
  row.message = verdict.message;
  judged_ = true;
}

int Report::finish() const {
  const std::string text = options_.json ? to_json(summary_) : to_table(summary_);
  std::fputs(text.c_str(), stdout);
  return summary_.all_verified() ? 0 : kExitFailed;
}

}  // namespace harness
