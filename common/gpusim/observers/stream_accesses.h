// What copies, fills and collectives of streams have read and written, where there are several GPUs: kernels race with
// them, and they with one another, unless streams, events and waits of the program order them, or flags between kernels.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "device/events.h"

namespace gpusim {

class StreamAccesses {
 public:
  // Those that a running launch may race with: not ordered before it.
  using Beside = std::vector<std::shared_ptr<const StreamAccess>>;

  void clear() { all_.clear(); }
  // The last was of the same copy.
  bool continues(const StreamAccess& now) const {
    return !all_.empty() && all_.back()->moment.stream == now.moment.stream &&
           all_.back()->moment.tick == now.moment.tick;
  }
  bool all_before(const LaunchMoment& now) const {
    return std::ranges::all_of(all_, [&](const auto& a) { return now.is_after(a->moment); });
  }
  Beside beside(const LaunchMoment& launch) const {
    Beside unordered;
    std::ranges::copy_if(all_, std::back_inserter(unordered),
                         [&](const auto& a) { return !launch.is_after(a->moment); });
    return unordered;
  }
  // The first that races with this one, or null.
  const StreamAccess* racing(const StreamAccess& now) const {
    for (const auto& a : all_)
      if ((a->writes || now.writes) && a->overlaps(now.address, now.bytes) && !now.moment.is_after(a->moment))
        return a.get();
    return nullptr;
  }
  const std::shared_ptr<const StreamAccess>& add(const StreamAccess& now) {
    if (all_.size() >= kMost) all_.erase(all_.begin());
    return all_.emplace_back(std::make_shared<StreamAccess>(now));
  }

 private:
  static constexpr std::size_t kMost = 4096;  // that no wait has ended; of more, the oldest are forgotten
  std::vector<std::shared_ptr<const StreamAccess>> all_;
};

inline const char* verb(const StreamAccess& a) { return a.writes ? "writes" : "reads"; }

inline const char* const kOrderStreams =
    "nothing orders them: put both into one stream, let one wait for the other by an event (cudaStreamWaitEvent), or "
    "synchronise between";

}  // namespace gpusim
