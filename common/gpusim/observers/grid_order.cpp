#include "observers/grid_order.h"

#include <algorithm>
#include <array>
#include <bit>

#include "device/each_lane.h"

namespace gpusim {
namespace {

constexpr u64 kMostSynchronisedBlocks = 16384;   // of a grid whose blocks synchronise; larger: not followed
constexpr std::size_t kMostNodes = std::size_t(1) << 20;
constexpr u32 kRecent = 64;

struct WarpOrder {
  Time met = 0;             // last __syncwarp of the whole warp
  Time any_met = 0;         // … of any lanes
  Time fence = 0;           // last fence of any lane
  Time fence_then_met = 0;  // last fence that a __syncwarp followed
  Time met_then_fence = 0, barrier_then_fence = 0;  // last __syncwarp and block barrier that a fence followed
  bool parted = false;      // some __syncwarp was not of the whole warp: `seen` counts
  Time lane_fence[kWarpSize] = {};
};
// seen[a][b]: accesses of lane b before this time are ordered before what lane a does now.
using Seen = std::array<std::array<Time, kWarpSize>, kWarpSize>;

}  // namespace

struct GridOrder::Block {
  u64 index = 0;
  Time barrier = 0;             // last block barrier
  Time fence = 0;               // last fence of any thread
  Time fence_then_barrier = 0;  // last fence that a barrier followed
  u32 acquired = 0;             // node
  u32 recently_acquired[kRecent] = {};
  std::vector<WarpOrder> warp;
  std::vector<std::unique_ptr<Seen>> seen;  // by warp

