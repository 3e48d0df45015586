// Block barriers that only part of the block reaches: threads that wait at different __syncthreads() and are let
// go together, threads that go past a barrier that others wait at, and threads that have left the kernel before it.
#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "checking/check_shards.h"
#include "checking/checks.h"
#include "checking/races/passed_barriers.h"
#include "checking/races/resident_blocks.h"
#include "execution/warp.h"
#include "lanes/each_lane.h"

namespace gpusim {
namespace {

constexpr u32 kNotChecked = kBarriers;
constexpr u32 kDivergent = 0, kLeft = 1, kPassed = 2;  // kinds of finding

// Lanes of a warp that came to an instruction.
struct Arrival {
  u32 pc, warp;
  Mask lanes;
};

struct BlockState {
  std::array<std::vector<Arrival>, kBarriers> waiting;  // since the barrier was last completed
  std::vector<Arrival> branched;  // lanes that took a branch out of the kernel, and the branch
  std::vector<Arrival> exited;
  Passes passes;
  bool was_divergent = false;  // then some threads are a barrier ahead of others, and leave ahead of them
  void begin(const LaunchInfo&) {
    for (std::vector<Arrival>& arrivals : waiting) arrivals.clear();
    branched.clear();
    exited.clear();
    passes.branches.clear();
    was_divergent = false;
  }
};

// What the check must know of an instruction.
struct Role {
  u8 barrier = kNotChecked;
  bool taken_leaves = false, passed_leaves = false;  // a branch: who takes it, or does not, leaves the kernel
  bool is_branch = false;                            // a conditional branch that may lead past a barrier
};

// The threads that were at one place, in ascending order.
struct ThreadGroup {
  u32 pc;
  std::vector<u32> threads;
};

void add(std::vector<ThreadGroup>& groups, u32 pc, u32 thread) {
  auto group = std::ranges::find(groups, pc, &ThreadGroup::pc);
  if (group == groups.end()) group = groups.insert(group, ThreadGroup{pc, {}});
  group->threads.push_back(thread);
}

template <class F>
void for_each_thread(const Arrival& a, F f) {
  for_each_lane(a.lanes, [&](u32 lane) { f(a.warp * kWarpSize + lane); });
}

// "threads 64 to 127", or a count and the first of them.
std::string who(const LaunchInfo& launch, const std::vector<u32>& threads) {
  if (threads.size() == 1) return thread_name(launch, threads[0]);
  const bool is_range = threads.back() - threads.front() + 1 == threads.size();
  if (is_range && launch.block.y == 1 && launch.block.z == 1)
    return "threads " + std::to_string(threads.front()) + " to " + std::to_string(threads.back());
  return std::to_string(threads.size()) + " threads (the first is " + thread_name(launch, threads[0]) + ")";
}

class BarrierCheck final : public Check<BarrierCheck> {
 public:
  explicit BarrierCheck(Findings& findings) : Check(findings), findings_(findings) {}

  void launch_begin(const LaunchInfo& launch) override {
    launch_ = &launch;
    blocks_.clear();
    ways_.forget();
    find_roles();
  }
  void launch_end(const LaunchInfo&, bool) override { findings_.flush(); }
  void block_begin(u64 block) override { blocks_.begin(*launch_, block); }
  void block_end(u64 block) override { blocks_.end(block); }
  std::unique_ptr<BarrierCheck> make_shard(u32, Findings& findings) override {
    return std::make_unique<BarrierCheck>(findings);
  }
  void merge(const std::vector<BarrierCheck*>&) override {}  // each launch begins anew

  Interests interests() const override { return {.branches = true, .barriers = true, .meetings = true}; }
  void sync(const Issue& i, SyncKind kind, Mask) override {
    if (kind != SyncKind::block_barrier) return;
    const Role role = roles_[i.pc];
    if (role.barrier == kNotChecked) return;
    if (BlockState* s = blocks_.find(i.block)) s->waiting[role.barrier].push_back({i.pc, i.warp, i.mask});
  }
  void branch(const Issue& i, Mask taken) override {
    const Role role = roles_[i.pc];
    if (role.is_branch) note_passes(i, taken);
    const Mask leaving = role.taken_leaves ? taken : role.passed_leaves ? i.mask & ~taken : 0;
    if (leaving == 0) return;
    if (BlockState* s = blocks_.find(i.block)) s->branched.push_back({i.pc, i.warp, leaving});
  }
  void exit(const Issue& i) override {
    if (BlockState* s = blocks_.find(i.block)) s->exited.push_back({i.pc, i.warp, i.mask});
  }
  void barrier_complete(u64 block, u32 id) override {
    BlockState* s = blocks_.find(block);
    if (!s || id >= kBarriers || s->waiting[id].empty()) return;
    std::vector<Arrival>& waiting = s->waiting[id];
    const u32 first = waiting.front().pc;
    if (std::ranges::any_of(waiting, [first](const Arrival& a) { return a.pc != first; })) {
      s->was_divergent = true;
      report_divergent(block, waiting);
    } else if (!s->exited.empty() && !s->was_divergent) {
      if (!report_passed(block, *s, waiting)) report_left(block, *s, first);
    }
    waiting.clear();
  }

