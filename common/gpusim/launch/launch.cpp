// A launch, and one block of it: how it starts, how its warps take turns.
#include <algorithm>

#include "execution/exec.h"
#include "execution/module.h"
#include "launch/grid.h"
#include "launch/launch.h"
#include "launch/parallel_launch.h"
#include "launch/replay.h"

namespace gpusim {
namespace {

constexpr u64 kWarpSlice = u64(1) << 16;

}  // namespace

Executor::Executor(const Device& device, Memory& memory, const LoadedModule& module, const LaunchInfo& launch,
                   std::span<Observer* const> observers, u64 budget)
    : memory_(memory),
      module_(module),
      launch_(launch),
      schedule_(device.schedule),
      first_warps_(device.first_warps ? device.first_warps : ~u32(0)),
      faults_(module, launch, memory, device.peers),
      frames_(module, launch, memory, device.capacity),
      pipe_(memory, device.peers, module, launch, hub_, faults_, spin_),
      async_(pipe_, module, hub_, faults_, spin_),
      sync_(pipe_, module, launch, hub_, faults_),
      calls_(memory, pipe_, module, launch, frames_, hub_, faults_, spin_),
      budget_(budget) {
  hub_.listen(observers);
}

void Executor::listen(std::span<Observer* const> observers) { hub_.listen(observers); }

void Executor::start(Block& block, u64 index) {
  const Dim3 size = launch_.block;
  block.index = index;
  block.at = position(index, launch_.grid);
  block.live_threads = u32(size.count());
  // Shared memory starts with arbitrary contents.
  block.shared.assign(launch_.static_shared_bytes + launch_.dynamic_shared_bytes, memory_.fresh);
  std::fill(std::begin(block.barriers), std::end(block.barriers), Barrier{});
  block.warps.resize(launch_.warps_per_block);
  const Function& kernel = module_.code.functions[launch_.kernel->function];
  for (u32 k = 0; k < launch_.warps_per_block; ++k) {
    Warp& w = block.warps[k];
    const u32 threads = std::min(kWarpSize, u32(size.count()) - k * kWarpSize);
    w.block = &block;
    w.index = k;
    w.alive = threads == kWarpSize ? kAllLanes : (Mask(1) << threads) - 1;
    w.fragments.clear();
    w.joins.clear();
    w.free_joins.clear();
    for (auto& frame : w.frames) w.idle_frames.push_back(std::move(frame));
    w.frames.clear();
    w.parted = false;
    w.async_copies.reset();
    if (k >= first_warps_) {
      block.live_threads -= threads;
      w.alive = 0;
      continue;
    }
    Fragment f;
    f.pc = kernel.begin;
    f.mask = w.alive;
    f.frame = frames_.kernel_frame(w);
    if (schedule_ == Schedule::lockstep) {
      w.fragments.push_back(f);
      continue;
    }
    for (u32 lane = 0; lane < threads; ++lane) {  // every lane alone; the last in line runs first
      f.mask = Mask(1) << (schedule_ == Schedule::ascending ? threads - 1 - lane : lane);
      w.fragments.push_back(f);
    }
  }
  hub_.tell([&](Observer& o) { o.block_begin(index); });
}

void Executor::run(Block& block, u64 slice) {
  const u64 until = executed_ + slice;
  spin_.idle_polls = 0;
  do run_round(block, kWarpSlice);
  while (!block.done() && executed_ < until && spin_.idle_polls < kSpinReads);
}

void Executor::run_round(Block& block, u64 turn) {
  pipe_.forget_found();
  bool ran = false;
  const std::size_t count = block.warps.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (executed_ >= call_at_) call_at_ = ~u64(0), call_();
    Warp& w = block.warps[schedule_ == Schedule::descending ? count - 1 - k : k];
    if (!w.fragments.empty() && run_fragments(w, turn)) ran = true;
  }
  if (!ran && !block.done() && !part_joins(block)) faults_.fault_deadlock(block);
  if (!block.done()) return;
  ++ended_;
  hub_.tell([&](Observer& o) { o.block_end(block.index); });
}

