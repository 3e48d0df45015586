#include <gpusim/report.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "counts.h"
#include "harness/device_buffer.h"
#include "harness/inputs.h"

namespace judge {
namespace {

constexpr int kBlocks = 4;      // full ones; every block counts the same
constexpr int kLinesShown = 3;  // those that count most

// 95, or 63.5 when blocks differ.
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", value);
  return text;
}

std::string with_number(const std::string& sentence, double value) {
  const std::size_t place = sentence.find('#');
  return sentence.substr(0, place) + number(value) + sentence.substr(place + 1);
}

// "kernels.cuh:24: 94 a block", a line each, for the source lines that count most.
std::string costliest_lines(const nlohmann::json& report, const char* counter) {
  struct Line {
    std::string place;
    double per_block;
  };
  std::vector<Line> lines;
  for (const auto& line : report["lines"]) {
    const double count = line["counters"].at(counter);
    if (count == 0) continue;
    const std::string path = line["file"];
    const int number = line["line"];
    lines.push_back({path.substr(path.rfind('/') + 1) + ":" + std::to_string(number), count / kBlocks});
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Line& a, const Line& b) { return a.per_block > b.per_block; });
  if (lines.size() > kLinesShown) lines.resize(kLinesShown);
  std::string text;
  for (const Line& line : lines) text += "\n" + line.place + ": " + number(line.per_block) + " of them";
  return text;
}

}  // namespace

void check_counts(const SumKernel& kernel, const std::vector<Limit>& limits) {
  const int n = kBlocks * kernel.per_sum;
  harness::DeviceBuffer<float> d_in(harness::uniform_floats(n, 2));
  harness::DeviceBuffer<float> d_sums(kernel.count_of(n));

  gpusim::enable_reports();
  kernel.launch(d_in.data(), d_sums.data(), n);
  check_launch(std::string(kernel.name) + ", counted");
  const nlohmann::json report = nlohmann::json::parse(gpusim::to_json(gpusim::last_report()));
  gpusim::enable_reports(false);

  for (const Limit& limit : limits) {
    const double per_block = double(report["total"].at(limit.counter)) / kBlocks;
    if (per_block <= limit.per_block) continue;
    judge::report(Kind::unimproved, "it " + with_number(limit.does, per_block) + " (this chapter asks for " +
                                        std::to_string(limit.per_block) + ")" +
                                        costliest_lines(report, limit.counter));
  }
}

std::string last_fault() { return gpusim::last_fault(); }

}  // namespace judge
