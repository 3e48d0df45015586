#include "checking/findings.h"

#include <algorithm>
#include <cstdio>
#include <utility>

namespace gpusim {
namespace {

bool alike(const Finding& a, const Finding& b) {
  return a.check == b.check && a.kernel == b.kernel && same_place(a.place, b.place) &&
         same_place(a.other, b.other) && (a.place.line != 0 || a.message == b.message);
}

}  // namespace

void Findings::report(Finding finding) {
  if (in_launch_) {
    of_launch_.push_back(std::move(finding));
    return;
  }
  for (Finding& known : found_)
    if (alike(known, finding)) {
      known.count += finding.count;
      return;
    }
  const bool is_error = finding.severity == Severity::error;
  errors_ += is_error;
  const bool is_first = printed_ == Printed::first_error && is_error && errors_ == 1;
  if (printed_ == Printed::all || is_first) {
    const std::string text = to_text(finding);
    if (text != told_) {
      std::fflush(stdout);
      std::fprintf(stderr, "%s\n", text.c_str());
      if (is_first) std::fprintf(stderr, "%s\n", hint_.c_str());
    }
  }
  found_.push_back(std::move(finding));
}

void Findings::launch_end() {
  const unsigned others = in_launch_ - 1;
  in_launch_ = 0;
  allowed_.reset();
  std::vector<Finding> found = std::exchange(of_launch_, {});
  // Explanations come first. A thread that reads too early may find nothing written, because it races with the writer. And a
  // value that a shuffle takes from an absent lane may be an index, and cause a race.
  if (printed_ == Printed::first_error)
    for (const char* const cause : {"race", "shuffle"})
      std::stable_partition(found.begin(), found.end(),
                            [cause](const Finding& f) { return f.check == cause; });
  std::stable_partition(found.begin(), found.end(), [](const Finding& f) {
    return f.check == "barrier" && f.severity == Severity::error;
  });
  if (!ignores_new_)
    for (Finding& f : found) report(std::move(f));
  in_launch_ = others;
}

void Findings::conclude(Proof proof) {
  std::string key = proof.kernel;
  for (const unsigned n : proof.grid) key += ' ' + std::to_string(n);
  for (const unsigned n : proof.block) key += ' ' + std::to_string(n);
  key += ' ' + std::to_string(proof.dynamic_shared_bytes) + '(' + proof.arguments + ')' +
         std::to_string(int(proof.verdict)) + proof.place.file + ':' + std::to_string(proof.place.line) +
         proof.reason;
  const auto [known, is_new] = proof_of_.try_emplace(std::move(key), proofs_.size());
  if (is_new) proofs_.push_back(std::move(proof));
  else proofs_[known->second].launches += proof.launches;
}

void Findings::clear() {
  found_.clear();
  proofs_.clear();
  proof_of_.clear();
  allowed_.reset();
  errors_ = 0;
}

void Findings::note_fault(const std::string& message, const std::string& quoted) {
  has_faulted_ = true;
  faults_.push_back({message, quoted});
  last_fault_ = message;
  last_fault_quoted_ = quoted;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
