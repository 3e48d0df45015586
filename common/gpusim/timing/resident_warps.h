// Warps and blocks on a multiprocessor, while it runs.
#pragma once

#include <unordered_map>
#include <vector>

#include "timing/multiprocessor.h"
#include "timing/shared_additions.h"

namespace gpusim::timing {

inline constexpr u32 kNobody = 0xffffffffu;  // no warp

// A warp's operands are there, or (kNobody) a scheduler looks again for a warp that can issue.
struct IssueEvent {
  double time;
  u32 scheduler, warp;
  bool operator<(const IssueEvent& other) const {
    return time != other.time ? time > other.time : warp > other.warp;
  }
};
// A warp whose operands are there; what else it waits for.
struct WaitingWarp {
  u32 warp;
  double since;
  Wait why = Wait::issue;
};
struct ResidentWarp {
  const Step* at = nullptr;
  const Step* end = nullptr;
  const std::vector<Touched>* touched = nullptr;
  std::size_t slot = 0;
  u32 scheduler = 0;
  u64 turn = 0;                   // of its block: the lower, the earlier it has begun
  double free = 0;                // when it may issue again
  double since = 0;               // what it waits for, it has waited for since then
  Wait waits_for = Wait::result;  // until its operands are there
  bool waits_at_barrier = false, has_stored = false;
  Addition addition;
  std::vector<float> ready;  // by register: when
  std::vector<Wait> why;     // and what for, until then
};
struct ResidentBlock {
  std::vector<u32> warps;
  u32 live = 0, waiting = 0;
  double arrival = 0;  // of the last one at the barrier
  bool has_stored = false;
  std::unordered_map<u64, double> comes = {};  // when the L1 cache has lines that it had not, by line
  SwappedWords swapped = {};
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
