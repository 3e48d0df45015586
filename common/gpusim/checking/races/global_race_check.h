// The race check of global memory, which hears the events of launches and of streams.
#pragma once

#include "checking/findings.h"
#include "checking/races/checked_launches.h"
#include "checking/races/global_race_findings.h"
#include "checking/races/global_race_rules.h"
#include "checking/races/global_shadow.h"
#include "checking/races/global_touches.h"
#include "checking/races/happens_before.h"
#include "checking/races/stream_accesses.h"
#include "execution/events.h"

namespace gpusim {

// For one GPU, or for several that share memory: then a GPU's own events come by PeerGpu (races_global.cpp).
class GlobalRaceCheck final : public SerialObserver {
 public:
  GlobalRaceCheck(const Memory& memory, Findings& findings, u32 parts = 1)
      : memory_(memory), shadow_(memory, parts), all_findings_(findings) {}

  // Launches of another GPU follow, too. Forgets everything from before.
  void add(u32 gpu, const Memory& memory) {
    launches_.expect_several_gpus();
    shadow_.add(gpu, memory);
    forget();
  }
  // The events that follow are of this GPU.
  void turn_to(u32 gpu) { launches_.turn_to(gpu); }
  bool is_several() const { return launches_.of_several_gpus(); }

  Interests interests() const override { return {.accesses = true, .barriers = true, .meetings = true}; }
  void launch_begin(const LaunchInfo&) override;
  void launch_end(const LaunchInfo&, bool completed) override;
  void block_begin(u64 block) override {
    if (launch().on) order_.block_begin(launch().info, block);
  }
  void block_end(u64 block) override {
    if (launch().on) order_.block_end(block);
  }
  void fence(const Issue& i) override {
    const FenceScope fence = launch().on ? launch().use.fence[i.pc] : FenceScope::none;
    if (fence != FenceScope::none)
      order_.fence(i, fence == FenceScope::block ? cta : fence == FenceScope::device ? gpu : sys);
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::warp_barrier && launch().on) order_.warp_barrier(i, members);
  }
  void barrier_complete(u64 block, u32) override {
    if (launch().on) order_.barrier(block);
  }
  void access(const Access&) override;
  void launch_unheard(const LaunchInfo&) override { shadow_.forget(); }
  void freed(const Allocation& a) override { shadow_.freed(a); }
  void in_stream(const StreamAccess&) override;

 private:
  void forget();
  void hear_of_flag(const Access&);
  void find_stale_reads(Touch now, const Access&);
  void find_unpublished_reads(Touch now, const Access&);
  // global_race_streams.cpp:
  void keep_accesses();
  void look_beside(const Touch& now, const Access&, u32 lane, const Shadow&);
  CheckedLaunch& launch() { return launches_.current(); }

  const Memory& memory_;  // of the first GPU
  HappensBefore order_;
  GlobalShadow shadow_;
  CheckedLaunches launches_;
  StreamAccesses in_streams_;
  Findings& all_findings_;
  const GlobalRaceRules rules_{launches_, order_};
  GlobalRaceFindings findings_{launches_, order_, rules_, shadow_, all_findings_};
  GlobalTouches touches_{launches_, order_, rules_, shadow_, findings_, all_findings_};
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
