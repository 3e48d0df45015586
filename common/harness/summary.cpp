#include "harness/summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "harness/counter_name.h"

namespace harness {
namespace {

using Json = nlohmann::ordered_json;

using Value = std::optional<double>;

// 1048576 -> "1,048,576"; other values with `decimals` digits.
std::string format_number(double value, int decimals) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string number = text;
  const std::size_t end = std::min(number.find('.'), number.size());
  const std::size_t begin = number[0] == '-' ? 1 : 0;
  for (std::size_t i = end; i > begin + 3; i -= 3) number.insert(i - 3, ",");
  return number;
}

std::optional<double> percent_of_copy(const SummaryRow& row, const Summary& summary) {
  const auto copy = summary.copy_gigabytes_per_second;
  if (!row.timing || !copy || *copy <= 0) return std::nullopt;
  return 100 * *row.bandwidth() / *copy;
}

// Counters that have a column, in the order of the columns. They are shown when the device counts, and times
// when it is timed.
std::vector<const gpusim::CounterRow*> counter_columns() {
  std::vector<const gpusim::CounterRow*> columns;
  for (const gpusim::CounterRow& row : gpusim::kCounters)
    if (row.places.program_heading) columns.push_back(&row);
  std::ranges::sort(columns, {}, [](const gpusim::CounterRow* row) { return row->places.program_column; });
  return columns;
}

struct TimeColumn {
  const char* heading;
  Value (*value)(const SummaryRow&, const Summary&);
  int decimals;
};
constexpr TimeColumn kTimeColumns[] = {
    {"median ms", [](const SummaryRow& row, const Summary&) -> Value { return row.timing->median; }, 4},
    {"q1 ms", [](const SummaryRow& row, const Summary&) -> Value { return row.timing->q1; }, 4},
    {"q3 ms", [](const SummaryRow& row, const Summary&) -> Value { return row.timing->q3; }, 4},
    {"GB/s", [](const SummaryRow& row, const Summary&) -> Value { return row.bandwidth(); }, 1},
    {"% of copy", percent_of_copy, 1},
};
constexpr TimeColumn kTeraflops = {
    "TFLOP/s", [](const SummaryRow& row, const Summary&) -> Value { return row.teraflops(); }, 2};

// Cells of equal width in each column; the first two columns are names, the others numbers. All cells are
// ASCII.
std::string align(const std::vector<std::vector<std::string>>& lines) {
  std::vector<std::size_t> widths(lines[0].size(), 0);
  for (const auto& cells : lines) {
    for (std::size_t c = 0; c < cells.size(); ++c) widths[c] = std::max(widths[c], cells[c].size());
  }
  std::string text;
  for (const auto& cells : lines) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      const std::string padding(widths[c] - cells[c].size(), ' ');
      const bool last = c + 1 == cells.size();
      text += c < 2 ? cells[c] + (last ? "" : padding) : padding + cells[c];
      text += last ? "\n" : "  ";
    }
  }
  return text;
}

Json number(double value) {
  const bool whole = std::floor(value) == value && std::fabs(value) < 0x1p53;
  return whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
}

Json number(Value value) { return value ? Json(*value) : Json(nullptr); }

Json counters_json(const std::optional<Counters>& counters) {
  if (!counters) return nullptr;
  Json json = Json::object();
  for (const Counter& counter : counters->list()) json[counter.name] = number(counter.value);
  return json;
}

// "25 %"
std::string error_cell(const Predicted& predicted) {
  return predicted.error > 0 ? format_number(100 * predicted.error, 0) + " %" : "unknown";
}

// Whether the row has a predicted time. It has none if only a library's kernels ran.
bool has_prediction(const SummaryRow& row) { return row.predicted && !row.predicted->machine.empty(); }

