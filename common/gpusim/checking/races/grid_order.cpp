#include "checking/races/grid_order.h"

#include <algorithm>

#include "checking/races/lane_order.h"
#include "lanes/each_lane.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

using Known = Publications::Known;

constexpr u32 kRecent = 16;
constexpr std::size_t kMostReads = 64;  // that a warp has not acquired yet; more are thrown together

}  // namespace

struct GridOrder::WarpFences {            // of one scope, or a wider one
  Time latest = 0;                        // of any lane
  Time then_met = 0;                      // … that a __syncwarp followed
  Time after_met = 0, after_barrier = 0;  // last __syncwarp and block barrier that a fence followed
  Time lane[kWarpSize] = {};
  u32 pc = 0;  // of the latest
};

// What some lanes have read and no fence has followed yet.
struct GridOrder::Read {
  Known known;
  Mask lanes;
  bool by_atomic;
  u32 pc = 0;  // of the reading instruction
  Flag flag = {};
  u32 weak_fence = 0;  // of a fence that followed, and does not reach so far; 0: none
};

struct GridOrder::WarpOrder {
  Time met = 0;         // last __syncwarp of the whole warp
  Time any_met = 0;     // … of any lanes
  bool parted = false;  // some __syncwarp was not of the whole warp: `lanes` counts
  WarpFences fences[kScopes];
  Known known = 0;             // 0: no more than its block
  Known recent[kRecent] = {};  // acquired lately: a loop that waits reads the same again and again
  std::vector<Read> reads;
};

struct GridOrder::Block {
  u64 index = 0;
  Time barrier = 0;                                            // last block barrier
  Time fence[kScopes] = {}, fence_then_barrier[kScopes] = {};  // of any thread
  Known known = 0;
  std::vector<WarpOrder> warp;
  std::vector<std::unique_ptr<LaneOrder>> lanes;  // by warp

  // Where there are several GPUs:
  u32 launch = 0;
  std::vector<Known> published;  // since the last block barrier

  void begin(const LaunchInfo& launch) {
    barrier = 0;
    for (u32 s = 0; s < kScopes; ++s) fence[s] = fence_then_barrier[s] = 0;
    known = 0;
    published.clear();
    warp.assign(launch.warps_per_block, {});
    lanes.resize(launch.warps_per_block);
  }
  Known known_to(u32 w) const { return warp[w].known ? warp[w].known : known; }
};

GridOrder::GridOrder() : running_(std::make_unique<ResidentBlocks<Block>>()) {}
GridOrder::~GridOrder() = default;

void GridOrder::launch_begin(const LaunchInfo& launch) {
  fences_ = false;
  running_->clear();
  publications_.clear(launch.grid.count());
}

void GridOrder::forget() {
  running_->clear();
  publications_.clear(0, true);
}

void GridOrder::launch_begin(const LaunchInfo& launch, u32 number, Known known) {
  is_of_several_ = fences_ = true;
  publications_.expect(launch.grid.count() << kGpuBits);
  launches_[launch.gpu] = {number, known};
}

Publications::Known GridOrder::launch_end(u32 gpu) {
  running_->end_if([&](u64 block) { return gpu_of(Who(block << kThreadBits)) == gpu; });
  return launches_[gpu].known;
}

Publications::Known GridOrder::both(Known a, Known b) { return publications_.join(a, b); }

void GridOrder::block_begin(const LaunchInfo& launch, u64 index) {
  running_->begin(launch, index);
  Block& b = block(index);
  b.index = index;
  if (!is_of_several_) return;
  b.launch = launches_[launch.gpu].number;
  b.known = launches_[launch.gpu].at_begin;
}
void GridOrder::block_end(u64 index) {
  if (is_of_several_) {
    const Block& b = block(index);
    Known& known = launches_[gpu_of(Who(index << kThreadBits))].known;
    for (u32 w = 0; w < b.warp.size(); ++w) known = publications_.join(known, b.known_to(w));
  }
  running_->end(index);
}
GridOrder::Block& GridOrder::block(u64 index) { return *running_->find(index); }

