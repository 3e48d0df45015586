#include "checking/races/happens_before.h"

#include <algorithm>

#include "checking/races/lane_order.h"
#include "lanes/each_lane.h"
#include "ptx/program.h"

namespace gpusim {
namespace {

using KnownClock = ReleaseGraph::KnownClock;

constexpr u32 kRecent = 16;
constexpr std::size_t kMostReads = 64;  // not acquired by the warp so far; more are merged

}  // namespace

struct HappensBefore::WarpFences {        // of one scope, or a wider one
  Time latest = 0;                        // of any lane
  Time then_met = 0;                      // … that a __syncwarp followed
  Time after_met = 0, after_barrier = 0;  // last __syncwarp and block barrier that a fence followed
  Time lane[kWarpSize] = {};
  u32 pc = 0;  // of the latest
};

// What some lanes have read and no fence has followed yet.
struct HappensBefore::Read {
  KnownClock known;
  Mask lanes;
  bool by_atomic;
  u32 pc = 0;  // of the reading instruction
  Flag flag = {};
  u32 weak_fence = 0;  // of a fence that followed, and does not reach so far; 0: none
};

struct HappensBefore::WarpOrder {
  Time met = 0;         // last __syncwarp of the whole warp
  Time any_met = 0;     // … of any lanes
  bool parted = false;  // some __syncwarp was not of the whole warp: `lanes` counts
  WarpFences fences[kScopes];
  KnownClock known = 0;             // 0: no more than its block
  KnownClock recent[kRecent] = {};  // acquired lately: a loop that waits reads the same again and again
  std::vector<Read> reads;
};

struct HappensBefore::Block {
  u64 index = 0;
  Time barrier = 0;                                            // last block barrier
  Time fence[kScopes] = {}, fence_then_barrier[kScopes] = {};  // of any thread
  KnownClock known = 0;
  std::vector<WarpOrder> warp;
  std::vector<std::unique_ptr<LaneOrder>> lanes;  // by warp

  // Where there are several GPUs:
  u32 launch = 0;
  std::vector<KnownClock> published;  // since the last block barrier

  void begin(const LaunchInfo& launch) {
    barrier = 0;
    for (u32 s = 0; s < kScopes; ++s) fence[s] = fence_then_barrier[s] = 0;
    known = 0;
    published.clear();
    warp.assign(launch.warps_per_block, {});
    lanes.resize(launch.warps_per_block);
  }
  KnownClock known_to(u32 w) const { return warp[w].known ? warp[w].known : known; }
};

HappensBefore::HappensBefore() : running_(std::make_unique<ResidentBlocks<Block>>()) {}
HappensBefore::~HappensBefore() = default;

void HappensBefore::launch_begin(const LaunchInfo& launch) {
  fences_ = false;
  running_->clear();
  release_graph_.clear(launch.grid.count(), false,
                       launch.is_sampled ? ReleaseGraph::kMostSampledNodes : ReleaseGraph::kMostNodes);
}

void HappensBefore::forget() {
  running_->clear();
  release_graph_.clear(0, true);
}

void HappensBefore::launch_begin(const LaunchInfo& launch, u32 number, KnownClock known) {
  is_of_several_ = fences_ = true;
  release_graph_.expect(launch.grid.count() << kGpuBits);
  launches_[launch.gpu] = {number, known};
}

ReleaseGraph::KnownClock HappensBefore::launch_end(u32 gpu) {
  running_->end_if([&](u64 block) { return gpu_of(ThreadId(block << kThreadBits)) == gpu; });
  return launches_[gpu].known;
}

ReleaseGraph::KnownClock HappensBefore::both(KnownClock a, KnownClock b) { return release_graph_.join(a, b); }

void HappensBefore::block_begin(const LaunchInfo& launch, u64 index) {
  running_->begin(launch, index);
  Block& b = block(index);
  b.index = index;
  if (!is_of_several_) return;
  b.launch = launches_[launch.gpu].number;
  b.known = launches_[launch.gpu].at_begin;
}
void HappensBefore::block_end(u64 index) {
  if (is_of_several_) {
    const Block& b = block(index);
    KnownClock& known = launches_[gpu_of(ThreadId(index << kThreadBits))].known;
    for (u32 w = 0; w < b.warp.size(); ++w) known = release_graph_.join(known, b.known_to(w));
  }
  running_->end(index);
}
HappensBefore::Block& HappensBefore::block(u64 index) { return *running_->find(index); }

void HappensBefore::barrier(u64 index) {
  Block& b = block(index);
  b.barrier = tick();
  for (u32 s = 0; s < kScopes; ++s) b.fence_then_barrier[s] = b.fence[s];
  if (!fences_) return;
  for (const KnownClock known : b.published) release_graph_.met(known, b.barrier);
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
    b.known = release_graph_.join(b.known, w.known);
    w.known = 0;
  }
  if (reads.empty()) return;
  for (WarpOrder& w : b.warp) w.reads = reads;
}