LaunchInfo info_of(const Device& device, const Module& module, const KernelInfo& kernel,
                   const LaunchConfig& config, const u8* params, u64 number) {
  LaunchInfo info;
  info.program = &module.program();
  info.kernel = &kernel;
  info.grid = config.grid;
  info.block = config.block;
  info.static_shared_bytes = kernel.static_shared_bytes;
  info.dynamic_shared_bytes = config.dynamic_shared_bytes;
  // Dynamic shared memory begins at a multiple of 16, which may leave a gap behind the static part.
  if (config.dynamic_shared_bytes) info.static_shared_bytes = u32(align_up(info.static_shared_bytes, 16));
  info.warps_per_block = u32((config.block.count() + kWarpSize - 1) / kWarpSize);
  info.number = number;
  info.blocks = config.grid.count();
  info.params = params;
  info.gpu = device.number;
  return info;
}

RunningLaunch::RunningLaunch(Device& device, const LoadedModule& module, const KernelInfo& kernel,
                             const LaunchConfig& config, const u8* params, u64 number)
    : device_(device), module_(module), params_(params, params + (params ? kernel.param_bytes : 0)) {
  if (config.moment) moment_ = *config.moment;
  info_ = info_of(device, module, kernel, config, params_.empty() ? nullptr : params_.data(), number);
  info_.moment = config.moment ? &moment_ : nullptr;

  blocks_ = std::make_unique<StartList>(device, info_);
  info_.blocks = blocks_->count();
  info_.is_whole = info_.blocks == config.grid.count() && device.first_warps == 0;

  sampled_ = device_.sampler ? device_.sampler->heard_instructions(info_) : 0;
  info_.is_sampled = is_sampled_ = sampled_ != 0;
  for (Observer* o : device_.observers) {
    if (device_.sampler && !is_sampled_ && device_.sampler->samples(o)) o->launch_unheard(info_);
    else observers_.push_back(o);
  }
}

bool RunningLaunch::replay(Replays& replays) {
  std::vector<Observer*> heard_by = observers_;  // to its end
  if (is_sampled_) std::erase_if(heard_by, [&](const Observer* o) { return device_.sampler->samples(o); });
  const auto& module = static_cast<const LoadedModule&>(module_);
  switch (replays.plan(device_, module, info_, heard_by)) {
    case Replays::Plan::replay: {
      has_ended_ = true;
      const u64 executed = replays.replay(device_.memory, info_, heard_by);
      if (device_.sampler) device_.sampler->launch_ended(0, executed);
      return true;
    }
    case Replays::Plan::record:
      info_.is_recorded = true;
      recorder_ = std::make_unique<EffectsRecorder>(device_.memory, Replays::kMostBytes);
      observers_.push_back(recorder_.get());
      break;
    case Replays::Plan::run: break;
  }
  replays_ = &replays;
  return false;
}

void RunningLaunch::prepare() {
  device_.memory.begin_kernel();
  for (Observer* o : observers_) o->launch_begin(info_);
  executor_ = std::make_unique<Executor>(device_, device_.memory, static_cast<const LoadedModule&>(module_),
                                         info_, observers_, budget());
  if (is_sampled_) executor_->call_after(sampled_, [this] { end_sample(false); });
  grid_ = std::make_unique<Grid>(*executor_, info_, device_, *blocks_);
}

struct RunningLaunch::Children {
  std::vector<Calls::Child> all;
  std::size_t next = 0;
  std::unique_ptr<RunningLaunch> running;
};

RunningLaunch::~RunningLaunch() {
  if (!has_ended_) end(false);
}

RunState RunningLaunch::run(PeerState peers) {
  if (has_ended_) return run_children(peers);
  if (peers == PeerState::none && executor_->executed() == 0 && !is_sampled_ && run_rest_in_parallel()) {
    end(true);
    return RunState::ended;
  }
  try {
    // Once the sample is taken, host threads may run what is left.
    if (is_sampled_) grid_->pause_between_blocks_if([this] { return !is_sampled_; });
    RunState going = grid_->run(peers);
    if (going == RunState::pauses && peers == PeerState::none) {
      if (run_rest_in_parallel()) {
        end(true);
        return RunState::ended;
      }
      grid_->pause_between_blocks_if({});
      going = grid_->run(peers);
    }
    if (going != RunState::ended) return going;
  } catch (Fault& f) {
    fault_ = std::move(f);
  }
  end(!fault_);
  if (!fault_) {
    children_ = std::make_unique<Children>();
    children_->all = executor_->take_children();
  }
  return run_children(peers);
}

