#include "execution/fault_reporter.h"

#include <algorithm>

#include "base/position_text.h"
#include "execution/module.h"

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
  constexpr std::size_t kMost = 4;  // a recursion has many
  const auto runs = [&](const Fragment& f) { return (f.mask >> lane & 1) && f.frame; };
  const auto fragment = std::ranges::find_if(w.fragments, runs);
  const Frame* frame = fragment == w.fragments.end() ? nullptr : fragment->frame;
  std::vector<std::string> places;
  const auto add = [&](const std::string& place) {
    if (!place.empty() && places.size() < kMost) places.push_back(place);
  };
  for (;;) {
    for (const SourceLine& call : module_.code.callers(pc)) add(module_.code.where(call));
    if (!frame || !frame->caller || places.size() == kMost) return places;
    pc = frame->return_pc - 1;
    frame = frame->caller;
    add(module_.code.where(module_.code.lines[pc]));
  }
}

Fault FaultReporter::fault_at(FaultCode code, u32 pc, const Warp& w, u32 lane,
                              const std::string& what) const {
  const std::vector<std::string> calls = calls_of(w, lane, pc);
  std::string text =
      module_.code.where(pc) + ": " + what + " (" + launch_.kernel->pretty_name + ", " + thread_name(w, lane);
  for (const std::string& call : calls) text += (&call == &calls.front() ? "; called at " : ", ") + call;
  return {code, text + ")", calls};
}
void FaultReporter::fault(FaultCode code, u32 pc, const Warp& w, u32 lane, const std::string& what) const {
  throw fault_at(code, pc, w, lane, what);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
