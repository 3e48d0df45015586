#include "analysis/definite_assignment.h"

#include <algorithm>
#include <optional>

namespace gpusim {

DefiniteAssignment::DefiniteAssignment(const Program& program, const Function& f)
    : program_(program), function_(f), graph_(ptx::build_graph(program, f.begin, f.end)) {
  find_written();
  find_without_value();
}

bool DefiniteAssignment::is_reached(u32 pc) const {
  return is_reached_[u32(std::ranges::upper_bound(graph_.start, pc) - graph_.start.begin()) - 1];
}

void DefiniteAssignment::find_written() {
  for (u32 pc = function_.begin; pc < function_.end; ++pc)
    for (const FrameOffset d : program_.code[pc].d)
      if (d != kNoOperand) number_.emplace(d, u32(number_.size()));
}

bool DefiniteAssignment::has_value_from_the_start(FrameOffset reg) const {
  return std::ranges::find(function_.constants, reg, &Constant::frame) != function_.constants.end() ||
         std::ranges::find(function_.specials, reg, &SpecialValue::frame) != function_.specials.end();
}

// Forwards until nothing changes: a register has a value where it has one on all ways there.
void DefiniteAssignment::find_without_value() {
  using Set = std::vector<bool>;
  const std::size_t blocks = graph_.start.size() - 1;
  std::vector<std::optional<Set>> at_begin(blocks + 1);  // nothing: not reached yet
  at_begin[0] = Set(number_.size());
  const auto through = [&](Set& set, u32 pc, auto reads) {
    const Instruction& in = program_.code[pc];
    for (const FrameOffset s : in.s) reads(s);
    reads(in.guard);
    if (in.guard != kNoOperand) return;
    for (const FrameOffset d : in.d)
      if (d != kNoOperand) set[number_.at(d)] = true;
  };
  std::vector<u32> open{0};
  while (!open.empty()) {
    const u32 block = open.back();
    open.pop_back();
    if (block >= blocks) continue;
    Set set = *at_begin[block];
    for (u32 pc = graph_.start[block]; pc < graph_.start[block + 1]; ++pc)
      through(set, pc, [](FrameOffset) {});
    for (const u32 next : graph_.successors[block]) {
      std::optional<Set>& known = at_begin[next];
      Set both = set;
      if (known)
        for (std::size_t k = 0; k < both.size(); ++k) both[k] = both[k] && (*known)[k];
      if (known && both == *known) continue;
      known = std::move(both);
      open.push_back(next);
    }
  }
  is_reached_.resize(blocks);
  for (u32 block = 0; block < blocks; ++block) {
    is_reached_[block] = at_begin[block].has_value();
    if (!at_begin[block]) continue;
    Set set = *at_begin[block];
    for (u32 pc = graph_.start[block]; pc < graph_.start[block + 1]; ++pc)
      through(set, pc, [&](FrameOffset reg) {
        if (reg == kNoOperand || has_value_from_the_start(reg)) return;
        const auto written = number_.find(reg);
        if (written != number_.end() && set[written->second]) return;
        reads_without_value_.push_back({pc, reg});
      });
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
