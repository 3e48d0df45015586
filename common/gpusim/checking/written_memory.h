// The memory that a launch may change, judging by the kernel's code and its arguments. There can be no race for memory that it
// only reads, so the readers there need not be recorded.
#pragma once

#include <algorithm>
#include <vector>

#include "execution/events.h"
#include "memory/memory.h"

namespace gpusim {

class WrittenMemory {
 public:
  // Nothing is known: it may change all memory.
  WrittenMemory() = default;
  WrittenMemory(const LaunchInfo&, const Memory&);

  // Whether it may change some of the bytes of an access.
  bool is_touched_by(const Access& a) const {
    if (is_all_) return true;
    const auto [low, high] = ends(a);
    const auto& beyond = std::ranges::upper_bound(ranges_, low, {}, &Range::end);
    return beyond != ranges_.end() && beyond->begin < high + a.bytes;
  }

  // Whether it may change some of the allocation's bytes.
  bool may_hold(const Allocation& a) const {
    return is_all_ || std::ranges::binary_search(ranges_, a.base, {}, &Range::begin);
  }

  // The launch writes here although that was not foreseen: the program counts from one array into another. Remembers it from now
  // on.
  void add(const Access&, const Memory&);

 private:
  struct Range {
    u64 begin, end;
  };
  struct Ends {
    u64 low, high;  // the smallest and the largest address
  };
  static Ends ends(const Access&);
  void add(const Allocation*);

  bool is_all_ = true;
  std::vector<Range> ranges_;  // of whole allocations, ascending
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
