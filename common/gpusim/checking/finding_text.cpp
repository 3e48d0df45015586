// Findings in words: places, blocks and threads, source lines with a caret.
#include <algorithm>
#include <cstdlib>

#include "base/files.h"
#include "base/position_text.h"
#include "checking/findings.h"
#include "ptx/paths.h"

namespace gpusim {
namespace {

std::string text_of(const Place& p) {
  std::string text = shortened(p.file) + ":" + std::to_string(p.line);
  if (p.column) text += ":" + std::to_string(p.column);
  return text;
}

// A source is anybody's: what would steer a terminal is shown as blanks. (Tabs stay, as they do in a compiler's messages.)
std::string harmless(std::string line) {
  for (std::size_t k = 0; k < line.size(); ++k) {
    const auto c = static_cast<unsigned char>(line[k]);
    const bool second =
        k + 1 < line.size() && c == 0xc2 && (static_cast<unsigned char>(line[k + 1]) & 0xe0) == 0x80;
    if (second) line[k + 1] = ' ';  // U+0080 to U+009F
    if (second || (c < 0x20 && c != '\t') || c == 0x7f) line[k] = ' ';
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// The source line and a caret, or nothing where the file cannot be read.
std::string quoted_source(const Place& p) {
  std::istringstream file = open_file(where_it_is(p.file));
  std::string line;
  for (int k = 0; k < p.line; ++k)
    if (!std::getline(file, line)) return "";
  if (p.line == 0) return "";
  line = harmless(line);
  std::string caret;
  for (int k = 0; k + 1 < p.column && k < int(line.size()); ++k)
    caret += line[std::size_t(k)] == '\t' ? '\t' : ' ';
  return "\n  " + line + (p.column ? "\n  " + caret + "^" : "");
}

}  // namespace

bool same_place(const Place& a, const Place& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

std::string to_text(const Finding& f) {
  std::string text = f.place.line ? text_of(f.place) + ": " : std::string("gpusim: ");
  if (f.severity == Severity::warning) text += "warning: ";
  text += f.check + ": " + f.message;
  if (f.other.line && !same_place(f.place, f.other))
    text += std::string(" (the other ") + (f.check == "race" ? "access" : "place") + ": " + text_of(f.other) +
            ")";
  if (!f.kernel.empty()) text += " [" + f.kernel + "]";
  text += quoted_source(f.place);
  for (const Place& call : f.place.called_at) text += "\n  called at " + text_of(call) + quoted_source(call);
  if (f.other.line && !same_place(f.place, f.other)) text += quoted_source(f.other);
  return text;
}

Place place_in(const std::string& message) {
  const std::size_t end = std::min(message.find(": "), message.size());
  Place p;
  const std::size_t column = message.rfind(':', end - 1);
  const std::size_t line =
      column == std::string::npos || column == 0 ? std::string::npos : message.rfind(':', column - 1);
  if (line == std::string::npos) return p;
  p.file = message.substr(0, line);
  p.line = std::atoi(message.c_str() + line + 1);
  p.column = std::atoi(message.c_str() + column + 1);
  return p;
}

std::string with_source_line(const std::string& message) {
  return message + quoted_source(place_in(message));
}

Place place_of(const Program& program, u32 pc) {
  if (pc >= program.lines.size()) return {};
  const auto place = [&](const SourceLine& at) -> Place {
    if (at.line == 0 || at.file >= program.files.size()) return {};
    return {program.files[at.file], int(at.line), int(at.column), {}};
  };
  std::vector<Place> places = {place(program.lines[pc])};
  for (const SourceLine& call : program.callers(pc)) places.push_back(place(call));
  const auto first = std::ranges::find_if_not(places, [](const Place& p) { return is_library_file(p.file); });
  if (first == places.end()) {
    Place p = places.front();
    p.called_at.assign(places.begin() + 1, places.end());
    return p;
  }
  Place p = *first;
  p.called_at.assign(first + 1, places.end());
  return p;
}

Place place_of(const ApiCall& site) {
  const ApiCall::Line line = site.line();
  return {line.file, line.number, 0, {}};
}

std::string block_name(const LaunchInfo& launch, u64 block) {
  return "block " + position_text(block, launch.grid);
}

std::string thread_name(const LaunchInfo& launch, u32 thread) {
  return "thread " + position_text(thread, launch.block) + " (warp " + std::to_string(thread / kWarpSize) +
         ", lane " + std::to_string(thread % kWarpSize) + ")";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
