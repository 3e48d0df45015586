// Reports races in global memory: who accessed what, at which line, and what to try. Leaves out what the sample of launches that is
// checked by default must not report.
#pragma once

#include <string>

#include "checking/findings.h"
#include "checking/races/checked_launches.h"
#include "checking/races/global_race_advice.h"
#include "checking/races/global_race_rules.h"
#include "checking/races/happens_before.h"
#include "checking/races/resident_blocks.h"
#include "checking/races/shared_use.h"
#include "checking/races/stream_accesses.h"

namespace gpusim {

class GlobalRaceFindings {
 public:
  GlobalRaceFindings(const CheckedLaunches& launches, HappensBefore& order, const GlobalRaceRules& rules,
                     const GlobalShadow& shadow, Findings& findings)
      : launches_(launches),
        order_(order),
        rules_(rules),
        advice_(launches, order, shadow),
        findings_(findings) {}

  // Two accesses of kernels: the lane's access `now` is one of the current launch.
  void report(const Touch& then, const Touch& now, const Access&, u32 lane, const Shadow&,
              Values = Values::any);
  // A lane reads by the read-only cache what the launch has written before.
  void report_stale(const Touch& write, const Touch& now, const Access&, u32 lane, const Shadow&);
  // A lane takes as it finds it what another block has written in this launch, by accesses that do not race and that nothing orders.
  void report_unpublished(const Touch& write, const Touch& now, const Access&, u32 lane, const Shadow&);
  // An access of a kernel and work of another stream. Shows at the kernel's line, whichever came first.
  void report(const Touch&, const StreamAccess&, const Place&, u64 address, u32 bytes, const Shadow&);
  // Work of a stream that is no kernel, and other such work, or an access of a kernel that has ended. The finding shows at the
  // kernel's line, if there is one.
  void report(const StreamAccess& now, const KeptAccess& then);
  // The launch is over: tells how often each race came again.
  void flush() { findings_.flush(); }

 private:
  std::string block_name_of(const Touch&) const;
  std::string name_of(const Touch&) const;
  std::string number_of(const Touch&) const;  // the same without warp and lane, which other GPUs do not see
  const CheckedLaunch& launch() const { return launches_.current(); }

  const CheckedLaunches& launches_;
  HappensBefore& order_;
  const GlobalRaceRules& rules_;
  GlobalRaceAdvice advice_;
  RepeatedFindings findings_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
