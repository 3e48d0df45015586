// to_json: a report for programs. Counters are a flat object whose keys are the C++ names of the members.
#include "counting/counter_fields.h"
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

}  // namespace

namespace {

std::string object_of(const Prediction& p) {
  std::string missing;
  for (const std::string& what : p.not_modelled) missing += (missing.empty() ? "" : ",") + json_string(what);
  return "{\"machine\":" + json_string(p.machine) + ",\"nanoseconds\":" + std::to_string(p.nanoseconds) +
         ",\"copy_gigabytes_per_second\":" + std::to_string(p.copy_gigabytes_per_second) +
         ",\"error\":" + (p.error > 0 ? std::to_string(p.error) : "null") +
         ",\"launch_nanoseconds\":" + std::to_string(p.launch_nanoseconds) +
         ",\"memory_bytes\":" + std::to_string(p.memory_bytes) + ",\"memory_gigabytes_per_second\":" +
         std::to_string(p.nanoseconds > 0 ? p.memory_bytes / p.nanoseconds : 0) +
         ",\"blocks_per_multiprocessor\":" + std::to_string(p.blocks_per_multiprocessor) +
         ",\"registers\":" + std::to_string(p.registers) + ",\"limit\":" + json_string(p.limit) +
         ",\"bottleneck\":" + json_string(p.bottleneck) + ",\"not_modelled\":[" + missing + "]}";
}

}  // namespace

std::string to_json(const Report& r) {
  std::string out = "{\"kernel\":" + json_string(r.kernel);
  out += ",\"launch\":" + std::to_string(r.launch);
  out += ",\"grid\":" + array_of(r.grid) + ",\"block\":" + array_of(r.block);
  out += ",\"shared_bytes\":" + std::to_string(r.shared_bytes);
  out += ",\"local_bytes\":" + std::to_string(r.local_bytes);
  out += std::string(",\"completed\":") + (r.completed ? "true" : "false");
  if (!r.compiler.empty()) out += ",\"compiler\":" + json_string(r.compiler);
  const bool is_predicted = !r.prediction.machine.empty();
  if (is_predicted) out += ",\n \"predicted\":" + object_of(r.prediction);
  out += ",\n \"total\":" + object_of(r.total) + ",\n \"lines\":[";
  for (const LineReport& line : r.lines) {
    if (&line != &r.lines.front()) out += ',';
    out += "\n  {\"file\":" + json_string(line.file) + ",\"line\":" + std::to_string(line.line) +
           ",\"counters\":" + object_of(line.counters) +
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

}  // namespace gpusim
// SPDX-License-Identifier: MIT