void GridOrder::barrier(u64 index) {
  Block& b = block(index);
  b.barrier = tick();
  for (u32 s = 0; s < kScopes; ++s) b.fence_then_barrier[s] = b.fence[s];
  if (!fences_) return;
  for (const Known known : b.published) publications_.met(known, b.barrier);
  b.published.clear();
  std::vector<Read> reads;  // a fence of any thread may follow now
  for (u32 k = 0; k < b.warp.size(); ++k) {
    WarpOrder& w = b.warp[k];
    for (const Read& r : w.reads) {
      if (r.by_atomic) acquire(b, k, r.known);
      else if (std::ranges::find(reads, r.known, &Read::known) == reads.end())
        reads.push_back({r.known, kAllLanes, false, r.pc, r.flag, r.weak_fence});
    }
    w.reads.clear();
    b.known = publications_.join(b.known, w.known);
    w.known = 0;
  }
  if (reads.empty()) return;
  for (WarpOrder& w : b.warp) w.reads = reads;
}

void GridOrder::warp_barrier(const Issue& i, Mask members) {
  Block& b = block(i.block);
  WarpOrder& w = b.warp[i.warp];
  w.any_met = tick();
  for (WarpFences& f : w.fences) f.then_met = f.latest;
  members |= i.mask;  // lanes that name different masks in one instruction
  for (Read& r : w.reads)
    if (r.lanes & members) r.lanes |= members;
  if (members == kAllLanes) {
    w.met = w.any_met;
    return;
  }
  std::unique_ptr<LaneOrder>& lanes = b.lanes[i.warp];
  if (!lanes) lanes = std::make_unique<LaneOrder>();
  if (!w.parted) *lanes = {};
  w.parted = true;
  lanes->meet(members, now_);
}

void GridOrder::fence(const Issue& i, Scope scope) {
  Block& b = block(i.block);
  WarpOrder& w = b.warp[i.warp];
  fences_ = true;
  tick();
  for (u32 s = near; s <= scope; ++s) {
    WarpFences& f = w.fences[s];
    b.fence[s] = f.latest = now_;
    f.pc = i.pc;
    f.after_met = w.any_met;
    f.after_barrier = b.barrier;
    for_each_lane(i.mask, [&](u32 l) { f.lane[l] = now_; });
  }
  std::erase_if(w.reads, [&](Read& r) {
    const bool reaches = scope == near ? publications_.is_of(r.known, u32(i.block))
                                       : publications_.distance(r.known, u32(i.block)) <= scope;
    const bool counts = (r.lanes & i.mask) != 0 && reaches;
    if (counts) acquire(b, i.warp, r.known);
    else if (!reaches) r.weak_fence = i.pc;
    return counts;
  });
}

void GridOrder::acquire(Block& b, u32 warp, Known known) {
  Known& recent = b.warp[warp].recent[known % kRecent];
  if (recent == known) return;
  recent = known;
  b.warp[warp].known = publications_.join(b.known_to(warp), known);
}

void GridOrder::strong_access(const Access& a, Scope scope) {
  const MemoryOrder order = a.instruction->order;
  const bool releases = order == MemoryOrder::release || order == MemoryOrder::acq_rel;
  const bool acquires = order == MemoryOrder::acquire || order == MemoryOrder::acq_rel;
  fences_ |= releases || acquires;
  if (!fences_) return;
  Block& b = block(a.block);
  std::vector<Read>& reads = b.warp[a.warp].reads;
  Known latest = 0;
  for_each_lane(a.mask, [&](u32 l) {
    Known known = a.kind == AccessKind::store ? 0 : publications_.at(a.address[l]);
    const Scope distance = publications_.distance(known, u32(a.block));
    if (is_of_several_ && distance == wide && scope != wide) known = 0;  // not an atomic for the other GPU
    if (known != 0 && acquires &&
        (scope == near ? publications_.is_of(known, u32(a.block)) : distance <= scope)) {
      if (known != latest) acquire(b, a.warp, known);
      latest = known;
    } else if (known != 0) {
      const auto same = std::ranges::find_if(reads, [&](const Read& r) {
        return r.known == known && r.by_atomic == (a.kind == AccessKind::atomic);
      });
      if (same != reads.end()) {
        same->lanes |= Mask(1) << l;
      } else if (reads.size() < kMostReads) {
        reads.push_back({known, Mask(1) << l, a.kind == AccessKind::atomic, a.pc, {a.address[l], a.bytes}});
      } else {
        Read& last = reads.back();
        last = {publications_.join(last.known, known),
                last.lanes | Mask(1) << l,
                last.by_atomic,
                a.pc,
                {a.address[l], a.bytes}};
      }
    }
    if (a.kind != AccessKind::load) publish(b, a, l, releases, scope);
  });
}

