// Which registers of a kernel still matter at each instruction: two warps that agree in these go on alike.
#pragma once

#include <span>
#include <vector>

#include "analysis/unset_registers.h"
#include "base/word_hash.h"
#include "execution/warp.h"

namespace gpusim {

class LiveRegisters {
 public:
  LiveRegisters(const Program&, const Function& kernel);
  // Adds everything that decides how the warp goes on, but shared and global memory.
  void add(WordHash&, const Warp&) const;
  // The same of each lane of a fragment, by lane. False: it is not known, since the kernel calls functions.
  bool of_lanes(const Fragment&, u64* hash) const;

 private:
  using Bits = std::vector<bool>;
  void find(const Program&, const Function&);

  u32 begin_ = 0;
  std::vector<FrameBytes> registers_;  // that the kernel writes
  std::vector<Bits> live_;  // by pc - begin_; empty: all of a frame counts, since the kernel calls functions
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
