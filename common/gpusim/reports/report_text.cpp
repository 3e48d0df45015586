// to_text: a report for people. The totals of the launch, then the source lines that cost most.
#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "gpusim/report.h"
#include "ptx/paths.h"
#include "reports/text.h"

namespace gpusim {
namespace {

constexpr std::size_t kMostLines = 40;  // more do not fit on one screen
constexpr std::size_t kSourceColumns = 60;
static_assert(std::ranges::all_of(kCounters,
                                  [](const CounterRow& row) {
                                    return !row.places.total ||
                                           std::string_view(row.places.total).size() <= 17;
                                  }),
              "a label of the report has at most 17 characters");

// "  global loads        1,048,576"; the rest of the row follows.
void append_count(std::string& out, const char* what, std::uint64_t count) {
  append(out, "  %-17s %14s", what, grouped(count).c_str());
}

// "  global loads        1,048,576 requests      4,194,304 sectors     "
void append_traffic(std::string& out, const char* what, std::uint64_t requests, std::uint64_t count,
                    const char* unit) {
  append_count(out, what, requests);
  append(out, " requests %14s %-12s", grouped(count).c_str(), unit);
}

void append_sectors(std::string& out, const char* what, const SectorTraffic& t) {
  if (t.requests == 0) return;
  append_traffic(out, what, t.requests, t.sectors, "sectors");
  const double ideal = double(t.ideal_sectors) / double(t.requests);
  append(out, "%.2f per request, ideal %.2f\n", t.sectors_per_request(), ideal);
}

void append_banks(std::string& out, const char* what, const BankTraffic& t) {
  if (t.requests == 0) return;
  append_traffic(out, what, t.requests, t.wavefronts, "wavefronts");
  append(out, "%s bank conflicts\n", grouped(t.bank_conflicts()).c_str());
}

void append_waits(std::string& out, const GlobalCounters& c) {
  if (c.load_waits == 0) return;
  append_count(out, "waits for loads", c.load_waits);
  append(out, " with %.2f loads in flight\n", c.loads_in_flight());
}

template <class SpaceCounters>  // GlobalCounters or SharedCounters
void append_atomics(std::string& out, const char* what, const SpaceCounters& c) {
  if (c.atomics == 0) return;
  append_traffic(out, what, c.atomics, c.atomic_lanes, "lanes");
  append(out, "%s serialised\n", grouped(c.atomic_serialised).c_str());
}

void append_totals(std::string& out, const Counters& c) {
  append_count(out, "warp instructions", c.warp_instructions);
  append(out, " with %.1f of 32 lanes on\n", c.active_lanes());
  append_count(out, "branches", c.branches);
  append(out, " of which %s diverge\n", grouped(c.divergent_branches).c_str());
  append_count(out, "barriers", c.barriers);
  out += '\n';
  for (const CounterRow& row : kCounters) {
    if (!row.places.total || row.value(c) == 0) continue;
    append_count(out, row.places.total, u64(row.value(c)));
    out += '\n';
  }
  append_sectors(out, "global loads", c.global.load);
  append_waits(out, c.global);
  append_sectors(out, "global stores", c.global.store);
  append_atomics(out, "global atomics", c.global);
  append_banks(out, "shared loads", c.shared.load);
  append_banks(out, "shared stores", c.shared.store);
  append_atomics(out, "shared atomics", c.shared);
  append_sectors(out, "local loads", c.local.load);
  append_sectors(out, "local stores", c.local.store);
}

// What a person can act on in a line: instructions issued, and passes that its memory accesses take.
std::uint64_t cost(const LineReport& line) {
  const Counters& c = line.counters;
  return c.warp_instructions + c.global.load.sectors + c.global.store.sectors + c.global.atomic_serialised +
         c.shared.load.wavefronts + c.shared.store.wavefronts + c.shared.atomic_serialised +
         c.local.load.sectors + c.local.store.sectors;
}

std::vector<const LineReport*> costliest(const std::vector<LineReport>& lines) {
  std::vector<const LineReport*> chosen;
  for (const LineReport& line : lines) chosen.push_back(&line);
  if (chosen.size() <= kMostLines) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const LineReport* a, const LineReport* b) { return cost(*a) > cost(*b); });
  chosen.resize(kMostLines);
  std::sort(chosen.begin(), chosen.end());  // back to the order of file and line
  return chosen;
}

// The source without its indentation.
std::string trimmed(const std::string& source) {
  const std::size_t indentation = std::min(source.find_first_not_of(" \t"), source.size());
  return printable(source.substr(indentation), kSourceColumns);
}

void append_line(std::string& out, const LineReport& line, const std::string& source, bool is_predicted) {
  std::string row;
  append(row, "  %6s", (line.line ? std::to_string(line.line) : "-").c_str());
  for (const CounterRow& counter : kCounters)
    if (const CounterPlaces::Column& column = counter.places.lines; column.heading)
      append(row, " %*s", column.width, cell_of(counter, column, line.counters).c_str());
  row += "  ";
  if (is_predicted) append(row, "%4.0f %%  ", 100 * line.time_share);
  row += source;
  row.erase(row.find_last_not_of(' ') + 1);
  out += row + '\n';
}

}  // namespace

std::string to_text(const std::vector<LinkTraffic>& links) {
  std::string out;
  for (const LinkTraffic& link : links) {
    const std::string name = "GPU " + std::to_string(link.from) + " to " + std::to_string(link.to);
    append_traffic(out, name.c_str(), link.requests, link.bytes, "bytes");
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
  }
  return out;
}

std::string to_text(const Report& r) {
  std::string out = "gpusim launch " + std::to_string(r.launch);
  if (r.is_one_of_several) out += " on GPU " + std::to_string(r.gpu);
  out += ": " + launch_line(r);
  append_prediction(out, r);
  append_totals(out, r.total);
  out += to_text(r.links);
  if (r.lines.empty()) return out;

  const bool is_predicted = !r.prediction.machine.empty();
  append(out, "  %6s", "line");
  for (const CounterRow& counter : kCounters)
    if (const CounterPlaces::Column& column = counter.places.lines; column.heading)
      append(out, " %*s", column.width, column.heading);
  append(out, "  %ssource\n", is_predicted ? "time    " : "");
  std::map<std::string, std::vector<std::string>> sources;
  const std::vector<const LineReport*> shown = costliest(r.lines);
  const std::string* file = nullptr;
  for (const LineReport* line : shown) {
    if (!file || *file != line->file) {
      file = &line->file;
      out += "  " + (file->empty() ? std::string("(no source line)") : shortened(*file)) + '\n';
      sources.try_emplace(*file, read_lines(*file));
    }
    const std::vector<std::string>& text = sources[*file];
    const bool is_known = line->line > 0 && std::size_t(line->line) <= text.size();
    append_line(out, *line, is_known ? trimmed(text[line->line - 1]) : "", is_predicted);
  }
  const std::size_t hidden = r.lines.size() - shown.size();
  if (hidden != 0) append(out, "  … and %zu lines that cost less\n", hidden);
  return out;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
