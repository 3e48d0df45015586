#include "launch/parallel_launch.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "execution/exec.h"
#include "execution/footprint.h"
#include "execution/module.h"
#include "launch/grid.h"
#include "launch/host_threads.h"
#include "launch/progress.h"

namespace gpusim {
#ifdef __wasm__  // which has one thread

bool may_run_in_parallel(const Device&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const>,
                         u64) {
  return false;
}
bool run_in_parallel(Device&, const LoadedModule&, const LaunchInfo&, std::span<Observer* const>,
                     const StartList&, u64, u64, u64*) {
  return false;
}

#else
namespace {

// The most warp instructions for a block: it might be waiting for something that a later block has yet to write.
constexpr u64 kLongestBlock = u64(1) << 28;
// After this many blocks, and this part of the grid, the first host thread decides whether running in parallel pays. Not earlier:
// where blocks share a page, only the first of them has to save it.
constexpr u64 kFirstBlocks = 2, kFirstPart = 32;
constexpr u64 kShares = 32;  // pieces of the grid for each host thread: they end at nearly the same time

// What the host threads of a parallel launch have in common.
struct Shared {
  Shared(const StartList& blocks, u64 first, const LaunchInfo& launch)
      : blocks(blocks), launch(launch), next(first), ended(first) {}

  const StartList& blocks;
  const LaunchInfo& launch;
  std::atomic<u64> saved_pages = 0;
  std::atomic<u64> next;   // in the list
  std::atomic<u64> ended;  // in pieces that have
  // The attempt has failed. Every thread reads this before each block, so it has a cache line that no counter shares.
  alignas(64) std::atomic<bool> is_over = false;
};

class Worker {
 public:
  // If blocks_are_independent, this is known before they run, so their accesses need not be recorded.
  Worker(Shared& shared, Device& device, const LoadedModule& module, std::span<Observer* const> observers,
         u64 budget, u32 number, u32 of, bool blocks_are_independent)
      : shared_(shared),
        footprint_(device.memory, module.may_defer, shared.saved_pages),
        whole_(observers),
        number_(number) {
    if (!blocks_are_independent) observers_.push_back(&footprint_);
    for (Observer* o : whole_) observers_.push_back(o->shard(number, of));
    for (Observer* o : observers_) o->launch_begin(shared.launch);
    executor_.emplace(device, device.memory, module, shared.launch, observers_, budget);
    if (!blocks_are_independent) executor_->note_in(footprint_);
  }
  ~Worker() { end(false); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  // Runs pieces of `share` blocks until none are left or the attempt has failed. Calls `between()` between two blocks, and from
  // time to time in long ones. After the first few blocks it calls `is_vain()` once, which says whether running in parallel does
  // not pay.
  template <class Between, class IsVain> void run(u64 share, Between between, IsVain is_vain) noexcept {
    try {
      const u64 end = shared_.blocks.count(), first_look = std::max(kFirstBlocks, end / kFirstPart);
      u64 ended = 0;
      while (!shared_.is_over) {
        const u64 first = shared_.next.fetch_add(share);
        if (first >= end) return;
        for (u64 k = first; k < std::min(first + share, end) && !shared_.is_over; ++k) {
          run_block(k, between);
          if (++ended == first_look && is_vain()) shared_.is_over = true;
        }
        shared_.ended += std::min(first + share, end) - first;
      }
    } catch (...) {  // including a fault, which the serial run will find again
      shared_.is_over = true;
    }
  }

  // Ends the launch for the observers. True if they have found nothing, to the end.
  bool end(bool completed) {
    if (!has_ended_)
      for (Observer* o : observers_) o->launch_end(shared_.launch, completed);
    has_ended_ = true;
    return !found_something();
  }

  const Footprint& footprint() const { return footprint_; }
  const Executor& executor() const { return *executor_; }
  std::string place() const { return executor_->faults().place_of(*block_); }

 private:
  template <class Between> void run_block(u64 k, Between between) {
    footprint_.begin_block(k);
    executor_->start(*block_, shared_.blocks[k]);
    const u64 begin = executor_->executed(), polls = executor_->polls();
    u64 idle = 0;  // turns in a row that have changed nothing that others see
    Livelock standstill;
    for (;;) {
      const u64 changes = executor_->changes();
      executor_->run(*block_, kBlockSlice);
      between();
      if (executor_->polls() != polls) footprint_.has_polled();
      if (found_something() || executor_->executed() - begin > kLongestBlock) throw NeedsSerialOrder();
      if (block_->done() || shared_.is_over) return;
      idle = executor_->changes() == changes ? idle + 1 : 0;
      if (standstill.is_repeated(idle, executor_->executed(),
                                 [&] { return executor_->state_of({&block_, 1}); }))
        throw NeedsSerialOrder();
    }
  }
  bool found_something() const {
    return std::ranges::any_of(whole_, [&](const Observer* o) { return o->found_something(number_); });
  }

  Shared& shared_;
  Footprint footprint_;
  const std::span<Observer* const> whole_;
  const u32 number_;
  std::vector<Observer*> observers_;
  bool has_ended_ = false;
  std::optional<Executor> executor_;
  std::unique_ptr<Block> block_ = std::make_unique<Block>();
};

class ParallelLaunch {
 public:
  ParallelLaunch(Device& device, const LoadedModule& module, const LaunchInfo& launch,
                 std::span<Observer* const> observers, const StartList& blocks, u64 first, u64 budget,
                 u32 threads)
      : module_(module),
        memory_(device.memory),
        shared_(blocks, first, launch),
        left_(blocks.count() - first),
        budget_(budget),
        still_runs_(device.still_runs),
        processor_seconds_(device.processor_seconds),
        progress_(launch, launch.blocks) {
    const bool blocks_are_independent = module.are_blocks_apart(launch);
    for (u32 k = 0; k < threads; ++k)
      members_.push_back(std::make_unique<Worker>(shared_, device, module, observers, budget, k, threads,
                                                  blocks_are_independent));
  }

