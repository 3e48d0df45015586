// An observer that is told when launches begin and end, and nothing of their blocks. It keeps no launch on one host thread.
#pragma once

#include "execution/events.h"

namespace gpusim {

class LaunchObserver : public Observer {
 public:
  Interests interests() const final { return Interests::nothing(); }
  Observer* shard(u32, u32) final { return &nobody_; }
  bool found_something(u32) const final { return false; }
  void merge_shards(u32) final {}

 private:
  struct NullObserver final : SerialObserver {
    Interests interests() const override { return Interests::nothing(); }
  };
  NullObserver nobody_;  // to whom a launch's parts are told
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
