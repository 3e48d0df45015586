// How many global loads a warp has in flight when it first needs one of them.
//
// A load fills its registers several hundred cycles later. Meanwhile the warp continues, until an instruction reads or writes one of
// these registers. At this point all of the warp's loads count as arrived, because loads that are issued within a few instructions
// arrive at about the same time. (So a load that is issued early and needed after several waits is counted as in flight once.)
//
// Copying a register needs no value: the copy becomes another name for the load. (PTX has many such copies, where branches join and
// between types; ptxas makes no instructions of them.)
//
// Diverged lanes wait on their own. A call waits for all loads, because the callee does not know them. Loads that nothing uses are
// forgotten when the function ends.
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

  // How many loads the instruction waits for. To be called before its own access is reported. Nearly always 0, and quick then.
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

  // Blocks take long turns, and most have no loads in flight when their turn ends.
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

  // The registers that the instruction writes become names of loads, or stop being names.
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
// SPDX-License-Identifier: MIT
