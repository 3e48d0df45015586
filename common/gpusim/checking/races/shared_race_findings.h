// Describes the races in shared memory of a launch: who accessed what, at which line, why nothing orders it, and what to try.
#pragma once

#include <string>
#include <vector>

#include "checking/findings.h"
#include "checking/races/shared_shadow.h"
#include "checking/races/shared_use.h"
#include "checking/warps_of.h"
#include "execution/events.h"

namespace gpusim {

// One unit (SharedUse::unit_shift) of one lane's part of an access.
struct UnitAccess {
  const Access& access;
  u32 lane;
  ShadowAccess now;
  u64 unit;
  u32 value;  // what a store puts there
};

class SharedRaceFindings {
 public:
  // `launch`, `use` and `warps` change with each launch.
  SharedRaceFindings(Findings& findings, const LaunchInfo& launch, const SharedUse& use, const WarpsOf& warps)
      : findings_(findings), launch_(launch), use_(use), warps_(warps) {}

  // `under_way`: `then` is an asynchronous copy that may not have arrived.
  [[gnu::cold]] void report(const ShadowAccess& then, AccessKind, const UnitAccess&, const BlockOrder&,
                            bool under_way = false, Values = Values::any);
  // The launch is over: reports each pair of instructions that raced.
  void report_pairs();

 private:
  struct Pair {  // of instructions that race
    u32 then, now;
    bool one_warp;
    Finding finding;
    std::string between;  // where a barrier is missing; empty: none helps
  };
  Pair describe(const ShadowAccess& then, AccessKind, const UnitAccess&, const BlockOrder&, bool under_way,
                Values);
  std::string message_gap(const ShadowAccess& then, const UnitAccess&, const BlockOrder&) const;

  Findings& findings_;
  const LaunchInfo& launch_;
  const SharedUse& use_;
  const WarpsOf& warps_;
  std::vector<Pair> found_;  // in this launch
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
