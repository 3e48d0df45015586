// to_json: a report for programs. Counters are a flat object whose keys are the C++ names of the members.
#include <cstdio>

#include "gpusim/report.h"
#include "observers/counter_fields.h"

namespace gpusim {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", unsigned(c));
      out += escape;
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

std::string object_of(const Counters& counters) {
  std::string out;
  for (const CounterField& field : kCounterFields) {
    out += (out.empty() ? '{' : ',') + quoted(field.path) + ':' + std::to_string(field.of(counters));
  }
  return out + '}';
}

}  // namespace

std::string to_json(const Report& r) {
  std::string out = "{\"kernel\":" + quoted(r.kernel);
  out += ",\"launch\":" + std::to_string(r.launch);
  out += ",\"grid\":" + array_of(r.grid) + ",\"block\":" + array_of(r.block);
  out += ",\"shared_bytes\":" + std::to_string(r.shared_bytes);
  out += ",\"local_bytes\":" + std::to_string(r.local_bytes);
  out += std::string(",\"completed\":") + (r.completed ? "true" : "false");
  out += ",\n \"total\":" + object_of(r.total) + ",\n \"lines\":[";
  for (const LineReport& line : r.lines) {
    if (&line != &r.lines.front()) out += ',';
    out += "\n  {\"file\":" + quoted(line.file) + ",\"line\":" + std::to_string(line.line) +
           ",\"counters\":" + object_of(line.counters) + '}';
  }
  return out + "]}\n";
}

}  // namespace gpusim
