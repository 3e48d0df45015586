// Races are looked for in two memories; GPUSIM_CHECK=race turns both on.
#include "checking/check_shards.h"
#include "checking/checks.h"
#include "checking/races/races_global.h"
#include "checking/races/races_shared.h"
#include "checking/races/shared_use.h"

namespace gpusim {
namespace {

class RaceCheck final : public Check<RaceCheck> {
 public:
  RaceCheck(const Memory& memory, Findings& findings)
      : Check(findings),
        memory_(memory),
        shared_(make_shared_race_check(findings)),
        global_(make_global_race_check(memory, findings)) {}
  // A shard of the blocks of a launch.
  RaceCheck(const Memory& memory, u32 of, Findings& findings)
      : Check(findings),
        memory_(memory),
        shared_(make_shared_race_check(findings)),
        global_(make_global_race_check_of_part(memory, of, findings)) {}
  RaceCheck(Observer& first, const Memory& memory, u32 gpu, Findings& findings)
      : Check(findings),
        memory_(memory),
        shared_(make_shared_race_check(findings)),
        global_(make_global_race_check_beside(*static_cast<RaceCheck&>(first).global_, memory, gpu)) {}

  void launch_begin(const LaunchInfo& l) override {
    for_both([&](Observer& o) { o.launch_begin(l); });
  }
  void launch_end(const LaunchInfo& l, bool completed) override {
    for_both([&](Observer& o) { o.launch_end(l, completed); });
  }
  void launch_unheard(const LaunchInfo& l) override { global_->launch_unheard(l); }
  void block_begin(u64 block) override {
    for_both([&](Observer& o) { o.block_begin(block); });
  }
  void block_end(u64 block) override {
    for_both([&](Observer& o) { o.block_end(block); });
  }
  Interests interests() const override {
    return {.accesses = true, .rows = true, .barriers = true, .meetings = true};
  }
  void fence(const Issue& i) override {
    for_both([&](Observer& o) { o.fence(i); });
  }
  void access(const Access& a) override {
    // Each hears of flags in the other's memory, which may order accesses of its own.
    const bool is_flag = is_flag_access(*a.instruction);
    if (a.space == Space::shared || is_flag) shared_->access(a);
    if (a.space != Space::shared || is_flag) global_->access(a);
    const MemoryOrder order = a.space == Space::shared ? a.instruction->order : MemoryOrder::weak;
    if (order == MemoryOrder::acquire || order == MemoryOrder::acq_rel) global_->barrier_complete(a.block, 0);
  }
  void row_access(const RowAccess& a) override {
    if (a.space != Space::shared || a.instruction->order != MemoryOrder::weak) return Observer::row_access(a);
    shared_->row_access(a);
  }
  void copy_begins(const Access& a) override { shared_->copy_begins(a); }
  void copy_arrives(const Access& a, CopyEnd end) override { shared_->copy_arrives(a, end); }
  // What some threads learn of others in shared memory counts, for global memory, as a barrier of the block.
  void mbarrier(const Access& a, MbarrierStep step) override {
    shared_->mbarrier(a, step);
    if (step == MbarrierStep::complete) global_->barrier_complete(a.block, 0);
  }
  void sync(const Issue& i, SyncKind kind, Mask members) override {
    if (kind == SyncKind::warp_barrier) for_both([&](Observer& o) { o.sync(i, kind, members); });
  }
  void barrier_complete(u64 block, u32 id) override {
    for_both([&](Observer& o) { o.barrier_complete(block, id); });
  }
  void barrier_arrives(const Issue& i, u32 id, bool waits) override {
    shared_->barrier_arrives(i, id, waits);
  }
  // Global memory takes it for one of the whole block, so that no right kernel is accused.
  void barrier_partly_complete(u64 block, u32 id) override {
    shared_->barrier_partly_complete(block, id);
    global_->barrier_complete(block, id);
  }
  void exit(const Issue& i) override {
    for_both([&](Observer& o) { o.exit(i); });
  }
  void allocated(const Allocation& a) override { global_->allocated(a); }
  void freed(const Allocation& a) override {
    global_->freed(a);
    for_each_shard([&](Observer& shard) { shard.freed(a); });
  }
  std::unique_ptr<RaceCheck> make_shard(u32 of, Findings& findings) override {
    return std::make_unique<RaceCheck>(memory_, of, findings);
  }
  void merge(const std::vector<RaceCheck*>&) override {}  // each launch begins anew
  void in_stream(const StreamAccess& a) override { global_->in_stream(a); }

 private:
  template <class F> void for_both(F f) { f(*shared_), f(*global_); }
  const Memory& memory_;
  std::unique_ptr<Observer> shared_, global_;
};

}  // namespace

std::unique_ptr<Observer> make_race_check(const Memory& memory, Findings& findings) {
  return std::make_unique<RaceCheck>(memory, findings);
}

std::unique_ptr<Observer> make_race_check_beside(Observer& first, const Memory& memory, u32 gpu,
                                                 Findings& findings) {
  return std::make_unique<RaceCheck>(first, memory, gpu, findings);
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
