// Which threads went past a barrier: a branch led others to it and them around it, to where both ways meet again.
//
//   if (t < 64) __syncthreads();   // threads 64 … 127 pass it,
//   out[t] = tile[t ^ 1];          // and do what comes behind it
//
// A branch whose ways meet only where the kernel ends is none of these: who takes the other way leaves (barrier_check).
#pragma once

#include <algorithm>
#include <vector>

#include "lanes/each_lane.h"
#include "ptx/cfg.h"

namespace gpusim {

class PassedBarriers {
 public:
  // What a branch leads past: barriers of one way that the other does not come to.
  struct Ways {
    bool known = false;
    std::vector<u32> past_by_taking, past_by_passing;
  };

  // `is_barrier(pc)`: one for the whole block. `leaves(pc)`: nothing but the end of the kernel follows.
  template <class IsBarrier, class Leaves>
  const Ways& ways_of(const Program& program, u32 pc, IsBarrier is_barrier, Leaves leaves) {
    if (ways_.size() < program.code.size()) ways_.resize(program.code.size());
    Ways& w = ways_[pc];
    if (w.known) return w;
    w.known = true;
    const Instruction& in = program.code[pc];
    if (in.reconverge == kNoReconvergence || leaves(in.reconverge)) return w;
    const std::vector<u32> taken = barriers_before(program, in.target, in.reconverge, is_barrier);
    const std::vector<u32> passed = barriers_before(program, pc + 1, in.reconverge, is_barrier);
    std::ranges::set_difference(passed, taken, std::back_inserter(w.past_by_taking));
    std::ranges::set_difference(taken, passed, std::back_inserter(w.past_by_passing));
    return w;
  }
  void forget() { ways_.clear(); }

 private:
  // The barriers on the ways from `from` to `end`, in ascending order.
  template <class IsBarrier>
  std::vector<u32> barriers_before(const Program& program, u32 from, u32 end, IsBarrier is_barrier) {
    std::vector<u32> found, open = {from};
    seen_.assign(program.code.size(), false);
    while (!open.empty()) {
      u32 pc = open.back();
      open.pop_back();
      for (; pc < program.code.size() && pc != end && !seen_[pc]; ++pc) {
        seen_[pc] = true;
        if (is_barrier(pc)) found.push_back(pc);
        const Instruction& in = program.code[pc];
        ptx::for_targets(program, in, [&](u32 target) { open.push_back(target); });
        if (!ptx::falls_through(in)) break;
      }
    }
    std::ranges::sort(found);
    return found;
  }

  std::vector<Ways> ways_;  // by pc
  std::vector<bool> seen_;
};

// How often each thread of a block has gone past the barriers of a branch.
struct Passes {
  struct OfBranch {
    u32 branch;
    bool taking;
    const std::vector<u32>* barriers;
    std::vector<u32> count;  // by thread
  };
  std::vector<OfBranch> branches;

  void add(u32 branch, bool taking, const std::vector<u32>& barriers, u32 warp, Mask lanes, u32 threads) {
    auto known = std::ranges::find_if(
        branches, [&](const OfBranch& b) { return b.branch == branch && b.taking == taking; });
    if (known == branches.end())
      known = branches.insert(known, {branch, taking, &barriers, std::vector<u32>(threads)});
    for_each_lane(lanes, [&](u32 lane) { ++known->count[warp * kWarpSize + lane]; });
  }
};

}  // namespace gpusim
// SPDX-License-Identifier: MIT
