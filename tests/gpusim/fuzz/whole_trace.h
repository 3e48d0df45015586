// All accesses of a launch, and whether two of them race: a second opinion for the race check and for proofs.
//
// It shares no code with the checks, knows no shortcut, and compares each access with each other. What orders two accesses here is the
// program's order, a barrier at which the whole block has arrived, and __syncwarp() for the lanes that took part: nothing else.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "execution/events.h"
#include "lanes/each_lane.h"
#include "ptx/program.h"

namespace gpusim {

class WholeTrace final : public SerialObserver {
 public:
  Interests interests() const override { return {.accesses = true, .barriers = true, .meetings = true}; }
  void launch_begin(const LaunchInfo& l) override {
    threads_of_block_ = u32(l.block.count());
    const u64 threads = l.grid.count() * threads_of_block_;
    clock_.assign(threads, Clock(threads));
    has_left_.assign(threads, false);
    arrived_.assign(l.grid.count(), {});
    accesses_.clear();
  }
  void access(const Access& a) override {
    if (a.space != Space::global && a.space != Space::shared) return;
    for_each_lane(a.mask, [&](u32 lane) {
      const u64 t = thread(a, lane);
      ++clock_[t][t];
      const u64 memory = a.space == Space::shared ? u64(1) << 62 | a.block << 32 : 0;
      accesses_.push_back({t, memory + a.address[lane], a.bytes, a.kind, clock_[t], a.pc});
    });
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::block_barrier)
      for_each_lane(i.mask, [&](u32 lane) { arrived_[i.block].push_back(thread(i, lane)); });
    if (kind == SyncKind::warp_barrier) meet(i, members);
  }
  void barrier_complete(u64 block, u32) override { join(arrived_[block]), arrived_[block].clear(); }
  void exit(const Issue& i) override {
    for_each_lane(i.mask, [&](u32 lane) { has_left_[thread(i, lane)] = true; });
  }

  // "pc 3 of thread 1 and pc 7 of thread 2"; empty: none.
  std::string race() const {
    for (std::size_t b = 0; b < accesses_.size(); ++b)
      for (std::size_t a = 0; a < b; ++a)
        if (do_race(accesses_[a], accesses_[b])) return text(accesses_[a]) + " and " + text(accesses_[b]);
    return "";
  }
  std::size_t size() const { return accesses_.size(); }

 private:
  using Clock = std::vector<u32>;  // by thread of the grid
  struct Kept {
    u64 thread, address;
    u32 bytes;
    AccessKind kind;
    Clock clock;
    u32 pc;
  };

  u64 thread(const Issue& i, u32 lane) const {
    return i.block * threads_of_block_ + i.warp * kWarpSize + lane;
  }
  // Lanes that wait at several instructions are told of instruction by instruction: each time all that have not left meet.
  void meet(const Issue& i, Mask members) {
    std::vector<u64> threads;
    for_each_lane(members, [&](u32 lane) {
      if (i.warp * kWarpSize + lane < threads_of_block_ && !has_left_[thread(i, lane)])
        threads.push_back(thread(i, lane));
    });
    join(threads);
  }
  void join(const std::vector<u64>& threads) {
    if (threads.empty()) return;
    Clock all(clock_[0].size());
    for (const u64 t : threads)
      for (std::size_t k = 0; k < all.size(); ++k) all[k] = std::max(all[k], clock_[t][k]);
    for (const u64 t : threads) clock_[t] = all;
  }
  static bool do_race(const Kept& a, const Kept& b) {
    if (a.thread == b.thread || (a.kind == AccessKind::load && b.kind == AccessKind::load)) return false;
    if (a.address >= b.address + b.bytes || b.address >= a.address + a.bytes) return false;
    const bool both_atomic = a.kind == AccessKind::atomic && b.kind == AccessKind::atomic;
    if (both_atomic && a.bytes == b.bytes && a.address == b.address) return false;
    return b.clock[a.thread] < a.clock[a.thread];  // a comes first in this run: does b know?
  }
  static std::string text(const Kept& k) {
    return "pc " + std::to_string(k.pc) + " of thread " + std::to_string(k.thread);
  }

  u32 threads_of_block_ = 1;
  std::vector<Clock> clock_;
  std::vector<bool> has_left_;
  std::vector<std::vector<u64>> arrived_;  // at the barrier of the block, since it was last complete
  std::vector<Kept> accesses_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