  // True if all blocks have run, independently of each other.
  bool run() {
    const u64 share = std::max<u64>(left_ / (members_.size() * kShares), 1);
    HostThreads others;
    for (std::size_t k = 1; k < members_.size(); ++k)  // those that started do all the work
      if (!others.begin([this, share, k] { members_[k]->run(share, [] {}, [] { return false; }); })) break;
    const auto between = [&] {
      progress_.tick(executed(), shared_.ended, [&] { return members_[0]->place(); });
      if (still_runs_) still_runs_();
      if (is_time_up(processor_seconds_)) shared_.is_over = true;  // a serial run stops it where it is
    };
    members_[0]->run(share, between, [&] { return takes_longer(*members_[0]); });
    others.wait();
    for (const auto& member : members_) all_executed_ += member->executor().executed();
    return !shared_.is_over && all_executed_ <= budget_ && Footprint::blocks_are_independent(footprints());
  }
  u64 all_executed() const { return all_executed_; }  // once run() is over
  bool end() {
    return std::ranges::all_of(members_, [](const auto& member) { return member->end(true); });
  }
  void undo() { Footprint::restore(footprints()); }
  // Applies the deferred atomics. False if a single thread might have run them in another order, since a block that polls without
  // success lets others go first.
  bool replay_deferred() {
    u64 in_vain = 0, most = 0;  // warp instructions in a row without a change; the limit for a block
    bool all_in_vain = false;   // the lanes of the latest
    DeferredAtomic latest = {};
    const auto begin = [&](bool has_polled) {
      in_vain = 0, most = has_polled ? 1 : kSpinReads;
      all_in_vain = false, latest.lane = kWarpSize;
    };
    const auto act = [&](const DeferredAtomic& atomic) {
      if (atomic.pc != latest.pc || atomic.lane <= latest.lane) {
        in_vain = all_in_vain ? in_vain + 1 : 0;
        all_in_vain = true;
      }
      latest = atomic;
      const Instruction& in = module_.code.code[atomic.pc];
      u8* const where = memory_.resolve_in_kernel(atomic.address, size_of(in.type));
      u64 old = 0;
      all_in_vain &= MemoryPipe::update(in, module_.atomic_function[atomic.pc], Space::global, where,
                                        atomic.value, 0, &old);
      return in_vain + all_in_vain < most;
    };
    return Footprint::replay_deferred(footprints(), begin, act);
  }

 private:
  // Judging by one thread's blocks: whether recording a thread's accesses takes longer than sharing out the blocks saves.
  bool takes_longer(const Worker& member) const {
    // Stretches that can be recorded in the time of one warp instruction (measured).
    constexpr u64 kStretchesOfInstruction = 3;
    const u64 of_others = member.executor().executed() * (members_.size() - 1);
    return member.footprint().stretches() >= kStretchesOfInstruction * of_others;
  }
  std::vector<const Footprint*> footprints() const {
    std::vector<const Footprint*> all;
    for (const auto& member : members_) all.push_back(&member->footprint());
    return all;
  }
  u64 executed() const { return members_[0]->executor().executed() * members_.size(); }  // about

  const LoadedModule& module_;
  const Memory& memory_;
  Shared shared_;
  const u64 left_;  // blocks
  const u64 budget_;
  u64 all_executed_ = 0;
  void (*const still_runs_)();
  const double processor_seconds_;
  Progress progress_;
  std::vector<std::unique_ptr<Worker>> members_;
};

u32 crew_of(const Device& device, u64 blocks) { return u32(std::min<u64>(device.host_threads, blocks)); }

}  // namespace

bool may_run_in_parallel(const Device& device, const LoadedModule& module, const LaunchInfo& launch,
                         std::span<Observer* const> observers, u64 blocks) {
  const u32 threads = crew_of(device, blocks);
  return threads > 1 && blocks * launch.warps_per_block >= device.fewest_shared_warps && !device.peers &&
         !launch.moment && device.turns.lengths.empty() && device.turns.resident_blocks == 0 &&
         module.may_run_in_parallel(*launch.kernel) &&
         std::ranges::all_of(observers, [&](Observer* o) { return o->shard(0, threads) != nullptr; });
}

bool run_in_parallel(Device& device, const LoadedModule& module, const LaunchInfo& launch,
                     std::span<Observer* const> observers, const StartList& blocks, u64 first, u64 budget,
                     u64* executed) {
  const u32 threads = crew_of(device, blocks.count() - first);
  module.unset_registers(
      launch.program->functions[launch.kernel->function]);  // looked for once: not by all threads
  ParallelLaunch parallel(device, module, launch, observers, blocks, first, budget, threads);
  if (!parallel.run() || !parallel.end() || !parallel.replay_deferred()) {
    parallel.undo();
    module.must_run_alone(*launch.kernel);
    return false;
  }
  *executed = parallel.all_executed();
  for (Observer* o : observers) o->merge_shards(threads);
  return true;
}

#endif
}  // namespace gpusim
// SPDX-License-Identifier: MIT
