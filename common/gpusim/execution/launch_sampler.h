// Observers whose work takes long may hear of a part of the launches only: a sampler decides of which.
#pragma once

#include "analysis/launch_info.h"
#include "base/base.h"

namespace gpusim {

class Observer;

class LaunchSampler {
 public:
  virtual ~LaunchSampler() = default;
  // Whether what follows is about this observer. All others hear of every launch as a whole.
  virtual bool samples(const Observer*) const = 0;
  // Asked once, before a launch begins: after how many of its warp instructions the sampled observers are left out. 0: they do
  // not hear of the launch at all.
  virtual u64 heard_instructions(const LaunchInfo&) = 0;
  // The launch has ended, after so many warp instructions, of which the sampled observers have heard the first `heard`.
  virtual void launch_ended(u64 heard, u64 executed) = 0;
};

}  // namespace gpusim
