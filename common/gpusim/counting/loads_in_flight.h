// How many global loads a warp has in flight when it first needs one of them.
//
// A load fills its registers some hundred cycles later, and until then the warp goes on. It waits at the first
// instruction that reads one of these registers, or writes it. Then all loads that it has made count as arrived:
// those made a few instructions apart arrive together. (So a load that is made early, and needed several waits
// later, is in flight once.)
//
// A copy of a register is no need: it is only another name for what is on its way. (PTX copies at every turn, where
// values of a branch meet and between types; ptxas makes no instruction of that.)
//
// Lanes that execute apart wait apart. A call waits for everything, since the callee does not know what is on its
// way; what a function or a kernel never uses is dropped when it ends.
#pragma once

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "execution/events.h"
#include "ptx/program.h"

namespace gpusim {

class LoadsInFlight {
 public:
  // Whether the warp has loads in flight.
  bool waits(const Issue& i) { return total_ != 0 && !of(i).empty(); }
  bool waits(u64 block, u32 warp) { return waits({0, 0, block, warp}); }

  // For how many loads the instruction waits; to be asked before its own access is told. Nearly always 0, and known
  // to be so after a glance.
  u32 awaited(const Issue& i, const Program& program) {
    return total_ == 0 ? 0 : awaited_of_some(i, program);
  }

  void loaded(const Issue& i, const Instruction& in) {
    Load load{i.mask, {}, 0};
    for (u32 k = 0; k < in.vector; ++k)
      if (in.d[k] != kNoOperand) load.add(in.d[k]);
    if (load.count == 0) return;
    of(i).push_back(load);
    ++total_;
  }

  const u64* total() const { return &total_; }  // of all warps

  void clear() {
    for (std::vector<Load>& loads : of_warp_) loads.clear();
    put_by_.clear();
    total_ = 0;
  }

 private:
  static constexpr u32 kMostWarps = 32;  // of a block

  struct Load {
    static constexpr u32 kMost = 16;  // 4 elements, and copies of them

    Mask mask;
    FrameOffset registers[kMost];
    u32 count;

    bool fills(FrameOffset r) const {
      return r != kNoOperand && std::find(registers, registers + count, r) != registers + count;
    }
    bool fills_any(std::span<const FrameOffset> some) const {
      return std::any_of(some.begin(), some.end(), [&](FrameOffset r) { return fills(r); });
    }
    void add(FrameOffset r) {
      if (r != kNoOperand && !fills(r) && count < kMost) registers[count++] = r;
    }
    void remove(FrameOffset r) { count = u32(std::remove(registers, registers + count, r) - registers); }
  };

  std::vector<Load>& of(const Issue& i) {
    if (i.block != block_) change_to(i.block);
    return of_warp_[i.warp % kMostWarps];
  }

  // Blocks take long turns, and most have nothing in flight when theirs ends.
  [[gnu::noinline]] void change_to(u64 block) {
    if (total_ != 0)
      for (u32 warp = 0; warp < kMostWarps; ++warp)
        if (!of_warp_[warp].empty()) put_by_[block_ * kMostWarps + warp] = std::exchange(of_warp_[warp], {});
    block_ = block;
    if (put_by_.empty()) return;
    for (u32 warp = 0; warp < kMostWarps; ++warp)
      if (auto found = put_by_.extract(block_ * kMostWarps + warp))
        of_warp_[warp] = std::move(found.mapped());
  }

  [[gnu::noinline]] u32 awaited_of_some(const Issue& i, const Program& program) {
    std::vector<Load>& loads = of(i);
    if (loads.empty()) return 0;
    return awaited(i, program.code[i.pc], loads);
  }

  // The registers written become names of what is on its way, or cease to be.
  static void copy(const Instruction& in, Mask mask, std::vector<Load>& loads) {
    for (Load& load : loads) {
      if ((load.mask & mask) == 0) continue;
      const bool is_its_value = load.fills_any(in.s);
      for (FrameOffset r : in.d) is_its_value ? load.add(r) : load.remove(r);
    }
  }

  u32 awaited(const Issue& i, const Instruction& in, std::vector<Load>& loads) {
    if (in.shape == Shape::move) return copy(in, i.mask, loads), 0;
    const bool leaves = in.shape == Shape::leave;
    const auto is_needed = [&](const Load& load) {
      return (load.mask & i.mask) != 0 &&
             (in.shape == Shape::call || load.fills_any(in.s) || load.fills_any(in.d));
    };
    if (!leaves && std::none_of(loads.begin(), loads.end(), is_needed)) return 0;
    u32 arrived = 0;
    for (Load& load : loads) {
      arrived += (load.mask & i.mask) != 0;
      load.mask &= ~i.mask;
    }
    total_ -= std::erase_if(loads, [](const Load& load) { return load.mask == 0; });
    return leaves ? 0 : arrived;
  }

  u64 block_ = 0;  // whose warps these are
  std::vector<Load> of_warp_[kMostWarps];
  std::unordered_map<u64, std::vector<Load>> put_by_;  // of other blocks
  u64 total_ = 0;
};

}  // namespace gpusim
