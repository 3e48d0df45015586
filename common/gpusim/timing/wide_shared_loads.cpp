// Loads of neighbouring words of shared memory, of which ptxas makes one wide load.
#include <unordered_map>

#include "timing/alignment.h"
#include "timing/issue_costs.h"

namespace gpusim::timing {

// Neighbouring words at a fixed distance from one register, which is known to be aligned: a wide load passes them in half the
// wavefronts if all lanes read the same.
void merge_shared_loads(const Program& program, const BasicBlocks& blocks, ProgramCosts& out) {
  constexpr s64 kWide = 16;
  out.passes.assign(program.code.size(), 1);
  std::unordered_map<const Function*, Alignment> alignments;
  const auto alignment_at = [&](u32 pc) -> const Alignment& {
    const Function* f = program.function_at(pc);
    return alignments.try_emplace(f, program, *f).first->second;
  };
  for (u32 b = 0; b + 1 < blocks.start.size(); ++b) {
    std::unordered_map<u64, std::vector<u32>> groups;  // by address register and multiple of 16
    for (u32 pc = blocks.start[b]; pc < blocks.start[b + 1]; ++pc) {
      const Instruction& in = program.code[pc];
      if (in.shape == Shape::barrier) groups.clear();
      if (in.shape != Shape::load || in.space != Space::shared || in.vector != 1 || size_of(in.type) != 4)
        continue;
      if (alignment_at(pc).of(in.s[0]) < kWide) continue;
      std::vector<u32>& group = groups[u64(in.s[0]) << 32 | u64(u32(in.offset / kWide))];
      group.push_back(pc);
      if (group.size() != 4) continue;
      for (const u32 each : group) {
        out.passes[each] = each == group[0] ? 2 : 0;
        if (each != group[0]) out.cost[each].slots = 0;
      }
    }
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