// The line below a table of times: how they were found, and what their error means.
std::string about_predictions(const Predicted& predicted) {
  const std::string from = predicted.compiler.empty() ? "" : " from the PTX of " + predicted.compiler;
  const std::string computed =
      "omputed by a model" + from + ", not measured; only some blocks of a large grid ran\n";
  const std::string begin = "\npredicted for an " + predicted.machine;
  if (predicted.error <= 0) return begin + ", by how much it is off is not known: c" + computed;
  const std::string error = "± " + error_cell(predicted);
  if (predicted.derived_from.empty())
    return begin + ", " + error +
           " (nine in ten predictions that were compared with measured times were at least this close): c" +
           computed;
  return begin + ". This GPU has not been measured: its model is derived from that of " +
         predicted.derived_from + ". " + error +
         " is that of an H200 derived from an H100, and back; this GPU may be further off. C" + computed;
}

std::optional<double> percent_of_copy(const Predicted& predicted, double bytes) {
  if (predicted.copy_gigabytes_per_second <= 0 || predicted.milliseconds <= 0) return std::nullopt;
  return 100 * gigabytes_per_second(bytes, predicted.milliseconds) / predicted.copy_gigabytes_per_second;
}

// "waiting at barriers…; could save 34 %: barriers"
std::string reason_of(const Predicted& predicted) {
  if (predicted.saving.empty()) return predicted.why;
  return predicted.why + "; could save " + format_number(100 * predicted.saved_part, 0) +
         " %: " + predicted.saving;
}

Json proof_json(const Proved& proved) {
  return {{"verdict", proved.verdict},
          {"file", proved.file.empty() ? Json(nullptr) : Json(proved.file)},
          {"line", proved.line},
          {"reason", proved.reason}};
}

Json predicted_json(const SummaryRow& row) {
  return {{"milliseconds", row.predicted->milliseconds},
          {"error", row.predicted->error > 0 ? Json(row.predicted->error) : Json(nullptr)},
          {"gigabytes_per_second", gigabytes_per_second(row.bytes, row.predicted->milliseconds)},
          {"percent_of_copy", number(percent_of_copy(*row.predicted, row.bytes))},
          {"machine", row.predicted->machine},
          {"derived_from",
           row.predicted->derived_from.empty() ? Json(nullptr) : Json(row.predicted->derived_from)},
          {"compiler", row.predicted->compiler},
          {"why", row.predicted->why},
          {"saving", row.predicted->saving.empty() ? Json(nullptr) : Json(row.predicted->saving)},
          {"saved_part", row.predicted->saved_part}};
}

Json timing_json(const SummaryRow& row, const Summary& summary) {
  if (!row.timing) return nullptr;
  Json json = {{"milliseconds", row.timing->median},
               {"q1", row.timing->q1},
               {"q3", row.timing->q3},
               {"samples", row.timing->samples},
               {"gigabytes_per_second", *row.bandwidth()},
               {"percent_of_copy", number(percent_of_copy(row, summary))}};
  if (const auto teraflops = row.teraflops()) json["teraflops"] = *teraflops;
  return json;
}

}  // namespace

std::optional<double> SummaryRow::bandwidth() const {
  if (!timing) return std::nullopt;
  return gigabytes_per_second(bytes, timing->median);
}

std::optional<double> SummaryRow::teraflops() const {
  if (!timing || operations == 0 || timing->median <= 0) return std::nullopt;
  return operations / timing->median * 1e-9;  // a millisecond is 10^-3 s
}

bool Summary::all_verified() const {
  return std::all_of(rows.begin(), rows.end(),
                     [](const SummaryRow& row) { return row.verified || row.predicted; });
}