void GridOrder::publish(Block& b, const Access& a, u32 lane, bool releases, Scope scope) {
  const WarpOrder& w = b.warp[a.warp];
  Publications::Published what;
  for (u32 s = 0; s < kScopes; ++s) {
    if (s == wide && scope != wide) break;  // not an atomic for other GPUs
    if (releases && s <= scope) {
      what.until[s] = {now_ + 1, w.any_met, b.barrier};
      continue;
    }
    const WarpFences& f = w.fences[s];
    what.until[s].thread = f.lane[lane];
    what.until[s].warp = std::max(f.lane[lane] ? f.after_met : 0, f.then_met);
    what.until[s].block = std::max(f.lane[lane] ? f.after_barrier : 0, b.fence_then_barrier[s]);
  }
  what.publisher = who_is(a, lane);
  what.when = now_;
  what.launch = b.launch;
  what.pc = a.pc;
  what.fence = w.fences[near].pc;
  what.flag = {a.address[lane], a.bytes};
  const Known known =
      publications_.publish(a.address[lane], what, b.known_to(a.warp), a.kind == AccessKind::atomic);
  if (is_of_several_ && (b.published.empty() || b.published.back() != known)) b.published.push_back(known);
}

bool GridOrder::ordered(Time then, Who earlier, Who later) {
  if (earlier == later) return true;
  const Block& b = block(block_of(later));
  const u32 warp = thread_of(later) / kWarpSize;
  if (block_of(earlier) == block_of(later)) {
    if (then < b.barrier) return true;
    if (thread_of(earlier) / kWarpSize == warp) {
      if (then < b.warp[warp].met) return true;
      if (b.warp[warp].parted && then < b.lanes[warp]->seen(later % kWarpSize, earlier % kWarpSize))
        return true;
    }
  }
  return publications_.gave_up() || publications_.holds(b.known_to(warp), then, earlier, block_of(later));
}

bool GridOrder::is_known(Known known, Time then, Who earlier) {
  return publications_.gave_up() || publications_.holds(known, then, earlier, wide);
}

const std::vector<u32>& GridOrder::heard_of(Who later) {
  static const std::vector<u32> none;
  const Known known = block(block_of(later)).known_to(thread_of(later) / kWarpSize);
  return known ? publications_.launches(known) : none;
}

GridOrder::Gap GridOrder::gap(Time then, Who earlier, Who later) {
  const Block& b = block(block_of(later));
  const u32 warp = thread_of(later) / kWarpSize;
  for (const Read& r : b.warp[warp].reads)
    if (publications_.holds(r.known, then, earlier, block_of(later)))
      return r.weak_fence ? Gap{Gap::reader_scope, r.weak_fence, r.flag}
                          : Gap{Gap::reader_fence, r.pc, r.flag};
  std::vector<Known> heard = {b.known_to(warp)};
  for (const Read& r : b.warp[warp].reads) heard.push_back(r.known);
  for (const Known known : heard)
    if (publications_.holds(known, then, earlier, near))
      if (const auto* what = publications_.of_block(known, earlier))
        return what->fence ? Gap{Gap::writer_scope, what->fence, what->flag}
                           : Gap{Gap::flag_scope, what->pc, what->flag};
  for (const WarpOrder& other : b.warp)
    if (publications_.holds(other.known, then, earlier, block_of(later))) return {Gap::other_warp};
  for (const Known known : heard)
    if (const auto* what = publications_.of_block(known, earlier);
        what && (what->publisher == earlier ? what->when < then : what->met != 0 && what->met < then))
      return {Gap::too_early, what->pc, what->flag};
  for (const Known known : heard)
    if (const auto* what = publications_.of_block(known, earlier))
      return what->fence ? Gap{Gap::writer_barrier, what->fence, what->flag}
                         : Gap{Gap::writer_fence, what->pc, what->flag};
  return {};
}

}  // namespace gpusim