RunState RunningLaunch::run_children(PeerState peers) {
  if (!children_) return RunState::ended;
  Children& c = *children_;
  while (!fault_ && (c.running || c.next < c.all.size())) {
    if (!c.running) {
      const Calls::Child& child = c.all[c.next++];
      LaunchConfig config = child.config;
      config.moment = info_.moment;
      c.running = device_.begin(module_, *child.kernel, config, child.params.data());
    }
    if (const RunState going = c.running->run(peers); going != RunState::ended) return going;
    fault_ = c.running->fault();
    c.running.reset();
  }
  return RunState::ended;
}

u64 RunningLaunch::budget() const { return device_.budget.of(info_.blocks * info_.warps_per_block); }

// Runs the blocks that have not begun. Returns false, and does nothing, if they must run one after another.
bool RunningLaunch::run_rest_in_parallel() {
  const auto& module = static_cast<const LoadedModule&>(module_);
  const u64 first = grid_->started();
  if (!may_run_in_parallel(device_, module, info_, observers_, blocks_->count() - first)) return false;
  return run_in_parallel(device_, module, info_, observers_, *blocks_, first,
                         budget() - executor_->executed(), &executed_in_parallel_);
}

// The sampled observers have heard enough of the launch, or all of it.
void RunningLaunch::end_sample(bool completed) {
  is_sampled_ = false;
  heard_ = executor_->executed();
  const auto first_sampled = std::stable_partition(
      observers_.begin(), observers_.end(), [&](const Observer* o) { return !device_.sampler->samples(o); });
  const std::vector<Observer*> sampled(first_sampled, observers_.end());
  observers_.erase(first_sampled, observers_.end());
  executor_->listen(observers_);
  for (Observer* o : sampled) o->launch_end(info_, completed);
  if (!completed)
    for (Observer* o : sampled) o->launch_unheard(info_);
}

void RunningLaunch::end(bool completed) {
  has_ended_ = true;
  if (is_sampled_) end_sample(completed);
  for (Observer* o : observers_) o->launch_end(info_, completed);
  const u64 executed = executor_->executed() + executed_in_parallel_;
  if (device_.sampler) device_.sampler->launch_ended(heard_, executed);
  if (!replays_ || !completed) return;
  if (recorder_) std::erase(observers_, recorder_.get());
  replays_->ended(static_cast<const LoadedModule&>(module_), device_.memory, observers_, executed,
                  recorder_.get());
}

u64 RunningLaunch::changes() const {
  return executor_->changes() + (children_ && children_->running ? children_->running->changes() : 0);
}

std::unique_ptr<RunningLaunch> Device::begin(const Module& module, const KernelInfo& kernel,
                                             const LaunchConfig& config, const u8* params) {
  auto running = std::make_unique<RunningLaunch>(*this, static_cast<const LoadedModule&>(module), kernel,
                                                 config, params, ++launches_);
  running->prepare();
  return running;
}

std::optional<Fault> Device::launch(const Module& module, const KernelInfo& kernel,
                                    const LaunchConfig& config, const u8* params) {
  RunningLaunch running(*this, static_cast<const LoadedModule&>(module), kernel, config, params, ++launches_);
  if (replay && !peers) {
    if (!replays_) replays_ = std::make_shared<Replays>();
    if (running.replay(*replays_)) return std::nullopt;
  } else if (replays_) {
    replays_->forget();
  }
  running.prepare();
  running.run(PeerState::none);
  return running.fault();
}

u64 Device::replayed() const { return replays_ ? replays_->replayed() : 0; }

}  // namespace gpusim
// SPDX-License-Identifier: MIT