std::string to_table(const Summary& summary) {
  const auto has = [&](const auto& member) {
    return std::any_of(summary.rows.begin(), summary.rows.end(),
                       [&](const SummaryRow& row) { return (row.*member).has_value(); });
  };
  const bool counted = has(&SummaryRow::counters), timed = has(&SummaryRow::timing);
  std::vector<TimeColumn> times(std::begin(kTimeColumns), std::end(kTimeColumns));
  if (std::any_of(summary.rows.begin(), summary.rows.end(),
                  [](const SummaryRow& row) { return row.operations > 0; }))
    times.push_back(kTeraflops);

  std::vector<std::vector<std::string>> lines = {{"kernel", "result"}};
  if (counted)
    for (const gpusim::CounterRow* column : counter_columns())
      lines[0].push_back(column->places.program_heading);
  if (timed)
    for (const TimeColumn& column : times) lines[0].push_back(column.heading);
  const bool predicted = has(&SummaryRow::predicted);
  if (predicted) lines[0].insert(lines[0].end(), {"predicted ms", "error", "predicted GB/s", "% of copy"});

  std::string failures, reasons, proofs;
  for (const SummaryRow& row : summary.rows) {
    std::vector<std::string> cells = {row.kernel, row.predicted ? "-" : row.verified ? "ok" : "WRONG"};
    const auto add = [&](Value value, int decimals) {
      cells.push_back(value ? format_number(*value, decimals) : "-");
    };
    if (counted) {
      for (const gpusim::CounterRow* column : counter_columns()) {
        add(row.counters ? Value(row.counters->at(counter_name(*column))) : std::nullopt, column->decimals);
      }
    }
    if (timed) {
      for (const TimeColumn& column : times) {
        add(row.timing ? column.value(row, summary) : std::nullopt, column.decimals);
      }
    }
    if (predicted) {
      const bool has = has_prediction(row);
      add(has ? Value(row.predicted->milliseconds) : std::nullopt, 4);
      cells.push_back(has ? error_cell(*row.predicted) : "-");
      add(has ? Value(gigabytes_per_second(row.bytes, row.predicted->milliseconds)) : std::nullopt, 1);
      add(has ? percent_of_copy(*row.predicted, row.bytes) : std::nullopt, 1);
      if (row.predicted)
        reasons += row.kernel + ": " + (has ? reason_of(*row.predicted) : "no kernel runs") + "\n";
    }
    lines.push_back(std::move(cells));
    if (row.proved) proofs += row.kernel + ": " + row.proved->text + "\n";
    if (!row.verified && !row.predicted) failures += row.kernel + ": " + row.message + "\n";
  }

  std::string text = summary.program + ": " + summary.description + "\n" + summary.device.name +
                     ", n = " + format_number(summary.n, 0) + ", seed " + std::to_string(summary.seed) +
                     "\n\n" + align(lines);
  if (summary.copy_gigabytes_per_second) {
    text += "a copy on this device reads and writes " + format_number(*summary.copy_gigabytes_per_second, 1) +
            " GB/s\n";
  }
  const auto with_kernel = std::find_if(summary.rows.begin(), summary.rows.end(), has_prediction);
  if (with_kernel != summary.rows.end()) text += about_predictions(*with_kernel->predicted) + reasons;
  return text + (summary.shows_proofs ? proofs : "") + failures;
}

std::string to_json(const Summary& summary) {
  Json rows = Json::array();
  for (const SummaryRow& row : summary.rows) {
    rows.push_back({{"kernel", row.kernel},
                    {"step", row.is_step},
                    {"verified", row.verified},
                    {"message", row.message},
                    {"counters", counters_json(row.counters)},
                    {"timing", timing_json(row, summary)}});
    if (row.proved) rows.back()["proof"] = proof_json(*row.proved);
    if (row.predicted) rows.back()["predicted"] = predicted_json(row);
  }
  const DeviceInfo& device = summary.device;
  const Json json = {
      {"program", summary.program},
      {"device",
       {{"name", device.name},
        {"simulated", device.simulated},
        {"cuda", device.cuda.empty() ? Json(nullptr) : Json(device.cuda)}}},
      {"n", summary.n},
      {"seed", summary.seed},
      {"copy_gigabytes_per_second", number(summary.copy_gigabytes_per_second)},
      {"rows", std::move(rows)},
  };
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace harness
// SPDX-License-Identifier: MIT
