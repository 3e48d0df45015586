#include "launch/grid.h"

#include <algorithm>
#include <ctime>
#include <numeric>

#include "launch/host_threads.h"

namespace gpusim {
namespace {

// Waiting blocks take their turns whenever the number of blocks has grown by this fraction. If N blocks wait for the last
// one, that is N turns once all have started, and few before.
constexpr std::size_t kGrowth = 4;

// A step through `blocks` numbers that comes to each once.
u64 stride_of(u64 blocks) {
  u64 stride = u64(double(blocks) * 0.6180339887) | 1;
  while (std::gcd(stride, blocks) != 1) stride += 2;
  return stride;
}

// Whether a kernel reads what others may write meanwhile. If it calls functions, they may do so.
bool may_wait(const LaunchInfo& launch) {
  const Function& own = launch.program->functions[launch.kernel->function];
  const auto code = launch.program->code.begin();
  return std::any_of(code + own.begin, code + own.end, [&](const Instruction& in) {
    if (in.shape == Shape::call) return !launch.program->calls[in.target].is_host();
    if (!reads_addressed(in.shape) || !has_result(in.shape)) return false;
    return is_atomic(in.shape) ? in.space != Space::shared : in.order != MemoryOrder::weak;
  });
}

// Chooses rows of neighbouring blocks, which read the same data, spread as far apart as possible.
std::vector<u64> from_all_over(u64 blocks, u64 most) {
  constexpr u64 kRow = 256;
  const u64 rows = std::max<u64>(most / kRow, 1), row = most / rows;
  std::vector<u64> chosen;
  for (u64 r = 0; r < rows; ++r) {
    const u64 first = rows == 1 ? 0 : u64(static_cast<unsigned __int128>(blocks - row) * r / (rows - 1));
    for (u64 k = 0; k < row; ++k) chosen.push_back(first + k);
  }
  return chosen;
}

// The only blocks of a grid that run; where all run, none.
std::vector<u64> chosen_of(const Settings& settings, const LaunchInfo& launch) {
  const u64 blocks = launch.grid.count(), most = settings.most_blocks;
  if (settings.chosen_blocks.empty() && most > 0 && blocks > most)
    return from_all_over(may_wait(launch) ? most : blocks, most);
  std::vector<u64> chosen = settings.chosen_blocks;
  std::erase_if(chosen, [&](u64 index) { return index >= blocks; });
  return chosen;
}

// The block that starts as number k of `blocks`.
u64 block_in_order(StartOrder order, u64 k, u64 blocks) {
  switch (order) {
    case StartOrder::first_to_last: return k;
    case StartOrder::last_to_first: return blocks - 1 - k;
    case StartOrder::shuffled: break;
  }
  // Starts in the middle, so that even three blocks run in an order of their own.
  return u64((static_cast<unsigned __int128>(k) * stride_of(blocks) + blocks / 2) % blocks);
}

}  // namespace

StartList::StartList(const Settings& settings, const LaunchInfo& launch)
    : order_(settings.start_order),
      chosen_(chosen_of(settings, launch)),
      are_chosen_(!settings.chosen_blocks.empty() || !chosen_.empty()),
      count_(are_chosen_ ? chosen_.size() : launch.grid.count()) {}

u64 StartList::operator[](u64 k) const {
  const u64 next = block_in_order(order_, k, count_);
  return are_chosen_ ? chosen_[next] : next;
}

u32 blocks_per_sm(const Capacity& capacity, u64 threads, u64 shared_bytes) {
  constexpr u64 kSharedGranule = 128;  // bytes
  const u64 warps = (threads + kWarpSize - 1) / kWarpSize;
  const u64 shared = align_up(shared_bytes + capacity.shared_bytes_reserved(), kSharedGranule);
  if (warps == 0 || shared_bytes > capacity.shared_bytes_of_block) return 0;
  return u32(
      std::min({u64(capacity.blocks), capacity.threads / kWarpSize / warps, capacity.shared_bytes / shared}));
}

bool is_time_up(double processor_seconds) {
  return processor_seconds > 0 && double(std::clock()) / CLOCKS_PER_SEC > processor_seconds;
}

Grid::Grid(Executor& executor, const LaunchInfo& launch, const Settings& settings, const StartList& blocks)
    : executor_(executor),
      turns_(settings.turns),
      still_runs_(settings.still_runs),
      processor_seconds_(settings.processor_seconds),
      blocks_(blocks),
      progress_(launch, blocks_.count()) {
  const u64 shared_bytes = launch.static_shared_bytes + launch.dynamic_shared_bytes;
  const Capacity& capacity = settings.capacity;
  const u32 fit = blocks_per_sm(capacity, launch.block.count(), shared_bytes) * capacity.multiprocessors;
  most_ = std::max(turns_.resident_blocks ? turns_.resident_blocks : fit, 1u);
}

void Grid::start() {
  if (idle_.empty()) idle_.push_back(std::make_unique<Block>());
  resident_.push_back(std::move(idle_.back()));
  idle_.pop_back();
  executor_.start(*resident_.back(), blocks_[started_++]);
  idle_rotations_ = 0;
}

// True if the block has ended: then others have moved up.
bool Grid::take_turn(std::size_t k) {
  Block& block = *resident_[k];
  if (turns_.lengths.empty()) executor_.run(block, kBlockSlice);
  else executor_.run_round(block, std::max(turns_.lengths[block.index % turns_.lengths.size()], 1u));
  progress_.tick(executor_.executed(), started_ - resident_.size() + block.done(),
                 [&] { return executor_.faults().place_of(block); });
  if (still_runs_) still_runs_();
  if (!block.done() && is_time_up(processor_seconds_))
    executor_.faults().fault_late(block, processor_seconds_, executor_.ended());
  if (!block.done()) return false;
  idle_.push_back(std::move(resident_[k]));
  resident_.erase(resident_.begin() + std::ptrdiff_t(k));
  idle_rotations_ = 0;
  return true;
}

// The first `count` blocks take their turns. If turns have no set lengths, the newest goes first: others may wait for it.
void Grid::rotate(std::size_t count) {
  if (turns_.lengths.empty())
    for (std::size_t k = count; k-- > 0;) take_turn(k);
  else
    for (std::size_t k = 0; k < count;) take_turn(k) ? --count : ++k;
}

RunState Grid::run(PeerState peers) {
  constexpr u64 kIdle = 2;             // rotations after which a grid waits for another GPU, it seems
  constexpr u64 kTurn = u64(1) << 24;  // warp instructions
  const u64 until = executor_.executed() + kTurn, changes = executor_.changes();
  idle_rotations_ = 0;
  while (started_ < blocks_.count() || !resident_.empty()) {
    if (pauses_here()) return RunState::pauses;
    if (peers == PeerState::busy && idle_rotations_ >= kIdle) return RunState::waits;
    if (peers == PeerState::busy && executor_.executed() >= until) return RunState::pauses;
    if ((peers == PeerState::idle || peers == PeerState::stuck) && executor_.changes() != changes)
      return RunState::pauses;
    // Newcomers take their turns first; blocks that could not end then take theirs.
    std::size_t newcomers = 0;
    while (can_start() && !pauses_here() &&
           (!turns_.lengths.empty() || newcomers * kGrowth <= resident_.size() - newcomers)) {
      start();
      newcomers += turns_.lengths.empty() && !take_turn(resident_.size() - 1);
    }
    const u64 before = executor_.changes();
    ++idle_rotations_;
    rotate(resident_.size() - newcomers);
    if (newcomers || executor_.changes() != before) idle_rotations_ = 0;
    if (idle_rotations_ && will_not_end() && !waits_for_host()) {
      if (peers == PeerState::idle) return RunState::waits;
      executor_.faults().fault_endless(*resident_.front(), blocks_.count() - started_, most_);
    }
  }
  return RunState::ended;
}

// Called after a rotation in which no memory changed and no block started or ended.
bool Grid::will_not_end() {
  constexpr u64 kShortTurns = 64;  // rotations: a look costs more than short turns
  const bool has_lengths = !turns_.lengths.empty();
  const u64 each = has_lengths ? kShortTurns : 1;
  if (idle_rotations_ % each != 0 ||
      !livelock_.is_repeated(idle_rotations_ / each, has_lengths ? Livelock::kAnyTime : executor_.executed(),
                             [&] { return executor_.state_of(resident_); }))
    return false;
  bool parted = false;
  for (const auto& block : resident_) parted |= executor_.part_joins(*block);
  if (parted) idle_rotations_ = 0;
  return !parted;
}

// Another host thread may store what a block polls, without a call that shows it. So the grid gives it time and then looks again.
bool Grid::waits_for_host() {
  constexpr auto kMost = std::chrono::seconds(10);
  const auto polls = [&](const auto& block) { return executor_.faults().polls_host_memory(*block); };
  if (!has_other_threads() || std::ranges::none_of(resident_, polls)) return false;
  const auto now = std::chrono::steady_clock::now();
  if (executor_.changes() != changes_at_standstill_) standstill_ = now;
  changes_at_standstill_ = executor_.changes();
  if (now - standstill_ > kMost) return false;
  let_others_go_on();
  idle_rotations_ = 0;
  return true;
}

}  // namespace gpusim
// SPDX-License-Identifier: MIT
