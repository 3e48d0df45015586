#include "reports/text.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <iterator>

#include "base/files.h"
#include "base/position_text.h"

namespace gpusim {

void append(std::string& out, const char* format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  out.append(text, std::min<std::size_t>(std::max(length, 0), sizeof text - 1));
}

std::string extent(const unsigned (&size)[3]) { return extent_text({size[0], size[1], size[2]}); }

std::string launch_line(const Report& r) {
  std::string out = r.kernel + ", grid " + extent(r.grid) + ", block " + extent(r.block);
  if (r.shared_bytes != 0) append(out, ", %u B shared per block", r.shared_bytes);
  if (r.local_bytes != 0) append(out, ", %u B local per thread", r.local_bytes);
  return out + (r.completed ? "\n" : ", stopped by a fault\n");
}

namespace {

// Counters that mean nothing for a line without such accesses, and whether the line has any. All other counters
// mean something for every line.
struct Accesses {
  const CounterRow* row;
  bool (*are_made)(const Counters& line);
};
constexpr Accesses kAccesses[] = {
    {counter_row("global.sectors_per_request"),
     [](const Counters& c) { return c.global.load.requests + c.global.store.requests != 0; }},
    {counter_row("global.loads_in_flight"), [](const Counters& c) { return c.global.load_waits != 0; }},
    {counter_row("shared.bank_conflicts"),
     [](const Counters& c) { return c.shared.load.requests + c.shared.store.requests != 0; }},
};

}  // namespace

std::string cell_of(const CounterRow& row, const CounterPlaces::Column& column, const Counters& line) {
  const auto found = std::ranges::find(kAccesses, &row, &Accesses::row);
  if (found != std::end(kAccesses) && !found->are_made(line)) return "-";
  if (column.decimals == 0) return grouped(u64(row.value(line)));
  std::string cell;
  append(cell, "%.*f", column.decimals, row.value(line));
  return cell;
}

std::vector<std::string> read_lines(const std::string& file) {
  std::vector<std::string> lines;
  std::istringstream in = open_file(file);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string printable(std::string text, std::size_t columns) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  std::size_t column = 0, bytes = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool starts_character = (text[bytes] & 0xc0) != 0x80;  // not a continuation byte of UTF-8
    if (starts_character && column++ == columns) break;
  }
  text.resize(bytes);
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      append(out, "\\u%04x", unsigned(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string array_of(const unsigned (&three)[3]) {
  std::string out;
  for (const unsigned each : three) out += (out.empty() ? '[' : ',') + std::to_string(each);
  return out + ']';
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
