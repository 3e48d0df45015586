#include "checking/races/release_graph.h"

#include <algorithm>
#include <iterator>

namespace gpusim {
namespace {

constexpr u64 kMostSynchronisedBlocks = 16384;  // of a grid whose blocks synchronise; larger: not followed
constexpr u32 kMostSteps = 64;  // from what a block knows back to what it knew when it last asked

}  // namespace

void ReleaseGraph::clear(u64 blocks, bool several, std::size_t most_nodes) {
  several_ = several;
  most_nodes_ = most_nodes;
  launches_.clear();
  nodes_.resize(1);
  nodes_[0] = {};
  word_.clear();
  blocks_ = blocks;
  gave_up_ = false;
  first_.clear();
  visited_.clear();
  listed_ = visit_ = 0;
}

ReleaseGraph::KnownClock ReleaseGraph::add(const Node& node) {
  if (nodes_.size() >= most_nodes_ ||
      blocks_ > (several_ ? kMostSynchronisedBlocks << kGpuBits : kMostSynchronisedBlocks)) {
    gave_up_ = true;
    return 0;
  }
  nodes_.push_back(node);
  return KnownClock(nodes_.size() - 1);
}

ReleaseGraph::KnownClock ReleaseGraph::join(KnownClock a, KnownClock b) {
  if (a == 0 || a == b) return b;
  if (b == 0) return a;
  Node both;
  both.before[0] = a;
  both.before[1] = b;
  return add(both);
}

ReleaseGraph::KnownClock ReleaseGraph::publish(u64 address, const Published& what, KnownClock known,
                                               bool is_atomic) {
  const VectorClock& near_until = what.until[cta];
  if (near_until.is_nothing() && is_atomic && !several_) return 0;  // adds nothing to what is known there
  KnownClock& word = word_[address / 4];
  if (near_until.is_nothing() && !several_) return word = 0;
  Node node;
  node.before[0] = is_atomic ? word : 0;
  node.before[1] = known;
  node.publishes = true;
  node.what = what;
  Node& old = nodes_[word];
  if (word != 0 && old.what.publisher == what.publisher && std::ranges::equal(old.what.until, what.until) &&
      old.before[1] == known) {
    old.what = what;  // the same, of now
    return word;
  }
  return word = add(node);
}

bool ReleaseGraph::holds(KnownClock known, Time then, ThreadId earlier, u32 reader) {
  return holds(known, then, earlier, distance_of(earlier, reader));
}

bool ReleaseGraph::holds(KnownClock known, Time then, ThreadId earlier, Scope distance) {
  for (u32 k = first_of_block(known, earlier); k != 0; k = nodes_[k].next) {
    const Node& n = nodes_[k];
    const VectorClock& until = n.what.until[distance];
    const bool same_warp = warp_of(n.what.publisher) == warp_of(earlier);
    if (then < until.block || (same_warp && then < until.warp) ||
        (n.what.publisher == earlier && then < until.thread))
      return true;
  }
  return false;
}

bool ReleaseGraph::holds_flag(KnownClock known, Time then, ThreadId earlier, u64 address) {
  for (u32 k = first_of_block(known, earlier); k != 0; k = nodes_[k].next) {
    const Published& what = nodes_[k].what;
    // An access is noted one tick after what it publishes.
    if (what.publisher == earlier && what.flag.address / 4 == address / 4 && then <= what.when + 1)
      return true;
  }
  return false;
}

const ReleaseGraph::Published* ReleaseGraph::of_block(KnownClock known, ThreadId earlier) {
  KnownClock latest = 0;
  for (u32 k = first_of_block(known, earlier); k != 0; k = nodes_[k].next) latest = std::max(latest, k);
  return latest ? &nodes_[latest].what : nullptr;
}

u32 ReleaseGraph::first_of_block(KnownClock known, ThreadId thread) {
  if (known == 0) return 0;
  list(known);
  const u32 block = block_of(thread);
  return visited_[block] == visit_ ? first_[block] : 0;
}

// Lists all nodes that lead on from one. Adds to the list if that leads to the node it was made for, which is the
// usual case: a block runs on, and knows more and more.
void ReleaseGraph::list(KnownClock known) {
  if (visit_ != 0 && listed_ == known) return;
  first_.resize(blocks_);
  visited_.resize(blocks_);
  KnownClock k = known;
  for (u32 steps = 0; steps < kMostSteps && k != listed_ && !nodes_[k].publishes; ++steps)
    k = nodes_[k].before[0];
  const bool goes_on = visit_ != 0 && k == listed_;
  if (!goes_on) ++visit_, launches_.clear();
  listed_ = known;
  std::vector<KnownClock> open = {known};
  while (!open.empty()) {
    const KnownClock k = open.back();
    open.pop_back();
    Node& n = nodes_[k];
    if (k == 0 || n.visit == visit_) continue;
    n.visit = visit_;
    if (n.publishes) {
      const u32 block = block_of(n.what.publisher);
      n.next = visited_[block] == visit_ ? first_[block] : 0;
      first_[block] = k;
      visited_[block] = visit_;
      if (several_ && !n.what.until[sys].is_nothing() &&
          std::ranges::find(launches_, n.what.launch) == launches_.end())
        launches_.push_back(n.what.launch);
    }
    open.insert(open.end(), std::begin(n.before), std::end(n.before));
  }
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