 private:
  void find_roles();
  u32 barrier_of(const Function&, const Instruction&) const;
  bool leaves(u32 pc) const;
  void report_divergent(u64 block, const std::vector<Arrival>&);
  void report_left(u64 block, const BlockState&, u32 barrier_pc);
  void note_passes(const Issue&, Mask taken);
  bool report_passed(u64 block, const BlockState&, const std::vector<Arrival>& waiting);
  std::string at_line(u32 pc) const {
    const Place place = place_of(*launch_->program, pc);
    return place.line ? "at line " + std::to_string(place.line) : "in " + launch_->program->where(pc);
  }

  const LaunchInfo* launch_ = nullptr;
  std::vector<Role> roles_;  // by pc
  PassedBarriers ways_;
  ResidentBlocks<BlockState> blocks_;
  RepeatedFindings findings_;
};

void BarrierCheck::find_roles() {
  const Program& program = *launch_->program;
  roles_.assign(program.code.size(), {});
  for (const Function& function : program.functions)
    for (u32 pc = function.begin; pc < function.end; ++pc) {
      const Instruction& in = program.code[pc];
      if (is_block_barrier(in.shape)) roles_[pc].barrier = u8(barrier_of(function, in));
      if (in.shape != Shape::branch || in.guard == kNoOperand) continue;
      roles_[pc].taken_leaves = leaves(in.target);
      roles_[pc].passed_leaves = !roles_[pc].taken_leaves && leaves(pc + 1);
    }
  for (const Function& function : program.functions) {
    const auto has_barrier = [&](u32 pc) { return roles_[pc].barrier != kNotChecked; };
    bool any = false;
    for (u32 pc = function.begin; pc < function.end && !any; ++pc) any = has_barrier(pc);
    for (u32 pc = function.begin; pc < function.end && any; ++pc)
      roles_[pc].is_branch = program.code[pc].shape == Shape::branch && program.code[pc].guard != kNoOperand;
  }
}

void BarrierCheck::note_passes(const Issue& i, Mask taken) {
  const PassedBarriers::Ways& ways = ways_.ways_of(
      *launch_->program, i.pc, [&](u32 pc) { return roles_[pc].barrier != kNotChecked; },
      [&](u32 pc) { return leaves(pc); });
  const auto note = [&](bool taking, const std::vector<u32>& barriers, Mask lanes) {
    if (barriers.empty() || lanes == 0) return;
    if (BlockState* s = blocks_.find(i.block))
      s->passes.add(i.pc, taking, barriers, i.warp, lanes, launch_->warps_per_block * kWarpSize);
  };
  // Usually the branch leads past no barrier; then this is not called for it again.
  roles_[i.pc].is_branch = !ways.past_by_taking.empty() || !ways.past_by_passing.empty();
  note(true, ways.past_by_taking, taken);
  note(false, ways.past_by_passing, i.mask & ~taken);
}

// Threads that have left, and had gone past this barrier more often than those who wait at it. True if there are any.
bool BarrierCheck::report_passed(u64 block, const BlockState& s, const std::vector<Arrival>& waiting) {
  const u32 barrier_pc = waiting.front().pc;
  std::vector<ThreadGroup> groups;  // by branch
  for (const Passes::OfBranch& b : s.passes.branches) {
    if (!std::ranges::binary_search(*b.barriers, barrier_pc)) continue;
    u32 most = 0;
    for (const Arrival& a : waiting)
      for_each_thread(a, [&](u32 thread) { most = std::max(most, b.count[thread]); });
    for (const Arrival& a : s.exited)
      for_each_thread(a, [&](u32 thread) {
        if (b.count[thread] > most) add(groups, b.branch, thread);
      });
  }
  for (ThreadGroup& g : groups) {
    std::ranges::sort(g.threads);
    findings_.report(kPassed, barrier_pc, g.pc, [&] {
      Finding f;
      f.check = "barrier";
      f.place = place_of(*launch_->program, barrier_pc);
      f.other = place_of(*launch_->program, g.pc);
      f.kernel = launch_->kernel->pretty_name;
      f.message = block_name(*launch_, block) + ", " + who(*launch_, g.threads) +
                  " never reach this barrier, where others wait: " + "the branch " + at_line(g.pc) +
                  " leads them past it; every thread of the block must reach the same __syncthreads()";
      return f;
    });
  }
  return !groups.empty();
}

// The barrier that an instruction waits at, if it is one for all of the block. Not checked: barrier.sync, at which
// threads may meet from different places, and barriers for a given number of threads.
u32 BarrierCheck::barrier_of(const Function& function, const Instruction& in) const {
  const bool is_bar = in.op == Op::bar_sync || in.op == Op::bar_cta || in.op == Op::bar_red;
  if (!is_bar || in.s[1] != kNoOperand) return kNotChecked;
  for (const Constant& c : function.constants)
    if (c.frame == in.s[0] && c.base == Constant::Base::none && c.value < kBarriers) return u32(c.value);
  return kNotChecked;
}

bool BarrierCheck::leaves(u32 pc) const {
  const std::vector<Instruction>& code = launch_->program->code;
  for (u32 jumps = 0; jumps < 4 && pc < code.size(); ++jumps) {
    if (code[pc].shape == Shape::leave) return code[pc].op == Op::exit;
    if (code[pc].shape != Shape::branch || code[pc].guard != kNoOperand) return false;
    pc = code[pc].target;
  }
  return false;
}

void BarrierCheck::report_divergent(u64 block, const std::vector<Arrival>& arrivals) {
  std::vector<ThreadGroup> groups;
  for (const Arrival& a : arrivals) for_each_thread(a, [&](u32 thread) { add(groups, a.pc, thread); });
  // In the order of the source: the same fault looks the same however the warps ran.
  std::ranges::sort(groups, {}, [this](const ThreadGroup& g) {
    const Place place = place_of(*launch_->program, g.pc);
    return std::tuple(place.line, place.column, g.pc);
  });
  for (ThreadGroup& g : groups) std::ranges::sort(g.threads);
  for (std::size_t k = 1; k < groups.size(); ++k)
    findings_.report(kDivergent, groups[0].pc, groups[k].pc, [&] {
      Finding f;
      f.check = "barrier";
      f.place = place_of(*launch_->program, groups[0].pc);
      f.other = place_of(*launch_->program, groups[k].pc);
      f.kernel = launch_->kernel->pretty_name;
      f.message = block_name(*launch_, block) +
                  " waits at two places at once: " + who(*launch_, groups[0].threads) + " here, " +
                  who(*launch_, groups[k].threads) + " " + at_line(groups[k].pc) +
                  "; every thread of the block must reach the same __syncthreads()";
      return f;
    });
}

void BarrierCheck::report_left(u64 block, const BlockState& s, u32 barrier_pc) {
  std::vector<ThreadGroup> groups;
  for (const Arrival& exited : s.exited)
    for_each_thread(exited, [&](u32 thread) {
      const auto branch = std::find_if(s.branched.rbegin(), s.branched.rend(), [&](const Arrival& b) {
        return b.warp == exited.warp && b.lanes >> thread % kWarpSize & 1;
      });
      add(groups, branch == s.branched.rend() ? exited.pc : branch->pc, thread);
    });
  for (ThreadGroup& g : groups) {
    std::ranges::sort(g.threads);
    findings_.report(kLeft, barrier_pc, g.pc, [&] {
      Finding f;
      f.check = "barrier";
      f.severity = Severity::warning;
      f.place = place_of(*launch_->program, barrier_pc);
      f.other = place_of(*launch_->program, g.pc);
      f.kernel = launch_->kernel->pretty_name;
      f.message = block_name(*launch_, block) + ", " + who(*launch_, g.threads) + " left the kernel " +
                  at_line(g.pc) +
                  ", before this barrier, where others wait: let every thread reach the barrier, " +
                  "and put only the work into the `if`";
      return f;
    });
  }
}

}  // namespace

std::unique_ptr<Observer> make_barrier_check(const Memory&, Findings& findings) {
  return std::make_unique<BarrierCheck>(findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
