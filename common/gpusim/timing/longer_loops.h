// Loops of several basic blocks.
#pragma once

#include <algorithm>
#include <vector>

#include "ptx/cfg.h"
#include "timing/issue_costs.h"

namespace gpusim::timing {

// What leads from a round of a loop to the next: from its last block to its first one.
struct WayBack {
  u32 last, first;
};

// The innermost loops of several blocks, each with one way back.
class LongerLoops {
 public:
  LongerLoops(const BasicBlocks& blocks, u32 root)
      : blocks_(blocks), predecessors_(blocks.successors.size()) {
    for (u32 b = 0; b < blocks.successors.size(); ++b)
      for (const u32 next : blocks.successors[b]) predecessors_[next].push_back(b);
    idom_ = ptx::dominators(root, blocks.successors, predecessors_);
    for (u32 b = 0; b < idom_.size(); ++b)
      for (const u32 next : blocks.successors[b])
        if (dominates(next, b)) ways_.push_back({b, next});
  }
  template <class F> void for_each(F f) const {
    for (const WayBack& way : ways_) {
      const std::vector<u32> inside = inside_of(way);
      const auto is_inside = [&](u32 b) { return std::ranges::find(inside, b) != inside.end(); };
      const auto others =
          std::ranges::count_if(ways_, [&](const WayBack& each) { return is_inside(each.last); });
      if (inside.size() > 1 && others == 1) f(way, inside);
    }
  }
  bool dominates(u32 above, u32 b) const {
    if (idom_[b] == ptx::kNone) return false;
    while (b != above && idom_[b] != b) b = idom_[b];
    return b == above;
  }

 private:
  // Whatever can reach the last block without coming past the first one.
  std::vector<u32> inside_of(const WayBack& way) const {
    std::vector<u32> inside{way.first};
    if (way.last != way.first) inside.push_back(way.last);
    for (std::size_t k = 1; k < inside.size(); ++k)
      for (const u32 before : predecessors_[inside[k]])
        if (std::ranges::find(inside, before) == inside.end()) inside.push_back(before);
    return inside;
  }

  const BasicBlocks& blocks_;
  ptx::Edges predecessors_;
  std::vector<u32> idom_;
  std::vector<WayBack> ways_;
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
