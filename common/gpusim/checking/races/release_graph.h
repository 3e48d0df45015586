// What threads make known to others through words of global memory, as a graph that grows: a publication makes known
// accesses of its thread, and what the thread had come to know before.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "execution/events.h"

namespace gpusim {

// Events in the order of execution, counted over all launches; 0: never.
using Time = u32;

// A thread of the grid: block × 1024 + thread.
using ThreadId = u32;
inline constexpr u32 kThreadBits = 10;
inline constexpr u64 kMostBlocks = u64(1) << (32 - kThreadBits);
inline u32 block_of(ThreadId who) { return who >> kThreadBits; }
// Where several GPUs share memory, block b of a grid of GPU g counts as block b × 16 + g.
inline constexpr u32 kGpuBits = 4;
inline u32 gpu_of(ThreadId who) { return block_of(who) & ((1u << kGpuBits) - 1); }
inline u32 thread_of(ThreadId who) { return who & ((1u << kThreadBits) - 1); }
inline u32 warp_of(ThreadId who) { return who / kWarpSize; }  // of the grid
inline ThreadId thread_id(const Issue& i, u32 lane) {
  return u32(i.block) << kThreadBits | i.warp * kWarpSize | lane;
}

// Whom a fence or an atomic reaches: threads of the block, of the GPU, of all GPUs.
enum Scope : u32 { cta, gpu, sys, kScopes };

// Accesses of a thread, of its warp and of its block before these times.
struct VectorClock {
  Time thread = 0, warp = 0, block = 0;
  bool is_nothing() const { return thread == 0 && warp == 0 && block == 0; }
  bool operator==(const VectorClock&) const = default;
};

// By which a message is sent.
struct Flag {
  u64 address = 0;
  u32 bytes = 0;
};

class ReleaseGraph {
 public:
  // The graph follows no more nodes than this, and fewer in a sampled launch: in a grid that meets again and again, searching them would
  // take longer than the kernel.
  static constexpr std::size_t kMostNodes = std::size_t(1) << 20, kMostSampledNodes = std::size_t(1) << 12;

  using KnownClock = u32;  // something that is known: a node of the graph; 0: nothing

  // What a node tells whoever comes to know it.
  struct Published {
    VectorClock until[kScopes];  // for each distance of the reader
    ThreadId publisher = 0;
    Time when = 0;
    Time met = 0;  // the next barrier of its block, which others of the block may have waited at; 0: not yet
    u32 launch = 0;         // of the publisher, where there are several GPUs
    u32 pc = 0, fence = 0;  // its instruction; that of the fence before it, 0: none
    Flag flag;
  };

  // `several` GPUs: nodes are made of stores that publish nothing, too, to say so; and remembered over launches.
  void clear(u64 blocks, bool several = false, std::size_t most_nodes = kMostNodes);
  // Blocks up to number `blocks` may follow.
  void expect(u64 blocks) { blocks_ = std::max(blocks_, blocks); }
  bool gave_up() const { return gave_up_; }  // too much to follow

  // What reading a word makes known.
  KnownClock at(u64 address) const {
    const auto found = word_.find(address / 4);
    return found == word_.end() ? 0 : found->second;
  }
  // The publisher writes a word. A reader of the word knows what the publisher knew. Besides, it knows all of until[cta] if it is
  // in the publisher's block, of until[gpu] if it is on the same GPU, and of until[sys] on another GPU. Earlier publications at
  // the word stay known if the write was an atomic. Returns what the word holds now.
  KnownClock publish(u64 address, const Published&, KnownClock known, bool is_atomic);
  // The publisher's block has met at a barrier.
  void met(KnownClock published, Time when) {
    if (nodes_[published].what.met == 0) nodes_[published].what.met = when;
  }

  KnownClock join(KnownClock, KnownClock);
  // Whether, for a thread of block `reader`, `known` includes what `earlier` did at `then`.
  bool holds(KnownClock known, Time then, ThreadId earlier, u32 reader);
  // The same for a thread at this distance from the publisher.
  bool holds(KnownClock known, Time then, ThreadId earlier, Scope);
  // Whether it holds a flag that `earlier` set at `address`, at `then` or later.
  bool holds_flag(KnownClock known, Time then, ThreadId earlier, u64 address);
  // The latest publication by the block of `earlier` that `known` includes; null if there is none.
  const Published* of_block(KnownClock known, ThreadId earlier);
  // The launches that published something for all GPUs that `known` holds.
  const std::vector<u32>& launches(KnownClock known) {
    list(known);
    return launches_;
  }
  // Whether it holds something that a thread of this block published.
  bool is_of(KnownClock known, u32 block) const {
    return nodes_[known].publishes && block_of(nodes_[known].what.publisher) == block;
  }
  // How far a thread of block `reader` is from whoever published it.
  Scope distance(KnownClock known, u32 reader) const {
    return nodes_[known].publishes ? distance_of(nodes_[known].what.publisher, reader) : cta;
  }

 private:
  struct Node {
    KnownClock before[2] = {};  // what else is known
    bool publishes = false;     // else it joins two
    Published what;
    u32 next = 0;  // in the list of nodes of one block
    u32 visit = 0;
  };
  KnownClock add(const Node&);
  Scope distance_of(ThreadId publisher, u32 reader) const {
    if (block_of(publisher) == reader) return cta;
    return several_ && gpu_of(publisher) != gpu_of(reader << kThreadBits) ? sys : gpu;
  }
  void list(KnownClock);
  // The first node of what `known` holds that the block of `thread` published; `next` leads to the others. 0: none.
  u32 first_of_block(KnownClock known, ThreadId thread);

  std::vector<Node> nodes_;                   // [0] is nothing
  std::unordered_map<u64, KnownClock> word_;  // global address / 4
  u64 blocks_ = 0;
  std::size_t most_nodes_ = kMostNodes;
  bool gave_up_ = false, several_ = false;
  // Nodes that `listed_` leads to, by publishing block: valid where visited_ is visit_.
  std::vector<u32> first_, visited_;
  std::vector<u32> launches_;  // … that publish something in them
  KnownClock listed_ = 0;
  u32 visit_ = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
