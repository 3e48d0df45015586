// A trace as JSON: a step a line, without the members that mean nothing for its kind.
#include "gpusim/trace.h"

#include <charconv>
#include <iterator>

#include "counting/banks.h"
#include "reports/text.h"

namespace gpusim {
namespace {

const char* name_of(StepKind kind) {
  switch (kind) {
    case StepKind::instr: return "instr";
    case StepKind::load: return "load";
    case StepKind::store: return "store";
    case StepKind::atomic: return "atomic";
    case StepKind::branch: return "branch";
    case StepKind::barrier: return "barrier";
    case StepKind::warp_sync: return "warp_sync";
    case StepKind::shuffle: return "shuffle";
    case StepKind::vote: return "vote";
    case StepKind::call: return "call";
    case StepKind::leave: return "leave";
  }
  return "";
}

void add_hex(std::string& out, Mask mask) { append(out, "\"0x%08x\"", mask); }

void add_number(std::string& out, u64 number) {
  char digits[20];
  out.append(digits, std::to_chars(std::begin(digits), std::end(digits), number).ptr);
}

template <class T, class F>
void add_array(std::string& out, const std::vector<T>& values, F value) {
  char before = '[';
  for (const T& each : values) {
    out += before;
    add_number(out, u64(value(each)));
    before = ',';
  }
  out += ']';
}

// A trace has a great many of them: everything is written to where it ends up.
void add_object(std::string& out, const TraceStep& step, bool is_by_schedule) {
  const auto itself = [](auto value) { return value; };
  out += "{\"pc\":";
  add_number(out, step.pc);
  if (step.file >= 0)
    append(out, ",\"file\":%d,\"line\":%d,\"column\":%d", step.file, step.line, step.column);
  out.append(",\"op\":").append(json_string(step.op));
  out.append(",\"kind\":\"").append(name_of(step.kind)).append("\",\"mask\":");
  add_hex(out, step.mask);
  out += ",\"warp\":";
  add_number(out, step.warp);
  if (is_by_schedule) {
    out += ",\"block\":";
    add_number(out, step.block);
    out += ",\"gpu\":";
    add_number(out, step.gpu);
  }
  if (!step.space.empty()) {
    out.append(",\"space\":").append(json_string(step.space)).append(",\"bytes\":");
    add_number(out, step.bytes);
  }
  if (!step.addresses.empty()) {
    out += ",\"addresses\":";
    add_array(out, step.addresses, itself);
    if (step.space == "shared") {
      out += ",\"banks\":";
      add_array(out, step.addresses, [](u64 address) { return (address >> kBankShift) % kBanks; });
    }
  }
  if (step.is_conditional) {
    out += ",\"taken\":";
    add_hex(out, step.taken);
  }
  if (!step.from.empty()) {
    out += ",\"from\":";
    add_array(out, step.from, itself);
  }
  out += '}';
}

}  // namespace

std::string to_json(const LaunchTrace& trace) {
  std::string out = "{\"kernel\":" + json_string(trace.kernel);
  out += ",\"grid\":" + array_of(trace.grid) + ",\"block\":" + array_of(trace.block);
  out += ",\"traced_block\":" + std::to_string(trace.traced_block);
  out += std::string(",\"completed\":") + (trace.completed ? "true" : "false");
  out += std::string(",\"truncated\":") + (trace.truncated ? "true" : "false") + ",\"files\":[";
  for (const std::string& file : trace.files)
    out += (&file == &trace.files.front() ? "" : ",") + json_string(file);
  out += "],\n \"steps\":[";
  for (const TraceStep& step : trace.steps) {
    out += &step == &trace.steps.front() ? "\n  " : ",\n  ";
    add_object(out, step, trace.is_by_schedule);
  }
  out += "]";
  if (!trace.is_by_schedule) return out + "}\n";
  out += ",\n \"operations\":[";
  for (const TraceOperation& o : trace.operations) {
    out += &o == &trace.operations.front() ? "\n  " : ",\n  ";
    out += "{\"step\":" + std::to_string(o.step) + ",\"gpu\":" + std::to_string(o.gpu) +
           ",\"block\":" + std::to_string(o.block) + ",\"warp\":" + std::to_string(o.warp) +
           ",\"named\":" + (o.is_named ? "true" : "false") + ",\"text\":" + json_string(o.text) + "}";
  }
  return out + "]}\n";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