  void begin(const LaunchInfo& launch) {
    barrier = fence = fence_then_barrier = 0;
    acquired = 0;
    std::fill(std::begin(recently_acquired), std::end(recently_acquired), 0);
    warp.assign(launch.warps_per_block, {});
    seen.resize(launch.warps_per_block);
  }
};

GridOrder::GridOrder() : running_(std::make_unique<ResidentBlocks<Block>>()), nodes_(1) {}
GridOrder::~GridOrder() = default;

void GridOrder::launch_begin(const LaunchInfo& launch) {
  launch_ = launch;
  blocks_ = launch.grid.count();
  fenced_ = gave_up_ = false;
  running_->clear();
  nodes_.resize(1);
  word_.clear();
  known_.clear();
  known_visit_.clear();
  known_node_ = visit_ = 0;
}

void GridOrder::block_begin(u64 index) {
  running_->begin(launch_, index);
  block(index).index = index;
}
void GridOrder::block_end(u64 index) { running_->end(index); }
GridOrder::Block& GridOrder::block(u64 index) { return *running_->find(index); }

void GridOrder::barrier(u64 index) {
  Block& b = block(index);
  b.barrier = tick();
  b.fence_then_barrier = b.fence;
}

void GridOrder::warp_barrier(const Issue& i, Mask members) {
  Block& b = block(i.block);
  WarpOrder& w = b.warp[i.warp];
  w.any_met = tick();
  w.fence_then_met = w.fence;
  members |= i.mask;  // lanes that name different masks in one instruction
  if (members == kAllLanes) {
    w.met = w.any_met;
    return;
  }
  std::unique_ptr<Seen>& seen = b.seen[i.warp];
  if (!seen) seen = std::make_unique<Seen>();
  if (!w.parted) *seen = {};
  w.parted = true;
  std::array<Time, kWarpSize> all = {};  // what any member has seen, all members have seen now
  for_each_lane(members, [&](u32 l) {
    for (u32 k = 0; k < kWarpSize; ++k) all[k] = std::max(all[k], (*seen)[l][k]);
  });
  for_each_lane(members, [&](u32 l) { all[l] = now_; });
  for_each_lane(members, [&](u32 l) { (*seen)[l] = all; });
}

void GridOrder::fence(const Issue& i) {
  Block& b = block(i.block);
  WarpOrder& w = b.warp[i.warp];
  fenced_ = true;
  b.fence = w.fence = tick();
  w.met_then_fence = w.any_met;
  w.barrier_then_fence = b.barrier;
  for_each_lane(i.mask, [&](u32 l) { w.lane_fence[l] = now_; });
}

void GridOrder::strong_access(const Access& a) {
  // .acquire, .release, .acq_rel: a fence of its own
  const bool releases = a.instruction && a.instruction->is_release;
  if (releases || (a.kind == AccessKind::atomic && a.is_volatile)) fence(a);
  if (!fenced_) return;
  Block& b = block(a.block);
  for_each_lane(a.mask, [&](u32 l) {
    if (a.kind != AccessKind::store) acquire(b, a.address[l]);
    if (a.kind != AccessKind::load) publish(b, a, l);
  });
}

u32 GridOrder::add(const Node& node) {
  if (nodes_.size() >= kMostNodes || blocks_ > kMostSynchronisedBlocks) {
    gave_up_ = true;
    return 0;
  }
  nodes_.push_back(node);
  return u32(nodes_.size() - 1);
}

void GridOrder::acquire(Block& b, u64 address) {
  const auto found = word_.find(address / 4);
  if (found == word_.end()) return;
  const u32 node = found->second;
  u32& recent = b.recently_acquired[node % kRecent];
  if (recent == node) return;  // a loop that waits reads the same again and again
  recent = node;
  Node both;
  both.before[0] = b.acquired;
  both.before[1] = node;
  b.acquired = b.acquired ? add(both) : node;
}

void GridOrder::publish(Block& b, const Access& a, u32 lane) {
  const WarpOrder& w = b.warp[a.warp];
  Node node;
  node.publisher = who_is(a, lane);
  node.publishes = true;
  node.thread = w.lane_fence[lane];
  node.warp = std::max(node.thread ? w.met_then_fence : 0, w.fence_then_met);
  node.block = std::max(node.thread ? w.barrier_then_fence : 0, b.fence_then_barrier);
  if (node.thread == 0 && node.warp == 0 && node.block == 0) return;  // no fence: nothing is published
  u32& word = word_[a.address[lane] / 4];
  const Node& old = nodes_[word];
  if (old.publisher == node.publisher && old.thread == node.thread && old.warp == node.warp &&
      old.block == node.block && old.before[1] == b.acquired)
    return;
  node.before[0] = word;
  node.before[1] = b.acquired;
  word = add(node);
}

bool GridOrder::ordered(Time then, Who earlier, Who later) {
  if (earlier == later) return true;
  const Block& b = block(block_of(later));
  if (block_of(earlier) == block_of(later)) {
    if (then < b.barrier) return true;
    const u32 warp = thread_of(later) / kWarpSize;
    if (thread_of(earlier) / kWarpSize == warp) {
      if (then < b.warp[warp].met) return true;
      if (b.warp[warp].parted && then < (*b.seen[warp])[later % kWarpSize][earlier % kWarpSize]) return true;
    }
  }
  return gave_up_ || (b.acquired != 0 && published(then, earlier, b));
}

bool GridOrder::published(Time then, Who earlier, const Block& later) {
  list_what_is_known(later);
  const u32 block = block_of(earlier);
  if (known_visit_[block] != visit_) return false;
  for (u32 k = known_[block]; k != 0; k = nodes_[k].next) {
    const Node& n = nodes_[k];
    const bool same_warp = n.publisher / kWarpSize == earlier / kWarpSize;
    if (then < n.block || (same_warp && then < n.warp) || (n.publisher == earlier && then < n.thread)) return true;
  }
  return false;
}

// Lists all nodes that can be reached from what the block has acquired; adds to the list if it was made for this
// block, which is the usual case: blocks run to their end one after another unless they wait.
void GridOrder::list_what_is_known(const Block& b) {
  if (visit_ != 0 && known_block_ == b.index && known_node_ == b.acquired) return;
  known_.resize(blocks_);
  known_visit_.resize(blocks_);
  if (visit_ == 0 || known_block_ != b.index) ++visit_;
  known_block_ = b.index;
  known_node_ = b.acquired;
  std::vector<u32> open = {b.acquired};
  while (!open.empty()) {
    const u32 k = open.back();
    open.pop_back();
    Node& n = nodes_[k];
    if (k == 0 || n.visit == visit_) continue;
    n.visit = visit_;
    if (n.publishes) {
      const u32 block = block_of(n.publisher);
      n.next = known_visit_[block] == visit_ ? known_[block] : 0;
      known_[block] = k;
      known_visit_[block] = visit_;
    }
    open.insert(open.end(), std::begin(n.before), std::end(n.before));
  }
}

}  // namespace gpusim
