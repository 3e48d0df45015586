// What threads make known to others through words of global memory, as a graph that grows: a publication makes known
// accesses of its thread, and what the thread had come to know before.
#pragma once

#include <unordered_map>
#include <vector>

#include "device/events.h"

namespace gpusim {

// Events in the order of execution, counted over all launches; 0: never.
using Time = u32;

// A thread of the grid: block × 1024 + thread.
using Who = u32;
inline constexpr u32 kThreadBits = 10;
inline constexpr u64 kMostBlocks = u64(1) << (32 - kThreadBits);
inline u32 block_of(Who who) { return who >> kThreadBits; }
inline u32 thread_of(Who who) { return who & ((1u << kThreadBits) - 1); }
inline u32 warp_of(Who who) { return who / kWarpSize; }  // of the grid
inline Who who_is(const Issue& i, u32 lane) {
  return u32(i.block) << kThreadBits | i.warp * kWarpSize | lane;
}

// Accesses of a thread, of its warp and of its block before these times.
struct Until {
  Time thread = 0, warp = 0, block = 0;
  bool is_nothing() const { return thread == 0 && warp == 0 && block == 0; }
  bool operator==(const Until&) const = default;
};

class Publications {
 public:
  using Known = u32;  // something that is known: a node of the graph; 0: nothing

  void clear(u64 blocks);
  bool gave_up() const { return gave_up_; }  // too much to follow

  // What reading a word makes known.
  Known at(u64 address) const {
    const auto found = word_.find(address / 4);
    return found == word_.end() ? 0 : found->second;
  }
  // The publisher writes a word: whoever reads it knows what the publisher knew and, being of its block, all `near`;
  // being of another block, all `far`. What was published there before stays known if the write was an atomic.
  void publish(u64 address, Who publisher, const Until& near, const Until& far, Known known, bool is_atomic);

  Known join(Known, Known);
  // Whether `known` holds what `earlier` did at `then`, for a thread of block `reader`.
  bool holds(Known known, Time then, Who earlier, u32 reader);
  // Whether it holds something that a thread of this block published.
  bool is_of(Known known, u32 block) const {
    return nodes_[known].publishes && block_of(nodes_[known].publisher) == block;
  }

 private:
  struct Node {
    Known before[2] = {};  // what else is known
    Who publisher = 0;
    bool publishes = false;  // else it joins two
    Until near, far;
    u32 next = 0;  // in the list of nodes of one block
    u32 visit = 0;
  };
  Known add(const Node&);
  void list(Known);

  std::vector<Node> nodes_;              // [0] is nothing
  std::unordered_map<u64, Known> word_;  // global address / 4
  u64 blocks_ = 0;
  bool gave_up_ = false;
  // Nodes that `listed_` leads to, by publishing block: valid where visited_ is visit_.
  std::vector<u32> first_, visited_;
  Known listed_ = 0;
  u32 visit_ = 0;
};

}  // namespace gpusim
