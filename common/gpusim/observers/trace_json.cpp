// A trace as JSON: a step a line, without the members that mean nothing for its kind.
#include "gpusim/trace.h"

#include "observers/banks.h"
#include "observers/text.h"

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

std::string hex(Mask mask) {
  std::string text;
  append(text, "\"0x%08x\"", mask);
  return text;
}

template <class T, class F>
std::string array(const std::vector<T>& values, F value) {
  std::string out = "[";
  for (const T& each : values) out += (out.size() > 1 ? "," : "") + std::to_string(value(each));
  return out + "]";
}

std::string object_of(const TraceStep& step) {
  const auto itself = [](auto value) { return value; };
  std::string out = "{\"pc\":" + std::to_string(step.pc);
  if (step.file >= 0)
    append(out, ",\"file\":%d,\"line\":%d,\"column\":%d", step.file, step.line, step.column);
  out += ",\"op\":" + json_string(step.op) + ",\"kind\":" + json_string(name_of(step.kind));
  out += ",\"mask\":" + hex(step.mask) + ",\"warp\":" + std::to_string(step.warp);
  if (!step.space.empty())
    out += ",\"space\":" + json_string(step.space) + ",\"bytes\":" + std::to_string(step.bytes);
  if (!step.addresses.empty()) out += ",\"addresses\":" + array(step.addresses, itself);
  if (!step.addresses.empty() && step.space == "shared")
    out +=
        ",\"banks\":" + array(step.addresses, [](u64 address) { return (address >> kBankShift) % kBanks; });
  if (step.is_conditional) out += ",\"taken\":" + hex(step.taken);
  if (!step.from.empty()) out += ",\"from\":" + array(step.from, itself);
  return out + '}';
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
  for (const TraceStep& step : trace.steps)
    out += (&step == &trace.steps.front() ? "\n  " : ",\n  ") + object_of(step);
  return out + "]}\n";
}

}  // namespace gpusim
