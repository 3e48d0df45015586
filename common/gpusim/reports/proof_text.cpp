// A proof as a line for people, and as an object for programs.
#include "gpusim/proof.h"

#include <set>

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
std::string reason_text(const Place& place, const std::string& reason) {
  if (place.file.empty() || place.line == 0) return reason;
  return shortened(place.file) + ":" + std::to_string(place.line) + " " + reason;
}
const char* words_of(Verdict v) {
  switch (v) {
    case Verdict::proved: return "proved";
    case Verdict::race_free: return "proved race-free";
    case Verdict::not_proved: break;
  }
  return "not proved";
}
// What the verdict says, behind its words.
std::string meaning_of(Verdict v, const Place& place, const std::string& reason) {
  switch (v) {
    case Verdict::proved: return std::string(kNoRace) + ", and the same input always gives the same bits";
    case Verdict::race_free:
      return std::string(kNoRace) + "; the result may differ: " + reason_text(place, reason);
    case Verdict::not_proved: break;
  }
  return reason_text(place, reason);
}

// "\"verdict\":…,\"file\":…,\"line\":…,\"reason\":…"
std::string members_of(Verdict v, const Place& place, const std::string& reason) {
  return "\"verdict\":" + json_string(name_of(v)) + ",\"file\":" + json_string(place.file) +
         ",\"line\":" + std::to_string(place.line) + ",\"reason\":" + json_string(reason);
}
std::string object_of(const Conclusion& c) { return "{" + members_of(c.verdict, c.place, c.reason) + "}"; }

}  // namespace

const char* name_of(Verdict v) {
  switch (v) {
    case Verdict::proved: return "proved";
    case Verdict::race_free: return "race_free";
    case Verdict::not_proved: break;
  }
  return "not_proved";
}

std::string to_text(const Proof& p) {
  return std::string(words_of(p.verdict)) + ": " + launch_text(p) + ": " +
         meaning_of(p.verdict, p.place, p.reason);
}

std::string to_text(const Conclusion& c) {
  return std::string(words_of(c.verdict)) + ": " + meaning_of(c.verdict, c.place, c.reason);
}

std::string to_json(const Proof& p) {
  std::string obstacles;
  for (const Conclusion& c : p.obstacles) obstacles += (obstacles.empty() ? "" : ",") + object_of(c);
  return "{\"kernel\":" + json_string(p.kernel) + ",\"grid\":" + array_of(p.grid) +
         ",\"block\":" + array_of(p.block) +
         ",\"dynamic_shared_bytes\":" + std::to_string(p.dynamic_shared_bytes) +
         ",\"arguments\":" + json_string(p.arguments) + ",\"launches\":" + std::to_string(p.launches) + "," +
         members_of(p.verdict, p.place, p.reason) + ",\"compiled\":" + object_of(p.compiled) +
         ",\"obstacles\":[" + obstacles + "]}";
}

std::string to_json(const Report& report, const Proof& p) {
  std::string out = to_json(report);
  out.erase(out.rfind('}'));
  return out + ",\n \"proof\":" + to_json(p) + "}\n";
}

// One line for the head of a profile, and a second one where the source may have accesses that the code lacks.
void append_proof(std::string& out, const Proof& p) {
  const Conclusion& c = p.compiled;
  out += "  " + to_text(c) + '\n';
  if (c.verdict != Verdict::not_proved && p.verdict == Verdict::not_proved)
    append(out, "  %-17s the compiled code only (%s)\n", "holds for", reason_text(p.place, p.reason).c_str());
}

std::string to_text_of_other_runs(const std::vector<Proof>& proofs) {
  std::set<std::string> kernels, covered_not;
  std::string reasons;
  for (const Proof& p : proofs) {
    kernels.insert(p.kernel);
    if (p.obstacles.empty() || !covered_not.insert(p.kernel).second) continue;
    const Conclusion& first = p.obstacles.front();
    reasons += (reasons.empty() ? "" : "; ") + p.kernel + ": " + reason_text(first.place, first.reason);
  }
  if (kernels.empty()) return "";
  const std::size_t covered = kernels.size() - covered_not.size();
  std::string text = "nothing found in this run; ";
  if (covered == 0) return text + "no proof covers other runs: " + reasons;
  append(text, "for all other runs ask GPUSIM_CHECK=proof, which covers %zu of %zu kernel%s", covered,
         kernels.size(), kernels.size() == 1 ? "" : "s");
  return text + (reasons.empty() ? "" : ", but not " + reasons);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