void HappensBefore::warp_barrier(const Issue& i, Mask members) {
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

void HappensBefore::fence(const Issue& i, Scope scope) {
  Block& b = block(i.block);
  WarpOrder& w = b.warp[i.warp];
  fences_ = true;
  tick();
  for (u32 s = cta; s <= scope; ++s) {
    WarpFences& f = w.fences[s];
    b.fence[s] = f.latest = now_;
    f.pc = i.pc;
    f.after_met = w.any_met;
    f.after_barrier = b.barrier;
    for_each_lane(i.mask, [&](u32 l) { f.lane[l] = now_; });
  }
  std::erase_if(w.reads, [&](Read& r) {
    const bool reaches = scope == cta ? release_graph_.is_of(r.known, u32(i.block))
                                      : release_graph_.distance(r.known, u32(i.block)) <= scope;
    const bool counts = (r.lanes & i.mask) != 0 && reaches;
    if (counts) acquire(b, i.warp, r.known);
    else if (!reaches) r.weak_fence = i.pc;
    return counts;
  });
}

void HappensBefore::acquire(Block& b, u32 warp, KnownClock known) {
  KnownClock& recent = b.warp[warp].recent[known % kRecent];
  if (recent == known) return;
  recent = known;
  b.warp[warp].known = release_graph_.join(b.known_to(warp), known);
}

void HappensBefore::strong_access(const Access& a, Scope scope) {
  const MemoryOrder order = a.instruction->order;
  const bool releases = order == MemoryOrder::release || order == MemoryOrder::acq_rel;
  const bool acquires = order == MemoryOrder::acquire || order == MemoryOrder::acq_rel;
  fences_ |= releases || acquires;
  if (!fences_) return;
  Block& b = block(a.block);
  std::vector<Read>& reads = b.warp[a.warp].reads;
  KnownClock latest = 0;
  u64 before = 0;         // the address of the latest lane: those that wait for a flag share one,
  Read* noted = nullptr;  // and what it has read
  for_each_lane(a.mask, [&](u32 l) {
    if (a.kind == AccessKind::load && a.address[l] == before) {
      if (noted) noted->lanes |= Mask(1) << l;
      return;
    }
    before = a.address[l], noted = nullptr;
    KnownClock known = a.kind == AccessKind::store ? 0 : release_graph_.at(a.address[l]);
    const Scope distance = release_graph_.distance(known, u32(a.block));
    if (is_of_several_ && distance == sys && scope != sys) known = 0;  // not an atomic for the other GPU
    if (known != 0 && acquires &&
        (scope == cta ? release_graph_.is_of(known, u32(a.block)) : distance <= scope)) {
      if (known != latest) acquire(b, a.warp, known);
      latest = known;
    } else if (known != 0) {
      const auto same = std::ranges::find_if(reads, [&](const Read& r) {
        return r.known == known && r.by_atomic == (a.kind == AccessKind::atomic);
      });
      if (same != reads.end()) {
        same->lanes |= Mask(1) << l;
        noted = &*same;
      } else if (reads.size() < kMostReads) {
        reads.push_back({known, Mask(1) << l, a.kind == AccessKind::atomic, a.pc, {a.address[l], a.bytes}});
        noted = &reads.back();
      } else {
        Read& last = reads.back();
        last = {release_graph_.join(last.known, known),
                last.lanes | Mask(1) << l,
                last.by_atomic,
                a.pc,
                {a.address[l], a.bytes}};
        noted = &last;
      }
    }
    if (a.kind != AccessKind::load) publish(b, a, l, releases, scope);
  });
}

void HappensBefore::publish(Block& b, const Access& a, u32 lane, bool releases, Scope scope) {
  const WarpOrder& w = b.warp[a.warp];
  ReleaseGraph::Published what;
  for (u32 s = 0; s < kScopes; ++s) {
    if (s == sys && scope != sys) break;  // not an atomic for other GPUs
    if (releases && s <= scope) {
      what.until[s] = {now_ + 1, w.any_met, b.barrier};
      continue;
    }
    const WarpFences& f = w.fences[s];
    what.until[s].thread = f.lane[lane];
    what.until[s].warp = std::max(f.lane[lane] ? f.after_met : 0, f.then_met);
    what.until[s].block = std::max(f.lane[lane] ? f.after_barrier : 0, b.fence_then_barrier[s]);
  }
  what.publisher = thread_id(a, lane);
  what.when = now_;
  what.launch = b.launch;
  what.pc = a.pc;
  what.fence = w.fences[cta].pc;
  what.flag = {a.address[lane], a.bytes};
  const KnownClock known =
      release_graph_.publish(a.address[lane], what, b.known_to(a.warp), a.kind == AccessKind::atomic);
  if (is_of_several_ && (b.published.empty() || b.published.back() != known)) b.published.push_back(known);
}

bool HappensBefore::ordered(Time then, ThreadId earlier, ThreadId later) {
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
  return release_graph_.gave_up() || release_graph_.holds(b.known_to(warp), then, earlier, block_of(later));
}

bool HappensBefore::has_acquired(Time then, ThreadId earlier, ThreadId later, u64 address) {
  const KnownClock known = block(block_of(later)).known_to(thread_of(later) / kWarpSize);
  return release_graph_.holds_flag(known, then, earlier, address);
}

bool HappensBefore::is_known(KnownClock known, Time then, ThreadId earlier) {
  return release_graph_.gave_up() || release_graph_.holds(known, then, earlier, sys);
}

const std::vector<u32>& HappensBefore::heard_of(ThreadId later) {
  static const std::vector<u32> none;
  const KnownClock known = block(block_of(later)).known_to(thread_of(later) / kWarpSize);
  return known ? release_graph_.launches(known) : none;
}

HappensBefore::Gap HappensBefore::gap(Time then, ThreadId earlier, ThreadId later) {
  const Block& b = block(block_of(later));
  const u32 warp = thread_of(later) / kWarpSize;
  for (const Read& r : b.warp[warp].reads)
    if (release_graph_.holds(r.known, then, earlier, block_of(later)))
      return r.weak_fence ? Gap{Gap::reader_scope, r.weak_fence, r.flag}
                          : Gap{Gap::reader_fence, r.pc, r.flag};
  std::vector<KnownClock> heard = {b.known_to(warp)};
  for (const Read& r : b.warp[warp].reads) heard.push_back(r.known);
  for (const KnownClock known : heard)
    if (release_graph_.holds(known, then, earlier, cta))
      if (const auto* what = release_graph_.of_block(known, earlier))
        return what->fence ? Gap{Gap::writer_scope, what->fence, what->flag, what->pc}
                           : Gap{Gap::flag_scope, what->pc, what->flag};
  for (const WarpOrder& other : b.warp)
    if (release_graph_.holds(other.known, then, earlier, block_of(later))) return {Gap::other_warp};
  for (const KnownClock known : heard)
    if (const auto* what = release_graph_.of_block(known, earlier);
        what && (what->publisher == earlier ? what->when < then : what->met != 0 && what->met < then))
      return {Gap::too_early, what->pc, what->flag};
  for (const KnownClock known : heard)
    if (const auto* what = release_graph_.of_block(known, earlier))
      return what->fence ? Gap{Gap::writer_barrier, what->fence, what->flag}
                         : Gap{Gap::writer_fence, what->pc, what->flag};
  return {};
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
