#include "execution/fault_reporter.h"

#include <algorithm>
#include <utility>

#include "base/position_text.h"
#include "execution/module.h"
#include "ptx/paths.h"

namespace gpusim {

FaultReporter::FaultReporter(const LoadedModule& module, const LaunchInfo& launch, const Memory& memory,
                             const Peers* peers)
    : module_(module), launch_(launch), memory_(memory), peers_(peers) {}

std::string FaultReporter::thread_name(const Warp& w, u32 lane) const {
  return "block " + position_text(w.block->index, launch_.grid) + ", thread " +
         position_text(w.index * kWarpSize + lane, launch_.block);
}

// The calls that a lane is in: inlined ones, and those that wait for their callee.
std::vector<std::string> FaultReporter::calls_of(const Warp& w, u32 lane, u32 pc) const {
  constexpr std::size_t kMost = 4;          // a recursion has many
  constexpr std::size_t kMostInside = 100;  // of those within a library
  const auto runs = [&](const Fragment& f) { return (f.mask >> lane & 1) && f.frame; };
  const auto fragment = std::ranges::find_if(w.fragments, runs);
  const Frame* frame = fragment == w.fragments.end() ? nullptr : fragment->frame;
  std::vector<std::string> places;
  std::size_t inside = is_library_file(module_.code.where(pc)) ? 1 : 0;
  const auto add = [&](const std::string& place) {
    if (place.empty() || places.size() == kMost + inside) return;
    places.push_back(place);
    if (inside == places.size() && inside < kMostInside && is_library_file(place)) ++inside;
  };
  for (;;) {
    for (const SourceLine& call : module_.code.callers(pc)) add(module_.code.where(call));
    if (!frame || !frame->caller || places.size() == kMost + inside) return places;
    pc = frame->return_pc - 1;
    frame = frame->caller;
    add(module_.code.where(module_.code.lines[pc]));
  }
}

Fault FaultReporter::fault_at(FaultCode code, u32 pc, const Warp& w, u32 lane,
                              const std::string& what) const {
  std::vector<std::string> calls = calls_of(w, lane, pc);
  std::string place = module_.code.where(pc), inside;
  const auto user = std::ranges::find_if_not(calls, is_library_file);
  if (is_library_file(place) && user != calls.end()) {
    inside = "; in " + std::exchange(place, *user);
    calls.erase(calls.begin(), user + 1);
  }
  std::string text =
      place + ": " + what + " (" + launch_.kernel->pretty_name + ", " + thread_name(w, lane) + inside;
  for (const std::string& call : calls) text += (&call == &calls.front() ? "; called at " : ", ") + call;
  return {code, text + ")", calls};
}
void FaultReporter::fault(FaultCode code, u32 pc, const Warp& w, u32 lane, const std::string& what) const {
  throw fault_at(code, pc, w, lane, what);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
