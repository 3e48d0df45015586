// Which of two accesses of one launch comes first by the program's own synchronisation, whatever the schedule.
//
// Access a of thread s is ordered before access b of thread t if
//   they are the same thread; or one block, and a block barrier lies between; or one warp, and a chain of
//   __syncwarp lies between whose masks lead from s to t; or a is *published* and b comes after its *acquisition*:
//     s executes a fence after a and then an atomic or a volatile store on some word of global memory; the block
//     of t executes an atomic or a volatile load on that word. A barrier (in a warp: __syncwarp) may stand between
//     a and the fence, or between the fence and the atomic, and another thread may execute what follows it.
// The order of events here is one that a GPU might take; what is unordered here may come the other way there.
//
// Where this is not exact it says "ordered", so that no right kernel is accused: an acquisition counts for all
// threads of the block, every fence counts as one for the device, a barrier of some warps as one of the block.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "device/events.h"
#include "observers/resident_blocks.h"

namespace gpusim {

// Events in the order of execution, counted over all launches; 0: never.
using Time = u32;

// A thread of the grid: block × 1024 + thread.
using Who = u32;
inline constexpr u32 kThreadBits = 10;
inline constexpr u64 kMostBlocks = u64(1) << (32 - kThreadBits);
inline u32 block_of(Who who) { return who >> kThreadBits; }
inline u32 thread_of(Who who) { return who & ((1u << kThreadBits) - 1); }
inline Who who_is(const Issue& i, u32 lane) { return u32(i.block) << kThreadBits | i.warp * kWarpSize | lane; }

class GridOrder {
 public:
  GridOrder();
  ~GridOrder();  // where Block is known

  void launch_begin(const LaunchInfo&);
  void block_begin(u64 block);
  void block_end(u64 block);
  void barrier(u64 block);
  void warp_barrier(const Issue&, Mask members);
  void fence(const Issue&);
  // An atomic or volatile access to global memory: it acquires, publishes or both.
  void strong_access(const Access&);

  Time tick() { return ++now_; }
  Time now() const { return now_; }
  void restart_clock() { now_ = 0; }

  // Whether what `earlier` did at `then` is ordered before what `later`, a thread of a running block, does now.
  bool ordered(Time then, Who earlier, Who later);

 private:
  struct Block;
  // What one atomic or volatile store makes known: all that happened before these times, and what two earlier
  // nodes make known. Or, with no block, just the latter.
  struct Node {
    u32 before[2] = {};           // indices in nodes_, 0: none
    Who publisher = 0;
    bool publishes = false;
    Time thread = 0, warp = 0, block = 0;  // accesses of the publisher, its warp, its block before these
    u32 next = 0;                 // in the list of nodes of one block
    u32 visit = 0;
  };
  Block& block(u64 index);  // a running one
  void acquire(Block&, u64 address);
  void publish(Block&, const Access&, u32 lane);
  u32 add(const Node&);
  bool published(Time then, Who earlier, const Block& later);
  void list_what_is_known(const Block&);

  Time now_ = 0;
  LaunchInfo launch_;
  u64 blocks_ = 0;
  bool fenced_ = false;   // in this launch
  bool gave_up_ = false;  // too much synchronisation to follow: everything counts as ordered
  std::unique_ptr<ResidentBlocks<Block>> running_;

  std::vector<Node> nodes_;                   // [0] is none
  std::unordered_map<u64, u32> word_;         // global address / 4 → the node that reading it acquires
  // Nodes that one block knows, by publishing block: valid for known_block_ and all it had acquired by known_node_.
  std::vector<u32> known_, known_visit_;
  u64 known_block_ = 0;
  u32 known_node_ = 0, visit_ = 0;
};

}  // namespace gpusim
