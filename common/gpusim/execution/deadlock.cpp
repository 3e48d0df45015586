// Describes a deadlock in words: which threads wait where and for whom, where the missing ones are, and the branch that split
// them.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/mask_text.h"
#include "execution/fault_reporter.h"
#include "execution/module.h"

namespace gpusim {
namespace {

// "lane 3", "lanes 0..15", "lanes 0, 2, 4..7" of the bits of a mask.
std::string numbers(const char* one, Mask mask) {
  std::string text;
  u32 ranges = 0;
  for (u32 l = 0; l < kWarpSize;) {
    if (!(mask >> l & 1)) {
      ++l;
      continue;
    }
    u32 end = l;
    while (end + 1 < kWarpSize && (mask >> (end + 1) & 1)) ++end;
    if (++ranges > 4) return std::string(one) + "s " + text + " …";
    text += (text.empty() ? "" : ", ") + std::to_string(l) + (end > l ? ".." + std::to_string(end) : "");
    l = end + 1;
  }
  return std::string(one) + (std::has_single_bit(mask) ? " " : "s ") + text;
}

// What an instruction waits for, in terms of CUDA C++; empty if it does not wait.
std::string kind_text(const Instruction& in) {
  if (is_block_barrier(in.shape)) return "__syncthreads";
  switch (in.shape) {
    case Shape::shuffle: return "a shuffle";
    case Shape::vote: return "a vote";
    case Shape::match: return "__match_…_sync";
    case Shape::redux: return "__reduce_…_sync";
    case Shape::warp_barrier: return "__syncwarp";
    case Shape::matrix_load:
    case Shape::matrix_multiply: return mnemonic(in.op);
#define LANE_SHAPE(name, ...) case Shape::name:
#define SHAPE(name, ...) case Shape::name:
#include "ptx/shapes.def"
      return "";
  }
  return "";
}

// Lanes of one warp that are at one place.
struct LaneGroup {
  u32 pc, branch;
  Mask lanes;
  std::string what;
  bool at_join = false;  // where the sides of a branch meet; the compiler's line for it is arbitrary
};

void add(std::vector<LaneGroup>& groups, LaneGroup g) {
  for (LaneGroup& known : groups)
    if (known.pc == g.pc && known.what == g.what) {
      known.lanes |= g.lanes;
      if (known.branch != g.branch) known.branch = kNoBranch;
      return;
    }
  groups.push_back(std::move(g));
}

}  // namespace

void FaultReporter::fault_deadlock(const Block& block) const {
  const auto what_of = [&](const Fragment& f) {
    const std::string kind = kind_text(module_.code.code[f.pc]);
    if (f.state == FragmentState::at_warp_sync) return kind + ", mask " + hex(f.members);
    const Barrier& b = block.barriers[f.barrier];
    if (f.barrier == 0 && b.expected == 0) return kind;
    const std::string which = "barrier " + std::to_string(f.barrier);
    return b.expected ? which + ", for " + std::to_string(b.expected) + " threads, of whom " +
                            std::to_string(b.arrived) + " have come"
                      : which;
  };
  // Where each lane of a warp is, sorted by lane so that the schedule does not matter.
  const auto groups_of = [&](const Warp& w) {
    std::vector<LaneGroup> groups;
    for (const Fragment& f : w.fragments) add(groups, {f.pc, f.branch, f.mask, what_of(f)});
    for (std::size_t k = 0; k < w.joins.size(); ++k)  // lanes that wait for others at the end of a branch
      if (std::ranges::find(w.free_joins, int(k)) == w.free_joins.end() && (w.joins[k].arrived & w.alive))
        add(groups, {w.joins[k].pc, w.joins[k].branch, w.joins[k].arrived & w.alive,
                     kind_text(module_.code.code[w.joins[k].pc]), true});
    std::ranges::sort(groups, {}, [](const LaneGroup& g) { return std::countr_zero(g.lanes); });
    return groups;
  };
  const auto place = [&](const LaneGroup& g) -> std::string {
    if (g.at_join && g.what.empty()) return "the end of the branch";
    return module_.code.where(g.pc) + (g.what.empty() ? "" : " (" + g.what + ")");
  };
  const auto together = [&](Mask lanes) { return std::has_single_bit(lanes) ? " is at " : " are at "; };

  // Lanes that wait for lanes of their own warp are the cause, if there are any.
  for (const Warp& w : block.warps) {
    const auto waits = [&](const Fragment& f) { return f.state == FragmentState::at_warp_sync; };
    const Fragment* first = nullptr;
    for (const Fragment& f : w.fragments)
      if (waits(f) && (!first || std::countr_zero(f.mask) < std::countr_zero(first->mask))) first = &f;
    if (!first) continue;
    const Instruction& in = module_.code.code[first->pc];
    Mask here = 0;
    for (const Fragment& f : w.fragments)
      if (waits(f) && f.members == first->members && module_.code.code[f.pc].op == in.op) here |= f.mask;
    const Mask missing = first->members & w.alive & ~here;
    if (const Mask outside = here & ~first->members)
      fault(FaultCode::timeout, first->pc, w, u32(std::countr_zero(here)),
            "deadlock: " + numbers("lane", outside) + " of warp " + std::to_string(w.index) +
                (std::has_single_bit(outside) ? " waits" : " wait") + " here (" + what_of(*first) + ") for " +
                numbers("lane", missing) + ", and the mask does not contain " + numbers("lane", outside) +
                ": every calling lane must be in the mask, and every lane in the mask must call");
    std::string text = "deadlock: " + numbers("lane", here) + " of warp " + std::to_string(w.index) +
                       (std::has_single_bit(here) ? " waits" : " wait") + " here (" + what_of(*first) +
                       "); " + numbers("lane", missing) +
                       (std::has_single_bit(missing) ? " never comes:" : " never come:");
    const char* between = " ";
    u32 branch = first->branch;
    for (const LaneGroup& g : groups_of(w)) {
      if (!(g.lanes & missing)) continue;
      const bool all = (g.lanes & missing) == missing;
      text += between +
              (all ? std::string(std::has_single_bit(missing) ? "it is at " : "they are at ")
                   : numbers("lane", g.lanes & missing) + together(g.lanes & missing)) +
              place(g);
      between = ", ";
      if (g.branch != kNoBranch)
        branch = branch == kNoBranch || branch == g.branch ? g.branch : std::min(branch, g.branch);
    }
    if (branch != kNoBranch) text += "; the branch at " + module_.code.where(branch) + " parted them";
    fault(FaultCode::timeout, first->pc, w, u32(std::countr_zero(here)), text);
  }

  // All threads wait for their block, but at different barriers.
  std::string text = "deadlock: the threads of the block wait at different barriers";
  u32 told = 0;
  for (const Warp& w : block.warps)
    for (const LaneGroup& g : groups_of(w))
      if (++told <= 4)
        text += (told == 1 ? ": " : ", ") + numbers("lane", g.lanes) + " of warp " + std::to_string(w.index) +
                " at " + place(g);
  if (told > 4) text += " …";
  const Warp& w = *std::ranges::find_if(block.warps, [](const Warp& x) { return !x.fragments.empty(); });
  const LaneGroup first = groups_of(w).front();
  fault(FaultCode::timeout, first.pc, w, u32(std::countr_zero(first.lanes)), text);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
