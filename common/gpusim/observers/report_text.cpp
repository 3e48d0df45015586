// to_text: a report for people. The totals of the launch, then the source lines that cost most.
#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <utility>

#include "gpusim/report.h"

namespace gpusim {
namespace {

constexpr std::size_t kMostLines = 40;     // more do not fit on one screen
constexpr std::size_t kSourceColumns = 60;

__attribute__((format(printf, 2, 3))) void append(std::string& out, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  out.append(text, std::min<std::size_t>(std::max(length, 0), sizeof text - 1));
}

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

// "256", "32 x 8", "16 x 16 x 4"
std::string extent(const unsigned (&size)[3]) {
  std::string text = std::to_string(size[0]);
  if (size[1] > 1 || size[2] > 1) text += " x " + std::to_string(size[1]);
  if (size[2] > 1) text += " x " + std::to_string(size[2]);
  return text;
}

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
  const std::pair<const char*, std::uint64_t> only_if_used[] = {
      {"warp syncs", c.warp_syncs}, {"shuffles", c.shuffles}, {"votes", c.votes}};
  for (const auto& [what, count] : only_if_used) {
    if (count == 0) continue;
    append_count(out, what, count);
    out += '\n';
  }
  append_sectors(out, "global loads", c.global.load);
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

// Relative to the current directory for a file below it; else as the compiler wrote it.
std::string shortened(const std::string& file) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const auto relative = std::filesystem::path(file).lexically_relative(here).lexically_normal();
  const bool is_below = !ignored && !relative.empty() && *relative.begin() != "..";
  return is_below ? relative.string() : file;
}

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Without indentation, control characters, and what exceeds the column.
std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  std::size_t columns = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool starts_character = (text[bytes] & 0xc0) != 0x80;  // not a continuation byte of UTF-8
    if (starts_character && columns++ == kSourceColumns) break;
  }
  text.resize(bytes);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

void append_line(std::string& out, const LineReport& line, const std::string& source) {
  const Counters& c = line.counters;
  const std::uint64_t requests = c.global.load.requests + c.global.store.requests;
  const std::uint64_t sectors = c.global.load.sectors + c.global.store.sectors;
  char per_request[32] = "-";
  const double mean = requests ? double(sectors) / double(requests) : 0.0;
  if (requests != 0) std::snprintf(per_request, sizeof per_request, "%.2f", mean);
  const bool uses_banks = c.shared.load.requests + c.shared.store.requests != 0;
  const std::string conflicts = uses_banks ? grouped(c.shared.bank_conflicts()) : "-";
  std::string row;
  const std::string number = line.line ? std::to_string(line.line) : "-";
  append(row, "  %6s %14s %6.1f %15s %14s  ", number.c_str(), grouped(c.warp_instructions).c_str(),
         c.active_lanes(), per_request, conflicts.c_str());
  row += source;
  row.erase(row.find_last_not_of(' ') + 1);
  out += row + '\n';
}

}  // namespace

std::string to_text(const Report& r) {
  std::string out = "gpusim launch " + std::to_string(r.launch) + ": " + r.kernel;
  out += ", grid " + extent(r.grid) + ", block " + extent(r.block);
  if (r.shared_bytes != 0) append(out, ", %u B shared per block", r.shared_bytes);
  if (r.local_bytes != 0) append(out, ", %u B local per thread", r.local_bytes);
  out += r.completed ? "\n" : ", stopped by a fault\n";
  append_totals(out, r.total);
  if (r.lines.empty()) return out;

  append(out, "  %6s %14s %6s %15s %14s  source\n", "line", "executions", "lanes", "sectors/request",
         "bank conflicts");
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
    append_line(out, *line, is_known ? trimmed(text[line->line - 1]) : "");
  }
  const std::size_t hidden = r.lines.size() - shown.size();
  if (hidden != 0) append(out, "  … and %zu lines that cost less\n", hidden);
  return out;
}

}  // namespace gpusim
