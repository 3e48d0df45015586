// to_json: reports and findings for programs. Counters are a flat object whose keys are the C++ names of the members; what
// follows from them is an object of its own.
#include "counting/counter_fields.h"
#include "gpusim/check.h"
#include "gpusim/counter_list.h"
#include "gpusim/report.h"
#include "reports/text.h"

namespace gpusim {
namespace {

std::string object_of(const Counters& counters) {
  std::string out;
  for (const CounterField& field : kCounterFields) {
    out += (out.empty() ? '{' : ',') + json_string(field.path) + ':' + std::to_string(field.of(counters));
  }
  return out + '}';
}

// What follows from the counters: means and differences.
std::string derived_object_of(const Counters& counters) {
  std::string out;
  for (const CounterRow& row : kCounters) {
    if (row.kind != CounterKind::derived && row.kind != CounterKind::combined) continue;
    out += (out.empty() ? '{' : ',') + json_string(row.member);
    append(out, ":%.*f", row.decimals == 0 ? 0 : 6, row.value(counters));
  }
  return out + '}';
}

std::string object_of(const Prediction& p) {
  std::string missing;
  for (const std::string& what : p.not_modelled) missing += (missing.empty() ? "" : ",") + json_string(what);
  std::string savings;
  for (const Saving& saving : p.savings)
    savings += std::string(savings.empty() ? "" : ",") + "{\"cost\":" + json_string(saving.cost) +
               ",\"nanoseconds\":" + std::to_string(saving.nanoseconds) + '}';
  return "{\"machine\":" + json_string(p.machine) + ",\"nanoseconds\":" + std::to_string(p.nanoseconds) +
         ",\"copy_gigabytes_per_second\":" + std::to_string(p.copy_gigabytes_per_second) +
         ",\"error\":" + (p.error > 0 ? std::to_string(p.error) : "null") +
         ",\"derived_from\":" + (p.derived_from.empty() ? "null" : json_string(p.derived_from)) +
         ",\"launch_nanoseconds\":" + std::to_string(p.launch_nanoseconds) +
         ",\"memory_bytes\":" + std::to_string(p.memory_bytes) + ",\"memory_gigabytes_per_second\":" +
         std::to_string(p.nanoseconds > 0 ? p.memory_bytes / p.nanoseconds : 0) +
         ",\"blocks_per_multiprocessor\":" + std::to_string(p.blocks_per_multiprocessor) +
         ",\"registers\":" + std::to_string(p.registers) + ",\"limit\":" + json_string(p.limit) +
         ",\"bottleneck\":" + json_string(p.bottleneck) + ",\"savings\":[" + savings +
         "],\"is_at_limit\":" + (p.is_at_limit ? "true" : "false") + ",\"not_modelled\":[" + missing + "]}";
}

}  // namespace

std::string to_json(const Report& r) {
  std::string out = "{\"kernel\":" + json_string(r.kernel);
  out += ",\"launch\":" + std::to_string(r.launch);
  out += ",\"grid\":" + array_of(r.grid) + ",\"block\":" + array_of(r.block);
  out += ",\"shared_bytes\":" + std::to_string(r.shared_bytes);
  out += ",\"local_bytes\":" + std::to_string(r.local_bytes);
  out += std::string(",\"completed\":") + (r.completed ? "true" : "false");
  if (r.is_one_of_several) out += ",\"gpu\":" + std::to_string(r.gpu);
  if (!r.compiler.empty()) out += ",\"compiler\":" + json_string(r.compiler);
  const bool is_predicted = !r.prediction.machine.empty();
  if (is_predicted) out += ",\n \"predicted\":" + object_of(r.prediction);
  out += ",\n \"total\":" + object_of(r.total) + ",\n \"derived\":" + derived_object_of(r.total) +
         ",\n \"lines\":[";
  for (const LineReport& line : r.lines) {
    if (&line != &r.lines.front()) out += ',';
    out += "\n  {\"file\":" + json_string(line.file) + ",\"line\":" + std::to_string(line.line) +
           ",\"counters\":" + object_of(line.counters) + ",\"derived\":" + derived_object_of(line.counters) +
           (is_predicted ? ",\"time_share\":" + std::to_string(line.time_share) : "") + '}';
  }
  out += "]";
  if (!r.links.empty()) out += ",\n \"links\":" + to_json(r.links);
  return out + "}\n";
}

std::string to_json(const std::vector<LinkTraffic>& links) {
  std::string out;
  for (const LinkTraffic& link : links)
    out += std::string(out.empty() ? "" : ",") + "{\"from\":" + std::to_string(link.from) +
           ",\"to\":" + std::to_string(link.to) + ",\"requests\":" + std::to_string(link.requests) +
           ",\"bytes\":" + std::to_string(link.bytes) + "}";
  return "[" + out + "]";
}

namespace {

// Without a file: null.
std::string object_of(const Place& p) {
  if (p.line == 0) return "null";
  std::string calls;
  for (const Place& call : p.called_at) calls += (calls.empty() ? "" : ",") + object_of(call);
  return "{\"file\":" + json_string(p.file) + ",\"line\":" + std::to_string(p.line) +
         ",\"column\":" + std::to_string(p.column) + ",\"called_at\":[" + calls + "]}";
}

}  // namespace

std::string to_json(const Finding& f) {
  return "{\"check\":" + json_string(f.check) +
         ",\"severity\":" + (f.severity == Severity::error ? "\"error\"" : "\"warning\"") +
         ",\"kernel\":" + json_string(f.kernel) + ",\"message\":" + json_string(f.message) +
         ",\"count\":" + std::to_string(f.count) + ",\"place\":" + object_of(f.place) +
         ",\"other\":" + object_of(f.other) + ",\"text\":" + json_string(to_text(f)) + "}";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
