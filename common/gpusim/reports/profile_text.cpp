// to_profile: the source of a kernel with what each line did beside it, like the source view of a profiler.
#include <algorithm>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "gpusim/proof.h"
#include "gpusim/report.h"
#include "ptx/paths.h"
#include "reports/text.h"

namespace gpusim {
namespace {

constexpr std::size_t kQuotedColumns = 110;
constexpr int kLongestGap = 20;  // lines without counters; a longer gap is two functions, shown apart

enum class Ink { plain, faint, bold, warning, alarm };

// ANSI escape sequences: "Select Graphic Rendition" of ECMA-48.
const char* escape_of(Ink ink) {
  switch (ink) {
    case Ink::faint: return "\033[2m";
    case Ink::bold: return "\033[1m";
    case Ink::warning: return "\033[33m";
    case Ink::alarm: return "\033[31m";
    default: return "";
  }
}

// When a number in a column is highlighted. Counters without a row here are printed plainly.
struct Marked {
  const CounterRow* row;
  Ink (*ink)(const Counters& line, const Counters& total);
};
constexpr Marked kMarked[] = {
    {counter_row("warp_instructions"),
     [](const Counters& line, const Counters& total) {
       return line.warp_instructions * 10 >= total.warp_instructions ? Ink::bold : Ink::plain;
     }},
    {counter_row("active_lanes"),
     [](const Counters& line, const Counters&) {
       return line.active_lanes() < 16 ? Ink::alarm : line.active_lanes() < 31.95 ? Ink::warning : Ink::plain;
     }},
    {counter_row("global.sectors_per_request"),
     [](const Counters& line, const Counters&) {
       const u64 sectors = line.global.load.sectors + line.global.store.sectors;
       const u64 ideal = line.global.load.ideal_sectors + line.global.store.ideal_sectors;
       return sectors >= 2 * ideal && sectors != 0 ? Ink::alarm : sectors > ideal ? Ink::warning : Ink::plain;
     }},
    {counter_row("shared.bank_conflicts"),
     [](const Counters& line, const Counters&) {
       return line.shared.bank_conflicts() != 0 ? Ink::alarm : Ink::plain;
     }},
};
Ink ink_of(const CounterRow& row, const Counters& line, const Counters& total) {
  const auto found = std::ranges::find(kMarked, &row, &Marked::row);
  return found == std::end(kMarked) ? Ink::plain : found->ink(line, total);
}

class Listing {
 public:
  Listing(const Report& report, const Proof* proof, bool colour) : report_(report), colour_(colour) {
    if (!proof) return;
    append_proof(proof_text_, *proof);
    for (const Conclusion& obstacle : proof->obstacles) mark(obstacle);
    const Conclusion& all = proof->compiled;
    if (std::ranges::none_of(proof->obstacles, [&](const Conclusion& o) { return o.reason == all.reason; }))
      mark(all);
  }

  std::string text() {
    out_ = launch_line(report_);
    append_prediction(out_, report_);
    if (is_predicted()) {
      append(out_, "  %-17s each line's share of that prediction", "time");
      if (report_.prediction.error > 0) append(out_, ", with its ± %.0f %%", 100 * report_.prediction.error);
      out_ += '\n';
    }
    out_ += proof_text_;
    for (const CounterRow& row : kCounters)
      if (row.places.profile.heading) pad(row.places.profile.heading, row.places.profile.width);
    if (is_predicted()) pad(kTime, kTimeWidth);
    out_ += "  line | source\n";
    std::map<std::string, std::map<int, Line>> files;
    for (const LineReport& line : report_.lines) {
      Line& of = files[line.file][line.line];
      of.counters += line.counters;
      of.time_share += line.time_share;
    }
    for (const auto& [file, lines] : files) list(file, lines);
    return std::move(out_);
  }

 private:
  struct Line {
    Counters counters;
    double time_share = 0;
  };
  static constexpr const char* kTime = "time";  // of all warps, predicted
  static constexpr int kTimeWidth = 8;
  static constexpr double kMuchTime = 0.1;

  // What stands below a line of a file.
  void mark(const Conclusion& c) {
    if (c.place.file.empty() || c.place.line == 0) return;
    const char* what = c.verdict == Verdict::not_proved ? "prevents a proof: " : "the result may differ: ";
    constexpr std::string_view kWhere =
        "is where ";  // of a finding, in a sentence that begins with the place
    const bool is_finding = c.reason.starts_with(kWhere);
    marks_[{c.place.file, c.place.line}].push_back(
        what + (is_finding ? c.reason.substr(kWhere.size()) + " here" : c.reason));
  }

  bool is_predicted() const { return !report_.prediction.machine.empty(); }

  void list(const std::string& file, const std::map<int, Line>& lines) {
    put(file.empty() ? "(no source line)" : shortened(file), Ink::bold);
    out_ += '\n';
    const std::vector<std::string> source = read_lines(file);
    int previous = lines.begin()->first;
    for (const auto& [number, line] : lines) {
      if (number - previous > kLongestGap) {
        gutter(nullptr);
        put("   ...", Ink::faint);
        out_ += '\n';
      } else if (!source.empty()) {
        for (int between = previous + 1; between < number; ++between) {
          row(source, between, nullptr);
          marks_below(file, between);
        }
      }
      row(source, number, &line);
      marks_below(file, number);
      previous = number;
    }
  }

  void marks_below(const std::string& file, int number) {
    const auto marked = marks_.find({file, number});
    if (marked == marks_.end()) return;
    for (const std::string& text : marked->second) {
      gutter(nullptr);
      put("       | ", Ink::faint);
      put("^ " + text, Ink::warning);
      out_ += '\n';
    }
  }

  // Null: the line has no counters.
  void row(const std::vector<std::string>& source, int number, const Line* line) {
    gutter(line);
    std::string label;
    append(label, "%6s |", number > 0 ? std::to_string(number).c_str() : "-");
    put(label, Ink::faint);
    const bool is_known = number > 0 && std::size_t(number) <= source.size();
    if (const std::string text = is_known ? printable(source[number - 1], kQuotedColumns) : "";
        !text.empty()) {
      out_ += ' ';
      put(text, line ? Ink::plain : Ink::faint);
    }
    out_ += '\n';
  }

  void gutter(const Line* line) {
    for (const CounterRow& row : kCounters) {
      const CounterPlaces::Column& column = row.places.profile;
      if (!column.heading) continue;
      if (line)
        pad(cell_of(row, column, line->counters), column.width, ink_of(row, line->counters, report_.total));
      else pad("", column.width);
    }
    if (!is_predicted()) return;
    std::string share;
    if (line) append(share, "%.0f %%", 100 * line->time_share);
    pad(share, kTimeWidth, line && line->time_share >= kMuchTime ? Ink::bold : Ink::plain);
  }

  void pad(const std::string& cell, int width, Ink ink = Ink::plain) {
    out_.append(std::size_t(width) - std::min<std::size_t>(width, cell.size()), ' ');
    put(cell, ink);
  }

  void put(const std::string& text, Ink ink) {
    const bool inked = colour_ && ink != Ink::plain && !text.empty();
    out_ += inked ? escape_of(ink) + text + "\033[0m" : text;
  }

  const Report& report_;
  const bool colour_;
  std::string proof_text_;
  std::map<std::pair<std::string, int>, std::vector<std::string>> marks_;  // by file and line
  std::string out_;
};

}  // namespace

std::string to_profile(const Report& report, bool colour) { return Listing(report, nullptr, colour).text(); }
std::string to_profile(const Report& report, const Proof& proof, bool colour) {
  return Listing(report, &proof, colour).text();
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
