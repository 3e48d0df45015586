#include "timing/launch_record.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace gpusim::timing {

namespace {

// How often a line must be read so that a least-recently-used cache of `room` lines usually still has it, if reads come in random
// order. A line with r reads stays with probability 1 - exp(-r t), where t is such that as many lines stay as fit
// (Che, Tung and Wang, Hierarchical Web Caching Systems, 2002).
double reads_that_keep(const std::vector<u64>& reads, u64 room) {
  double least = 0, most = 1;  // of t
  for (int round = 0; round < 40; ++round) {
    const double t = (least + most) / 2;
    double stay = 0;
    for (const u64 each : reads) stay += 1 - std::exp(-double(each) * t);
    (stay < double(room) ? least : most) = t;
  }
  return std::numbers::ln2 / least;
}

}  // namespace

std::vector<Touched> read_by_several(const LaunchRecord& record) {
  constexpr double kMost = 0.5;  // of what an instruction reads
  struct Line {
    std::size_t block = 0;  // that read it first
    u8 sectors = 0;
    bool by_several = false;
    u64 reads = 0;
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
    ++line.reads;
    line.sectors |= touched.sectors;
  });
  std::unordered_map<u32, Use> uses;  // by pc
  each([&](std::size_t, u32 pc, const Touched& touched) {
    Use& use = uses[pc];
    ++use.reads;
    use.of_several += lines[touched.line].by_several;
  });
  std::unordered_map<u64, u64> found;  // line: reads
  each([&](std::size_t, u32 pc, const Touched& touched) {
    const Line& line = lines[touched.line];
    if (line.by_several && double(uses[pc].of_several) > kMost * double(uses[pc].reads))
      found[touched.line] = line.reads;
  });
  const u64 room = record.whole_l1_bytes >> kLineShift;
  std::vector<u64> reads_of_all;
  for (const auto& each : lines) reads_of_all.push_back(each.second.reads);
  const double least = found.size() > room ? reads_that_keep(reads_of_all, room) : 0;
  std::vector<Touched> result;
  for (const auto& [line, reads] : found)
    if (double(reads) >= least) result.push_back({line, lines[line].sectors, 0});
  return result;
}

namespace {

bool is_cached_load(const Instruction& in) {
  return in.shape == Shape::load && in.space != Space::shared && in.order == MemoryOrder::weak;
}

// The sectors that some loads of a block bring or await (`of`), whichever warp it is. They were recorded for the warp that ran
// first here, but on a multiprocessor another warp may be the first to ask the L2 cache for them.
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

// What a warp has stored since it last waited for anything: its stores to the same sectors become one on their way to the L2 cache.
class StoredLately {
 public:
  void forget() { sectors_.clear(); }
  // How many sectors of a store go to the L2 cache on their own. Measured, of 2 to 4 stores one behind the other to the words of a
  // structure: up to 16 sectors each nearly all of the later ones' join those of the first, and of 32 hardly any.
  u32 own(const Touched* begin, const Touched* end) {
    constexpr double kAllJoin = 16, kNoneJoins = 32;
    u32 all = 0, again = 0;
    for (const Touched* touched = begin; touched != end; ++touched) {
      u8& stored = sectors_[touched->line];
      all += u32(std::popcount(touched->sectors));
      again += u32(std::popcount(u8(touched->sectors & stored)));
      stored |= touched->sectors;
    }
    const double joins = std::clamp((kNoneJoins - all) / (kNoneJoins - kAllJoin), 0.0, 1.0);
    return all - u32(std::lround(again * joins));
  }

 private:
  std::unordered_map<u64, u8> sectors_;
};

// What a read of two neighbouring sectors finds in the L2 cache: it is the first to ask for them, other blocks are asking at the same
// time, or they are there.
enum class FirstRead : u8 { unknown, brings, awaits, finds };
FirstRead first_read(const L2Cache& l2, const Touched& touched, u32 pair, u64 block) {
  const auto first = l2.first_to_read(touched.line, pair);
  if (!first) return FirstRead::unknown;
  if (first->turn < touched.turn) return FirstRead::finds;
  return first->block == block ? FirstRead::brings : FirstRead::awaits;
}

}  // namespace

