#include "timing/launch_record.h"

#include <algorithm>
#include <array>
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

namespace {

bool is_cached_load(const Instruction& in) {
  return in.shape == Shape::load && in.space != Space::shared && in.order == MemoryOrder::weak;
}

// Sectors of a block's lines that some of its loads bring or await (`of`), whichever of its warps does. They were recorded for the warp
// that ran first, and on a multiprocessor another one may ask the L2 cache for them before.
class OnceInBlock {
 public:
  // Takes them from the record.
  OnceInBlock(const std::vector<Instruction>& code, BlockRecord& block, u8 Touched::* of) {
    for (WarpRecord& warp : block.warps)
      for (const Step& step : warp.steps) {
        if (!is_cached_load(code[step.pc]) || step.touched == kNoLines) continue;
        for (u32 k = step.touched; k < step.touched + step.lines; ++k) take_from(warp.touched[k], of);
      }
  }
  // Those that asking for some sectors of a line brings.
  u8 brought(u64 line, u8 asked) {
    const auto found = sectors_.find(line);
    if (found == sectors_.end()) return 0;
    const u8 brought = found->second & L2Cache::in_pairs(asked);
    found->second &= u8(~brought);
    return brought;
  }

 private:
  void take_from(Touched& touched, u8 Touched::* of) {
    if (touched.*of == 0 || touched.line >= kLocalLine) return;
    u8& sectors = sectors_[touched.line];
    const u8 first = touched.*of & u8(~sectors);
    sectors |= first;
    touched.*of &= u8(~first);
  }
  std::unordered_map<u64, u8> sectors_;
};

// What a read of two neighbouring sectors finds in the L2 cache: nobody has asked for them, others do so at the same time, they are there.
enum class FirstRead : u8 { unknown, brings, awaits, finds };
FirstRead first_read(const L2Cache& l2, const Touched& touched, u32 pair, u64 block) {
  const auto first = l2.first_to_read(touched.line, pair);
  if (!first) return FirstRead::unknown;
  if (first->turn < touched.turn) return FirstRead::finds;
  return first->block == block ? FirstRead::brings : FirstRead::awaits;
}

}  // namespace

void find_first_reads(const L2Cache& l2, const std::vector<Instruction>& code, BlockRecord& block) {
  // Of a launch with many accesses only some sets of the cache are known. Other lines fare as the last known one of their instruction that
  // came from memory as well, while the blocks ran one after another, or did not either.
  std::unordered_map<u32, std::array<FirstRead, 2>> last;  // by pc
  for (WarpRecord& warp : block.warps)
    for (const Step& step : warp.steps) {
      if (!is_cached_load(code[step.pc]) || step.touched == kNoLines) continue;
      for (u32 k = step.touched; k < step.touched + step.lines; ++k) {
        Touched& touched = warp.touched[k];
        if (touched.turn == kLater || touched.line >= kLocalLine) continue;
        std::array<FirstRead, 2>& of_pc = last[step.pc];
        for (u32 pair = 0; pair < 2; ++pair) {
          const u8 asked = touched.sectors & L2Cache::sectors_of(pair);
          if (asked == 0) continue;
          FirstRead& here = of_pc[(touched.missing & L2Cache::sectors_of(pair)) != 0];
          if (l2.knows(touched.line)) here = first_read(l2, touched, pair, block.index);
          if (here == FirstRead::unknown) continue;
          touched.missing &= u8(~L2Cache::sectors_of(pair));
          if (here == FirstRead::brings) touched.missing |= L2Cache::in_pairs(asked);
          if (here == FirstRead::awaits) touched.awaited |= asked;
        }
      }
    }
}

void pass_l1(const LaunchRecord& record, BlockRecord& block, const std::vector<Touched>& already_there) {
  const std::vector<Instruction>& code = record.launch.program->code;
  OnceInBlock first(code, block, &Touched::missing), awaited(code, block, &Touched::awaited);
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
      const bool is_cached = is_cached_load(in);
      for (u32 k = step.touched; k < step.touched + step.lines; ++k) {
        Touched& touched = warp.touched[k];
        // Every warp has local memory of its own; what it stores there stays until it is replaced, and goes to the L2 cache as well.
        const bool is_local = touched.line >= kLocalLine;
        const u64 line = is_local ? touched.line + (u64(number) << 40) : touched.line;
        const u8 missing = is_cached || is_local ? l1.miss({line, touched.sectors}) : touched.sectors;
        const u8 sectors = in.shape == Shape::store ? touched.sectors : missing;
        touched.asked = sectors;
        step.sectors = narrow(step.sectors + u32(std::popcount(sectors)));
        // A later time, what the L2 cache has lost since.
        const u8 again = (sectors & touched.missing) != 0 ? touched.missing : u8(0);
        const u8 memory = u8(again | (is_cached && !is_local ? first.brought(touched.line, sectors) : 0));
        step.memory = narrow(step.memory + u32(std::popcount(memory)));
        if (is_cached && !is_local) step.awaited |= awaited.brought(touched.line, sectors);
        step.missed_lines += sectors != 0;
      }
    }
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
