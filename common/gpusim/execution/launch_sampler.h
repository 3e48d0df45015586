// A sampler lets slow observers hear only a part of the launches.
#pragma once

#include "analysis/launch_info.h"
#include "base/base.h"

namespace gpusim {

class Observer;

class LaunchSampler {
 public:
  virtual ~LaunchSampler() = default;
  // Whether it decides for this observer. All others hear every launch to its end.
  virtual bool samples(const Observer*) const = 0;
  // Called once, before a launch begins. Returns how many of its warp instructions the sampled observers hear; 0: they do not hear
  // of the launch at all.
  virtual u64 heard_instructions(const LaunchInfo&) = 0;
  // The launch has ended after `executed` warp instructions; the sampled observers have heard the first `heard` of them.
  virtual void launch_ended(u64 heard, u64 executed) = 0;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
