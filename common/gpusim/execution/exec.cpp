// Control: which lanes execute which instruction.
#include "execution/exec.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/word_hash.h"
#include "execution/module.h"

namespace gpusim {

StateHash Executor::state_of(std::span<const std::unique_ptr<Block>> blocks) const {
  WordHash h;
  u64 bytes = 0;
  for (const auto& block : blocks) {
    h.add(block->index);
    for (const Barrier& b : block->barriers) h.add(u64(b.arrived) << 32 | b.count);
    for (const Warp& w : block->warps) {
      for (const Fragment& f : w.fragments) {
        h.add(u64(f.pc) << 32 | f.mask);
        h.add(u64(f.state) << 32 | f.members);
        for (Frame* frame = f.frame; frame; frame = frame->caller) {
          h.add(frame->bytes(), frame->size());
          h.add(frame->local.data(), frame->local.size());
          bytes += frame->size() + frame->local.size();
        }
      }
      for (const Join& j : w.joins) h.add(u64(j.pending) << 32 | j.arrived);
    }
  }
  return {h.value, bytes};
}

// The index of the fragment to run next, or the number of fragments if none is ready. In lockstep that is the newest one, so
// both sides of a branch run up to where they meet. Other schedules have one-lane fragments, which start() puts in order.
std::size_t Executor::pick(const Warp& w) const {
  for (std::size_t k = w.fragments.size(); k-- > 0;)
    if (w.fragments[k].state == FragmentState::ready) return k;
  return w.fragments.size();
}

const Fragment* Executor::next(const Warp& w) const {
  const std::size_t index = pick(w);
  return index == w.fragments.size() ? nullptr : &w.fragments[index];
}

void Executor::put_off(Warp& w) const {
  const auto index = std::ptrdiff_t(pick(w));
  if (std::size_t(index) == w.fragments.size()) return;
  std::rotate(w.fragments.begin(), w.fragments.begin() + index, w.fragments.begin() + index + 1);
}

bool Executor::step(Block& block, Warp& w) {
  const std::size_t index = pick(w);
  if (index == w.fragments.size()) return sync_.try_warp_sync(w);
  u64 slice = std::max(module_.straight_run[w.fragments[index].pc], 1u);
  run_fragment(w, index, slice);
  if (block.done()) {
    ++ended_;
    hub_.tell([&](Observer& o) { o.block_end(block.index); });
  }
  return true;
}

bool Executor::run_fragments(Warp& w, u64 slice) {
  bool ran = false;
  std::size_t yielded = 0;  // fragments in a row
  // A loop whose lanes meet in a vote polls by many short runs, none of which yields. So the warp gives way, too.
  u64 changes = spin_.changes, polls = spin_.all_polls;
  while (slice > 0) {
    const std::size_t index = pick(w);
    if (index == w.fragments.size()) {
      if (!sync_.try_warp_sync(w)) return ran;
      continue;
    }
    ran = true;
    run_fragment(w, index, slice);
    yielded = spin_.yielded_early ? yielded + 1 : 0;
    if (spin_.changes != changes) changes = spin_.changes, polls = spin_.all_polls;
    const u64 polled = spin_.all_polls - polls;
    if (yielded == 0 && polled == 0) continue;
    const auto ready = u64(std::ranges::count(w.fragments, FragmentState::ready, &Fragment::state));
    if ((yielded && yielded >= ready) || polled > 2 * kSpinReads * (ready + 1)) return ran;
  }
  return ran;
}

void Executor::branch(Warp& w, Fragment& f, const Instruction& in, Mask taken) {
  hub_.tell_branch(w, f.pc, f.mask, taken);
  const std::pair<u32, Mask> ways[] = {{in.target, taken}, {f.pc + 1, f.mask & ~taken}};
  diverge(w, f, in.reconverge, ways);
}

void Executor::branch_table(Warp& w, Fragment& f, const Instruction& in) {
  const std::vector<u32>& targets = module_.code.tables[in.target];
  std::vector<std::pair<u32, Mask>> ways;
  const Mask active = guarded(f, in);
  if (f.mask & ~active) ways.push_back({f.pc + 1, f.mask & ~active});
  for (u32 lane = 0; lane < kWarpSize; ++lane) {
    if (!(active >> lane & 1)) continue;
    u32 choice;
    std::memcpy(&choice, f.frame->bytes() + in.s[0] + lane * sizeof choice, sizeof choice);
    if (choice >= targets.size())
      faults_.fault(FaultCode::launch_failure, f.pc, w, lane,
                    "branch table index " + std::to_string(choice) + " of " + std::to_string(targets.size()));
    const u32 pc = targets[choice];
    auto way = ways.begin();
    while (way != ways.end() && way->first != pc) ++way;
    if (way == ways.end()) ways.push_back({pc, Mask(1) << lane});
    else way->second |= Mask(1) << lane;
  }
  hub_.tell_branch(w, f.pc, f.mask, ways.front().second);
  diverge(w, f, in.reconverge, ways);
}

// Replaces a fragment (already taken off the list) by one per way; the last way runs first.
void Executor::diverge(Warp& w, const Fragment& f, u32 reconverge,
                       std::span<const std::pair<u32, Mask>> ways) {
  int join = f.join;
  u32 rpc = f.rpc;
  if (reconverge != kNoReconvergence && reconverge != f.rpc) {
    if (w.free_joins.empty()) {
      w.free_joins.push_back(int(w.joins.size()));
      w.joins.emplace_back();
    }
    join = w.free_joins.back();
    w.free_joins.pop_back();
    w.joins[std::size_t(join)] = {reconverge, f.mask, 0, f.join, f.frame, f.branch};
    rpc = reconverge;
  }
  Mask there = 0;  // lanes that jump straight to the join
  for (const auto& [pc, mask] : ways) {
    if (pc == rpc) {
      there |= mask;
      continue;
    }
    Fragment part = f;
    part.pc = pc;
    part.mask = mask;
    part.join = join;
    part.rpc = rpc;
    w.fragments.push_back(part);
  }
  if (there) arrive(w, join, there);
}

void Executor::arrive(Warp& w, int join, Mask mask) {
  Join& j = w.joins[std::size_t(join)];
  j.arrived |= mask;
  j.pending &= ~mask;
  if (j.pending == 0) complete(w, join);
}

// All lanes that are still alive have come: they go on together.
void Executor::complete(Warp& w, int join) {
  const Join j = w.joins[std::size_t(join)];
  w.free_joins.push_back(join);
  if (j.arrived == 0) return;
  Fragment f;
  f.pc = j.pc;
  f.mask = j.arrived;
  f.join = j.parent;
  f.rpc = j.parent < 0 ? kNoReconvergence : w.joins[std::size_t(j.parent)].pc;
  f.frame = j.frame;
  if (j.parent >= 0) f.branch = w.joins[std::size_t(j.parent)].branch;
  w.fragments.push_back(f);
}

bool Executor::part_joins(Block& block) {
  bool any = false;
  for (Warp& w : block.warps)
    for (std::size_t k = 0; k < w.joins.size(); ++k) {
      Join& j = w.joins[k];
      if (j.arrived == 0 || std::ranges::find(w.free_joins, int(k)) != w.free_joins.end()) continue;
      // If others wait for these lanes by name, the lanes are already past the place where they are expected: that is a deadlock.
      const auto names_them = [&](const Fragment& f) {
        return f.state == FragmentState::at_warp_sync && (f.members & j.arrived);
      };
      if (std::ranges::any_of(w.fragments, names_them)) continue;
      Fragment f;
      f.pc = j.pc;
      f.mask = std::exchange(j.arrived, 0);
      f.join = j.parent;
      f.rpc = j.parent < 0 ? kNoReconvergence : w.joins[std::size_t(j.parent)].pc;
      f.frame = j.frame;
      f.branch = j.branch;
      w.fragments.push_back(f);
      w.parted = any = true;
    }
  return any;
}

// Makes lanes of a fragment leave the kernel. Their issue has been reported already.
void Executor::leave_kernel(Warp& w, std::size_t index, Mask mask) {
  Fragment& f = w.fragments[index];
  hub_.tell_meeting([&](Observer& o) { o.exit(issue_of(w, f.pc, mask)); });
  ++f.pc;
  if (w.async_copies) async_.wait_for_copies(w, mask, {});
  f.mask &= ~mask;
  w.alive &= ~mask;
  w.block->live_threads -= lane_count(mask);
  // No join waits for them any more: neither in this call nor in its callers.
  int join = f.join;
  for (Frame* frame = f.frame; frame; join = frame->caller_join, frame = frame->caller)
    while (join >= 0) {
      const int parent = w.joins[std::size_t(join)].parent;
      const bool waited = w.joins[std::size_t(join)].pending != 0;
      w.joins[std::size_t(join)].pending &= ~mask;
      if (waited && w.joins[std::size_t(join)].pending == 0) complete(w, join);
      join = parent;
    }
  for (u32 id = 0; id < kBarriers; ++id)
    if (w.block->barriers[id].arrived) sync_.check_barrier(*w.block, id);
  if (w.fragments[index].mask == 0) w.fragments.erase(w.fragments.begin() + std::ptrdiff_t(index));
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
