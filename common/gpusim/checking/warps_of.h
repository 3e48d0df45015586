// Which instructions only one warp of a block executes.
#pragma once

#include <vector>

#include "execution/events.h"

namespace gpusim {

class WarpsOf {
 public:
  void clear(std::size_t instructions) { warp_.assign(instructions, 0); }
  void add(const Issue& i) {
    u16& warp = warp_[i.pc];
    if (warp != i.warp + 1) warp = warp == 0 ? u16(i.warp + 1) : kMany;
  }
  bool is_one(u32 pc) const { return warp_[pc] != kMany; }

 private:
  static constexpr u16 kMany = 0xffff;
  std::vector<u16> warp_;  // by pc; 0: none, else its number + 1
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
