// The rules by which two accesses of one piece of global memory race. happens_before.h knows what is ordered within a launch;
// here are the exceptions: atomics, flags between GPUs, equal values, idioms that programs rely on.
#pragma once

#include "checking/races/checked_launches.h"
#include "checking/races/happens_before.h"
#include "execution/events.h"

namespace gpusim {

// `now` is an access of the current launch.
class GlobalRaceRules {
 public:
  GlobalRaceRules(const CheckedLaunches& launches, HappensBefore& order)
      : launches_(launches), order_(order) {}

  bool races(const Touch& then, const Touch& now) const {
    if (launches_.is_past(then) || then.who == now.who || atomic_together(then, now)) return false;
    if (order_.ordered(then.time, then.who, now.who)) return false;
    if (!launches_.of_several_gpus()) return true;
    // Which launches does it know about through flags?
    for (const u32 number : order_.heard_of(now.who))
      if (const CheckedLaunch& heard = launches_.kept(number);
          CheckedLaunches::comes_after(heard, launches_.launch_of(then)))
        return false;
    return true;
  }
  // The same for a copy, a fill or a collective. `known`: what the launches that it comes after had come to know.
  bool races(const Touch& then, const StreamAccess& now, ReleaseGraph::KnownClock known) const;

  // Whether each sees the other made whole or not at all, in whichever order they come ("morally strong" in the PTX ISA).
  bool atomic_together(const Touch& then, const Touch& now) const {
    const AccessUse &a = launches_.use_of(then), &b = launch().use.access[now.pc()];
    if (a.element_bytes != b.element_bytes) return false;
    if (launches_.is_of_other_gpu(then)) return a.system_scope && b.system_scope;
    const bool one_block = block_of(then.who) == block_of(now.who);
    // Within a block, programs use `volatile` alone in place of a barrier. That is not enough for what atomics update.
    const bool is_volatile_enough = !one_block || then.is_atomic() || now.is_atomic();
    const auto is_strong = [&](const AccessUse& use) {
      if (!one_block && use.block_scope) return false;
      return use.is_strong || use.is_guess || (is_volatile_enough ? use.is_volatile : use.is_flag);
    };
    return is_strong(a) && is_strong(b);
  }

  // Whether two stores write the same bytes: this one what is there, or what an earlier lane of it writes.
  bool stores_the_same(const Touch& then, const Access&, u32 lane, const Shadow&) const;

  // A race by the letter that programs rely on.
  bool is_idiom(const Touch& then, const Touch& now) const;

 private:
  const CheckedLaunch& launch() const { return launches_.current(); }

  const CheckedLaunches& launches_;
  HappensBefore& order_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
