// Races with plain accesses, by what the weak memory model says of each agent. The race check (checking/races) follows messages by
// the newest one of each word. So it misses a race where a load has got an older one, and this looks again.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "execution/events.h"
#include "exploration/weak_memory.h"

namespace gpusim {

class PlainAccesses {
 public:
  struct Race {
    u64 address = 0;
    AgentId earlier = 0, later = 0;
    u32 earlier_pc = 0, later_pc = 0;
    bool earlier_writes = false, later_writes = false;
    bool stores_equal = false;  // two stores of the same value
  };
  // Global memory: `agent`, which is at this view, makes the access. `same`: lanes that store what is there already.
  void access(AgentId agent, const View&, const Access&, bool is_strong, Mask same);
  // The first one, but one of equal values only where there is no other.
  const std::optional<Race>& race() const { return race_; }

 private:
  struct Touch {
    AgentId agent = kNobody;
    u32 moment = 0, pc = 0;
    u8 bytes = 0;  // of the four, as a mask
    bool is_strong = false;
    bool is_same = false;
  };
  struct Cell {
    Touch write;
    std::vector<Touch> reads;  // of each agent the last
  };
  void compare(const Touch& earlier, bool earlier_writes, const Touch& now, bool writes, const View&,
               u64 address);

  std::unordered_map<u64, Cell> cells_;  // by address / 4
  std::optional<Race> race_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
