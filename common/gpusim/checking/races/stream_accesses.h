// What work of streams has read and written: copies, fills and collectives, and on one GPU kernels that have ended. Kernels race
// with it, and copies do, unless streams, events and waits of the program order them, or flags between kernels.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "checking/findings.h"
#include "execution/events.h"

namespace gpusim {

struct KeptAccess : StreamAccess {
  // The bytes that a kernel touched, in order. Empty for other work, which touches all of the range.
  struct Part {
    u64 address, bytes;
    u32 packed;  // the Touch of one of them
  };
  std::vector<Part> parts;
  std::string kernel;
  std::vector<std::pair<u32, Place>> places;  // by `packed`

  // The first part that overlaps, or null.
  const Part* part_in(u64 from, u64 count) const {
    const auto found =
        std::ranges::partition_point(parts, [&](const Part& p) { return p.address + p.bytes <= from; });
    return found != parts.end() && found->address < from + count ? &*found : nullptr;
  }
  bool touches(u64 from, u64 count) const {
    return overlaps(from, count) && (parts.empty() || part_in(from, count));
  }
  Place place_in(u64 from, u64 count) const {
    const Part* const part = part_in(from, count);
    const auto found = std::ranges::find(places, part ? part->packed : 0, &std::pair<u32, Place>::first);
    return part && found != places.end() ? found->second : Place();
  }
};

class StreamAccesses {
 public:
  // Kept accesses that are not ordered before a running launch, so that it may race with them.
  using Beside = std::vector<std::shared_ptr<const KeptAccess>>;

  void clear() { all_.clear(); }
  // All that comes from now on comes after this.
  void forget(const std::vector<u32>& waited_for) {
    const LaunchMoment now = {0, 0, waited_for, {}, {}, 0};
    std::erase_if(all_, [&](const auto& a) { return now.is_after(a->moment); });
  }
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
  const KeptAccess* racing(const StreamAccess& now) const {
    for (const auto& a : all_)
      if ((a->writes || now.writes) && !now.moment.is_after(a->moment) && a->touches(now.address, now.bytes))
        return a.get();
    return nullptr;
  }
  const std::shared_ptr<const KeptAccess>& add(KeptAccess now) {
    if (all_.size() >= kMost) all_.erase(all_.begin());
    return all_.emplace_back(std::make_shared<KeptAccess>(std::move(now)));
  }

 private:
  static constexpr std::size_t kMost = 4096;  // not yet ended by a wait; of more, the oldest are forgotten
  std::vector<std::shared_ptr<const KeptAccess>> all_;
};

inline const char* verb(const StreamAccess& a) { return a.verb ? a.verb : a.writes ? "writes" : "reads"; }

// Such work in the words of a finding about what comes at `now`: "fill in another stream".
inline std::string name_of_work(const StreamAccess& a, const LaunchMoment& now) {
  if (!a.is_kernel) return a.what;
  return a.what + (a.moment.is_of_same_graph(now) ? " in another node of the graph" : " in another stream");
}

// Why a wait that the program has did not order them, or nothing.
inline std::string vain_wait(const LaunchMoment& one, const LaunchMoment& other) {
  const ApiCall* const wait = one.vain_wait ? one.vain_wait.get() : other.vain_wait.get();
  const Place at = wait ? place_of(*wait) : Place();
  const std::string line =
      at.line ? " at " + at.file.substr(at.file.rfind('/') + 1) + ":" + std::to_string(at.line) : "";
  return wait ? " (the wait" + line + " waits for nothing, because the event had not been recorded yet)" : "";
}

// What is missing between two works that race, and what to do.
inline std::string order_works(const LaunchMoment& one, const LaunchMoment& other) {
  if (one.is_of_same_graph(other))
    return "nothing orders them: let one node depend on the other (cudaGraphAddDependencies)";
  return "nothing orders them: put both into one stream, let one wait for an event of the other (cudaStreamWaitEvent), or "
         "synchronise between them" +
         vain_wait(one, other);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
