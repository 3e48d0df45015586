// A proof as a line for people, and as an object for programs.
#include "gpusim/proof.h"
#include "ptx/paths.h"
#include "reports/text.h"

namespace gpusim {
namespace {

constexpr const char* kNoRace = "no order of warps and blocks and no input of this size can race";

std::string launch_text(const Proof& p) {
  const std::string shared =
      p.dynamic_shared_bytes ? ", " + std::to_string(p.dynamic_shared_bytes) + " B shared" : "";
  return p.kernel + "<<<" + extent(p.grid) + ", " + extent(p.block) + shared + ">>>(" + p.arguments + ")";
}
// "kernels.cu:12 takes its address from memory"
std::string reason_text(const Proof& p) {
  if (p.place.file.empty() || p.place.line == 0) return p.reason;
  return shortened(p.place.file) + ":" + std::to_string(p.place.line) + " " + p.reason;
}
const char* name_of(Verdict v) {
  switch (v) {
    case Verdict::proved: return "proved";
    case Verdict::race_free: return "proved race-free";
    case Verdict::not_proved: break;
  }
  return "not proved";
}

}  // namespace

std::string to_text(const Proof& p) {
  const std::string head = std::string(name_of(p.verdict)) + ": " + launch_text(p) + ": ";
  switch (p.verdict) {
    case Verdict::proved: return head + kNoRace + ", and the same input always gives the same bits";
    case Verdict::race_free: return head + kNoRace + "; the result may differ: " + reason_text(p);
    case Verdict::not_proved: break;
  }
  return head + reason_text(p);
}

std::string to_json(const Proof& p) {
  return "{\"kernel\":" + json_string(p.kernel) + ",\"grid\":" + array_of(p.grid) +
         ",\"block\":" + array_of(p.block) +
         ",\"dynamic_shared_bytes\":" + std::to_string(p.dynamic_shared_bytes) +
         ",\"arguments\":" + json_string(p.arguments) + ",\"launches\":" + std::to_string(p.launches) +
         ",\"verdict\":" + json_string(name_of(p.verdict)) + ",\"file\":" + json_string(p.place.file) +
         ",\"line\":" + std::to_string(p.place.line) + ",\"reason\":" + json_string(p.reason) + "}\n";
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
