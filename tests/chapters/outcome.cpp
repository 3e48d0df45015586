#include "outcome.h"

#include <nlohmann/json.hpp>

namespace judge {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::fault: return "fault";
    case Kind::hazard: return "hazard";
    case Kind::wrong_result: return "wrong_result";
    case Kind::as_shipped: return "as_shipped";
    case Kind::unimproved: return "unimproved";
    case Kind::left_out: return "left_out";
  }
  return "";
}

Json json_of(const Outcome::GapState& state) {
  return {{"name", state.gap.name},
          {"todos", state.gap.todos},
          {"open", state.is_open},
          {"kernels", state.gap.kernels}};
}

Json json_of(const Outcome::Found& found) {
  const Finding& f = found.finding;
  return {{"kind", name_of(f.kind)},
          {"excused", found.is_excused},
          {"gap", found.gap < 0 ? Json(nullptr) : Json(found.gap)},
          {"message", f.message},
          {"text", f.shown.empty() ? f.message : f.shown}};
}

Json json_of(const Measurement& m) {
  return {{"kernel", m.kernel},   {"counter", m.counter}, {"each", m.each},   {"value", m.value},
          {"at_most", m.at_most}, {"limit", m.limit},     {"kept", m.kept()}, {"goal", m.goal}};
}

}  // namespace

std::string to_json(const Outcome& outcome) {
  Json json = {{"file", outcome.file},
               {"verdict", outcome.verdict.text},
               {"exit_code", outcome.verdict.exit_code},
               {"as_shipped", outcome.is_as_shipped},
               {"todo_lines", outcome.todo_lines},
               {"gaps", Json::array()},
               {"test_cases", Json::array()},
               {"findings", Json::array()},
               {"measurements", Json::array()}};
  for (const Outcome::GapState& gap : outcome.gaps) json["gaps"].push_back(json_of(gap));
  for (const Outcome::TestCase& test : outcome.test_cases)
    json["test_cases"].push_back({{"name", test.name}, {"state", test.state}, {"seconds", test.seconds}});
  for (const Outcome::Found& found : outcome.findings)
    if (found.finding.kind != Kind::left_out) json["findings"].push_back(json_of(found));
  for (const Measurement& m : outcome.measurements) json["measurements"].push_back(json_of(m));
  // A kernel's name or a line of its source may hold any bytes.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace judge
// SPDX-License-Identifier: MIT
