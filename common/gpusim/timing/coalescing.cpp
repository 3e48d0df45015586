#include "timing/coalescing.h"

#include <algorithm>
#include <bit>

#include "counting/sectors.h"

namespace gpusim::timing {
namespace {

// What a block used of a line, and how many of its sectors it has asked for.
struct LineUse {
  u32 words = 0, asked = 0;
};

struct Sectors {
  double needed = 0, asked = 0;
};

void add_block(const std::vector<Instruction>& code, const BlockRecord& block, std::vector<Sectors>& by_pc) {
  constexpr double kWordsInSector = 8;
  std::unordered_map<u64, LineUse> lines;
  const auto each_load = [&](auto use) {
    for (const WarpRecord& warp : block.warps)
      for (const Step& step : warp.steps)
        if (code[step.pc].shape == Shape::load && is_of_global_memory(code[step.pc], step))
          for (u32 k = step.touched; k < step.touched + step.lines; ++k) use(step.pc, warp.touched[k]);
  };
  each_load([&](u32, const Touched& touched) {
    LineUse& use = lines[touched.line];
    use.words |= touched.words;
    use.asked += u32(std::popcount(touched.asked));
  });
  each_load([&](u32 pc, const Touched& touched) {
    if (touched.asked == 0) return;
    const LineUse& use = lines[touched.line];
    const double asked = std::popcount(touched.asked);
    by_pc[pc].asked += asked;
    by_pc[pc].needed += std::popcount(use.words) / kWordsInSector * asked / use.asked;
  });
  for (const WarpRecord& warp : block.warps)
    for (const Step& step : warp.steps)
      if (code[step.pc].shape == Shape::store && is_of_global_memory(code[step.pc], step)) {
        by_pc[step.pc].asked += step.sectors;
        by_pc[step.pc].needed += step.ideal;
      }
}

}  // namespace

bool is_of_global_memory(const Instruction& in, const Step& step) {
  return is_load_or_store(in.shape) && in.space != Space::shared && in.space != Space::local &&
         step.touched != kNoLines && step.lines > 0;
}

std::vector<double> needed_parts(const LaunchRecord& record) {
  const std::vector<Instruction>& code = record.launch.program->code;
  std::vector<Sectors> by_pc(code.size());
  for (const BlockRecord& block : record.blocks) add_block(code, block, by_pc);
  std::vector<double> parts(code.size(), 1);
  for (std::size_t pc = 0; pc < parts.size(); ++pc)
    if (by_pc[pc].asked > 0) parts[pc] = std::min(1.0, by_pc[pc].needed / by_pc[pc].asked);
  return parts;
}

bool is_coalesced(const Instruction& in, const Step& step) {
  return is_of_global_memory(in, step) &&
         step.lines <= (step.ideal + kSectorsInLine - 1) / kSectorsInLine + 1u;
}

double width_part(const Instruction& in, const Step& step) {
  constexpr double kWidest = 16;
  const double bytes = size_of(in.type) * in.vector;
  // One value for all lanes, as a broadcast brings it, fills no row.
  const bool fills_row = step.ideal * kSectorBytes >= step.lanes * bytes;
  return is_coalesced(in, step) && fills_row ? std::min(1.0, bytes / kWidest) : 1;
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
