// What every check is: an observer that is split into shards where several host threads run the blocks of a
// launch, one shard for each. A shard is a check of its own that reports to findings of its own. What it finds
// is not told: the launch runs again on one thread, and the check itself finds it.
#pragma once

#include <memory>
#include <vector>

#include "checking/findings.h"
#include "execution/events.h"

namespace gpusim {

// `Self` is the class that derives from it.
template <class Self>
class Check : public Observer {
 public:
  explicit Check(Findings& findings) : reported_to_(findings) {}

  Observer* shard(u32 k, u32 of) final {
    while (shards_.size() <= k) {
      shards_.push_back(std::make_unique<Shard>());
      shards_.back()->check = make_shard(of, shards_.back()->findings);
    }
    shards_[k]->findings.clear();
    return shards_[k]->check.get();
  }
  bool found_something(u32 k) const final { return !shards_[k]->findings.all().empty(); }
  void merge_shards(u32 count) final {
    std::vector<Self*> shards;
    for (u32 k = 0; k < count; ++k) {
      shards.push_back(shards_[k]->check.get());
      if (const auto& allowed = shards_[k]->findings.allowed()) allow(allowed->pc, allowed->why);
    }
    merge(shards);
  }

 protected:
  // One of `of` shards, which has found nothing yet and reports there.
  virtual std::unique_ptr<Self> make_shard(u32 of, Findings&) = 0;
  // Takes over what the shards know after a launch and this check must know at the next one.
  virtual void merge(const std::vector<Self*>& shards) = 0;
  void allow(u32 pc, const char* why) { reported_to_.allow(pc, why); }
  template <class F> void for_each_shard(F f) {
    for (const auto& shard : shards_) f(*shard->check);
  }

 private:
  struct Shard {
    Findings findings;
    std::unique_ptr<Self> check;
  };
  Findings& reported_to_;
  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
