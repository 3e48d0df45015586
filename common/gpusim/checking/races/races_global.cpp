#include "checking/races/races_global.h"

#include <memory>
#include <utility>

#include "checking/races/global_race_check.h"

namespace gpusim {
namespace {

// Events of one GPU of several, whose blocks have numbers of their own among all.
class PeerGpu final : public SerialObserver {
 public:
  PeerGpu(std::shared_ptr<GlobalRaceCheck> all, u32 gpu) : all_(std::move(all)), gpu_(gpu) {}

  Interests interests() const override { return all_->interests(); }
  void launch_begin(const LaunchInfo& l) override { all_->launch_begin(l); }
  void launch_end(const LaunchInfo& l, bool completed) override { turned().launch_end(l, completed); }
  void block_begin(u64 block) override { turned().block_begin(number(block)); }
  void block_end(u64 block) override { turned().block_end(number(block)); }
  void fence(const Issue& i) override {
    if (!all_->is_several()) return all_->fence(i);
    turned().fence(numbered(i));
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    turned().sync(numbered(i), kind, members);
  }
  void barrier_complete(u64 block, u32 id) override { turned().barrier_complete(number(block), id); }
  void access(const Access& a) override {
    if (!all_->is_several()) return all_->access(a);
    turned().access(numbered(a));
  }
  void launch_unheard(const LaunchInfo& l) override { all_->launch_unheard(l); }
  void freed(const Allocation& a) override { all_->freed(a); }
  void in_stream(const StreamAccess& a) override { all_->in_stream(a); }

  const std::shared_ptr<GlobalRaceCheck>& all() const { return all_; }

 private:
  u64 number(u64 block) const { return all_->is_several() ? block << kGpuBits | gpu_ : block; }
  template <class Event> Event numbered(Event e) const {
    e.block = number(e.block);
    return e;
  }
  GlobalRaceCheck& turned() {
    all_->turn_to(gpu_);
    return *all_;
  }

  std::shared_ptr<GlobalRaceCheck> all_;
  u32 gpu_;
};

}  // namespace

std::unique_ptr<Observer> make_global_race_check(const Memory& memory, Findings& findings) {
  return std::make_unique<PeerGpu>(std::make_shared<GlobalRaceCheck>(memory, findings), 0);
}

std::unique_ptr<Observer> make_global_race_check_of_part(const Memory& memory, u32 of, Findings& findings) {
  return std::make_unique<PeerGpu>(std::make_shared<GlobalRaceCheck>(memory, findings, of), 0);
}

std::unique_ptr<Observer> make_global_race_check_beside(Observer& first, const Memory& memory, u32 gpu) {
  const auto& all = static_cast<PeerGpu&>(first).all();
  all->add(gpu, memory);
  return std::make_unique<PeerGpu>(all, gpu);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
