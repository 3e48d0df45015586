// The launches whose accesses of global memory something may still race with, and which of them come after which by the program's streams,
// events and waits. On one GPU that is the latest launch only. Launches of several GPUs that share memory may overlap, so all are kept.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <vector>

#include "checking/races/global_shadow.h"
#include "checking/races/global_use.h"
#include "checking/races/stream_accesses.h"
#include "checking/written_memory.h"
#include "execution/events.h"

namespace gpusim {

// A launch, for as long as something may race with what it did.
struct CheckedLaunch {
  LaunchInfo info;
  std::vector<u8> params;  // info.params of a launch that has ended
  LaunchMoment moment;
  GlobalUse use;
  WrittenMemory written;
  Time began = 0;
  bool on = false;
  bool has_ended = false;
  ReleaseGraph::KnownClock known = 0;  // at its end
  StreamAccesses::Beside beside;
};

class CheckedLaunches {
 public:
  // Several GPUs share memory: from now on launches of all of them come.
  void expect_several_gpus() { of_several_gpus_ = true; }
  bool of_several_gpus() const { return of_several_gpus_; }
  // The events that follow are of this GPU.
  void turn_to(u32 gpu) {
    if (of_several_gpus_) current_ = latest_[gpu].get();
  }
  // The latest launch of the GPU whose turn it is.
  CheckedLaunch& current() { return *current_; }
  const CheckedLaunch& current() const { return *current_; }

  // Makes a new launch the current one.
  CheckedLaunch& begin(u32 gpu) {
    std::shared_ptr<CheckedLaunch>& latest = latest_[of_several_gpus_ ? gpu : 0];
    latest = std::make_shared<CheckedLaunch>();
    current_ = latest.get();
    return *latest;
  }
  // Keeps the latest launch of one of several GPUs. Returns its number.
  u32 keep(u32 gpu) {
    by_number_.push_back(latest_[gpu]);
    by_gpu_[gpu].push_back(latest_[gpu]);
    return u32(by_number_.size() - 1);
  }
  // Forgets what keep() has kept. The latest launch of each GPU stays.
  void forget() {
    by_number_.clear();
    for (auto& of_gpu : by_gpu_) of_gpu.clear();
  }

  // What keep() has kept since forget(): all of it, or by its number.
  const std::vector<std::shared_ptr<CheckedLaunch>>& kept() const { return by_number_; }
  const CheckedLaunch& kept(u32 number) const { return *by_number_[number]; }
  bool none_is_running() const { return std::ranges::none_of(latest_, is_running); }
  template <class F> void for_each_running(F f) const {
    for (const auto& l : latest_)
      if (is_running(l)) f(*l);
  }

  // Whether the streams, events and waits of the program order the one before the other.
  static bool comes_after(const CheckedLaunch& later, const CheckedLaunch& earlier) {
    if (later.info.gpu == earlier.info.gpu) return later.began > earlier.began;
    return later.moment.is_after(earlier.moment);
  }

  // The launch that an access belongs to.
  const CheckedLaunch& launch_of(const Touch& t) const {
    if (!of_several_gpus_) return *current_;
    const auto& of_gpu = by_gpu_[gpu_of(t.who)];
    const auto after = std::ranges::upper_bound(of_gpu, t.time, {}, [](const auto& l) { return l->began; });
    return after == of_gpu.begin() ? *current_ : **std::prev(after);
  }
  const AccessUse& use_of(const Touch& t) const { return launch_of(t).use.access[t.pc()]; }
  bool is_of_other_gpu(const Touch& t) const {
    return of_several_gpus_ && gpu_of(t.who) != current_->info.gpu;
  }
  // Whether the current launch comes after the access.
  bool is_past(const Touch& t) const {
    if (!of_several_gpus_ || gpu_of(t.who) == current_->info.gpu) return t.time <= current_->began;
    return t.time == 0 || comes_after(*current_, launch_of(t));
  }

 private:
  static bool is_running(const std::shared_ptr<CheckedLaunch>& l) { return l && !l->has_ended; }

  bool of_several_gpus_ = false;
  CheckedLaunch* current_ = nullptr;
  std::array<std::shared_ptr<CheckedLaunch>, 1u << kGpuBits> latest_;               // by GPU
  std::array<std::vector<std::shared_ptr<CheckedLaunch>>, 1u << kGpuBits> by_gpu_;  // in order
  std::vector<std::shared_ptr<CheckedLaunch>> by_number_;
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
