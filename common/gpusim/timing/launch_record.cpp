#include "timing/launch_record.h"

#include <algorithm>
#include <bit>

namespace gpusim::timing {

std::vector<Touched> read_by_several(const LaunchRecord& record) {
  constexpr double kMost = 0.5;  // of what an instruction reads
  struct Line {
    std::size_t block = 0;  // that read it first
    u8 sectors = 0;
    bool by_several = false;
  };
  struct Use {
    u64 reads = 0, of_several = 0;
  };
  std::unordered_map<u64, Line> lines;
  const auto each = [&](auto use) {
    for (std::size_t b = 0; b < record.blocks.size(); ++b)
      for (const WarpRecord& warp : record.blocks[b].warps)
        for (const Step& step : warp.steps) {
          const Instruction& in = record.launch.program->code[step.pc];
          if (in.shape != Shape::load || in.space == Space::shared || in.order != MemoryOrder::weak) continue;
          if (step.touched == kNoLines) continue;
          for (u32 k = step.touched; k < step.touched + step.lines; ++k)
            if (warp.touched[k].line < kLocalLine) use(b, step.pc, warp.touched[k]);
        }
  };
  each([&](std::size_t b, u32, const Touched& touched) {
    Line& line = lines.try_emplace(touched.line, Line{b, 0, false}).first->second;
    line.by_several |= line.block != b;
    line.sectors |= touched.sectors;
  });
  std::unordered_map<u32, Use> uses;  // by pc
  each([&](std::size_t, u32 pc, const Touched& touched) {
    Use& use = uses[pc];
    ++use.reads;
    use.of_several += lines[touched.line].by_several;
  });
  std::unordered_map<u64, Touched> found;
  each([&](std::size_t, u32 pc, const Touched& touched) {
    const Line& line = lines[touched.line];
    if (line.by_several && double(uses[pc].of_several) > kMost * double(uses[pc].reads))
      found[touched.line] = {touched.line, line.sectors, 0};
  });
  std::vector<Touched> result;
  if (found.size() << kLineShift <= record.whole_l1_bytes)
    for (const auto& [line, touched] : found) result.push_back(touched);
  return result;
}

void pass_l1(const LaunchRecord& record, BlockRecord& block, const std::vector<Touched>& already_there) {
  const std::vector<Instruction>& code = record.launch.program->code;
  L1Share l1;
  l1.begin(record.l1_bytes);
  for (const Touched& touched : already_there) l1.keep({touched.line, touched.sectors});
  bool any = true;
  for (std::size_t turn = 0; any; ++turn) {
    any = false;
    for (std::size_t k = 0; k < block.warps.size(); ++k) {
      const std::size_t number =
          (k + turn) % block.warps.size();  // each comes first in its turn, and waits for memory
      WarpRecord& warp = block.warps[number];
      if (turn >= warp.steps.size()) continue;
      any = true;
      Step& step = warp.steps[turn];
      const Instruction& in = code[step.pc];
      if (!is_load_or_store(in.shape) || in.space == Space::shared || step.touched == kNoLines) continue;
      const bool is_cached = in.shape == Shape::load && in.order == MemoryOrder::weak;
      for (u32 k = step.touched; k < step.touched + step.lines; ++k) {
        Touched& touched = warp.touched[k];
        // Every warp has local memory of its own; what it stores there stays until it is replaced, and goes to the L2 cache as well.
        const bool is_local = touched.line >= kLocalLine;
        const u64 line = is_local ? touched.line + (u64(number) << 40) : touched.line;
        const u8 missing = is_cached || is_local ? l1.miss({line, touched.sectors}) : touched.sectors;
        const u8 sectors = in.shape == Shape::store ? touched.sectors : missing;
        touched.asked = sectors;
        step.sectors = narrow(step.sectors + u32(std::popcount(sectors)));
        if ((sectors & touched.missing) != 0)
          step.memory = narrow(step.memory + u32(std::popcount(touched.missing)));
        step.missed_lines += sectors != 0;
      }
    }
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