void find_first_reads(const L2Cache& l2, const std::vector<Instruction>& code, BlockRecord& block) {
  // In a launch with many accesses, only some sets of the cache are known. A line in another set counts like the last known line
  // of the same instruction for which memory was asked as well, or was not either, while the blocks ran one after another.
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

namespace {

// Until then earlier stores have gone.
bool lets_stores_go(const Instruction& in) {
  const bool loads = reads_addressed(in.shape) && in.space != Space::param && in.space != Space::constant;
  return loads || orders_memory(in.shape) || has_slow_path(in);
}
bool is_global_store(const Instruction& in) {
  return in.shape == Shape::store && in.space != Space::shared && in.space != Space::local;
}

// What others have written is not in the L1 cache, so a fence throws away what is. nvcc puts CCTL.IVALL behind it.
bool empties_l1(const Instruction& in) { return in.shape == Shape::fence && !in.block_scope; }

void join_stores(StoredLately& stored, const WarpRecord& warp, Step& step) {
  const Touched* const begin = warp.touched.data() + step.touched;
  const u32 own = stored.own(begin, begin + step.lines);
  step.missed_lines = narrow((u32(step.missed_lines) * own + step.sectors - 1) / step.sectors);
  step.sectors = narrow(own);
}

// Of a line that many blocks read, the sectors that a block finds in the L1 cache of its multiprocessor, which was empty when the launch
// began. If c other blocks there read a sector, this one is the first with the probability 1 / (1 + c). On another multiprocessor
// than the one whose reads are known, that many of its blocks are taken to read it, but for this one. Which sectors those are is drawn
// by their numbers, so that each run draws the same.
u8 brought_before(const LaunchRecord& record, u64 block, const Touched& table) {
  if (record.blocks_run < record.launch.grid.count())
    return table.sectors;  // too few of its blocks are known
  const auto found = record.on_one.find(table.line);
  const double blocks =
      double((record.launch.grid.count() + record.multiprocessors - 1) / record.multiprocessors);
  const bool is_known = block % record.multiprocessors == 0;
  u8 out = 0;
  for (u32 sector = 0; sector < kSectorsInLine; ++sector) {
    const double readers = found == record.on_one.end() ? 0 : found->second.blocks[sector];
    const double others = is_known ? std::max(0.0, readers - 1) : readers * (blocks - 1) / blocks;
    u64 drawn = (table.line * kSectorsInLine + sector) * 0x9e3779b97f4a7c15u + block * 0xbf58476d1ce4e5b9u;
    drawn = (drawn ^ drawn >> 29) * 0x94d049bb133111ebu;
    const bool is_first = double(drawn >> 32) * (1 + others) < double(u64(1) << 32);
    if (!is_first) out |= u8(1u << sector);
  }
  return u8(out & table.sectors);
}

}  // namespace

void pass_l1(const LaunchRecord& record, BlockRecord& block, const std::vector<Touched>& already_there) {
  const std::vector<Instruction>& code = record.launch.program->code;
  OnceInBlock first(code, block, &Touched::missing), awaited(code, block, &Touched::awaited);
  L1Share l1;
  // Lines that stay take room from the rest, but no more than half.
  const u64 kept = std::min(u64(already_there.size()) << kLineShift, record.whole_l1_bytes / 2);
  l1.begin(record.l1_bytes -
           u64(double(record.l1_bytes) * double(kept) / double(std::max<u64>(record.whole_l1_bytes, 1))));
  for (const Touched& touched : already_there)
    l1.keep({touched.line, brought_before(record, block.index, touched)});
  std::vector<StoredLately> stored(block.warps.size());
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
      if (lets_stores_go(in)) stored[number].forget();
      if (empties_l1(in)) l1.begin(record.l1_bytes);
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
      if (is_global_store(in) && step.sectors > 0) join_stores(stored[number], warp, step);
    }
  }
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
