// Remembers, for elements of global memory that several threads update by atomics, the updates before the last one.
//
//   atomicAdd(total, x);                       // all threads of all blocks
//   if (is_last_block()) result = *total;      // ordered after its own block's updates, not after those of others
//
// Atomics do not race with each other, so nothing orders them, and the last one does not stand for those before it: a plain access
// that is ordered after it may race with any of them.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "checking/races/release_graph.h"

namespace gpusim {

// Keeps few updates of each element, so that an atomic stays cheap: the latest of two warps of each of the latest blocks. Barriers and
// fences usually order everything that one warp or one block did in the same way. `Update` has `who`, a ThreadId; `Element` is the
// address of an element.
template <class Update, class Element>
class EarlierUpdates {
 public:
  void clear() { of_.clear(); }
  // Those of an element, in order; or null.
  const std::vector<Update>* find(const Element& element) const {
    if (of_.empty()) return nullptr;
    const auto found = of_.find(&element);
    return found == of_.end() ? nullptr : &found->second;
  }
  void forget(const Element& element) {
    if (!of_.empty()) of_.erase(&element);
  }
  // An update that another thread's has followed. False: there is no room for another element.
  bool add(const Element& element, const Update& update) {
    if (of_.size() >= kMostElements && !of_.contains(&element)) return false;
    std::vector<Update>& kept = of_[&element];
    const auto same_warp = [&](const Update& u) { return warp_of(u.who) == warp_of(update.who); };
    const auto same_block = [&](const Update& u) { return block_of(u.who) == block_of(update.who); };
    auto old = std::ranges::find_if(kept, same_warp);
    if (old == kept.end() && std::ranges::count_if(kept, same_block) == kOfBlock)
      old = std::ranges::find_if(kept, same_block);
    if (old == kept.end() && kept.size() == kMost) old = kept.begin();
    if (old != kept.end()) kept.erase(old);
    kept.push_back(update);
    return true;
  }

 private:
  static constexpr std::size_t kMost = 6, kMostElements = std::size_t(1) << 20;
  static constexpr std::ptrdiff_t kOfBlock = 2;
  std::unordered_map<const Element*, std::vector<Update>> of_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
