#include "timing/uneven_blocks.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace gpusim::timing {
namespace {

constexpr double kEven = 1.1;  // most steps of a block for the mean: above it they are uneven

LoadedMultiprocessor by_recorded(const LaunchRecord& record, const std::vector<u64>& blocks) {
  LoadedMultiprocessor loaded;
  double own = 0, of_recorded = 0;
  for (const u64 block : blocks) {
    const double steps = double(record.steps_of[block]);
    const auto steps_of = [&](u32 k) { return double(record.steps_of[record.recorded(k).index]); };
    u32 nearest = 0;
    for (u32 k = 1; k < record.blocks.size() + record.longest.size(); ++k)
      if (std::abs(steps_of(k) - steps) < std::abs(steps_of(nearest) - steps)) nearest = k;
    loaded.order.push_back(nearest);
    own += steps;
    of_recorded += steps_of(nearest);
  }
  loaded.longer = own / std::max(of_recorded, 1.0);
  return loaded;
}

}  // namespace

double longest_to_mean(const LaunchRecord& record) {
  if (record.steps_of.empty() || record.steps_run == 0) return 0;
  return double(*std::ranges::max_element(record.steps_of)) * double(record.blocks_run) /
         double(record.steps_run);
}
bool are_uneven(const LaunchRecord& record) {
  return !record.blocks.empty() && longest_to_mean(record) > kEven;
}

std::optional<LoadedMultiprocessor> most_loaded(const LaunchRecord& record, u64 multiprocessors,
                                                u64 resident) {
  if (!are_uneven(record)) return std::nullopt;
  // A block takes as long as it has steps. Rooms are numbered so that each multiprocessor gets one block before any gets a second.
  using Room = std::pair<u64, u64>;  // when it is free, its number
  std::priority_queue<Room, std::vector<Room>, std::greater<>> rooms;
  for (u64 k = 0; k < multiprocessors * resident; ++k) rooms.emplace(0, k);
  std::vector<std::vector<u64>> blocks(multiprocessors);
  std::vector<u64> load(multiprocessors);
  for (u64 b = 0; b < record.steps_of.size(); ++b) {
    const auto [free, room] = rooms.top();
    rooms.pop();
    rooms.emplace(free + record.steps_of[b], room);
    blocks[room % multiprocessors].push_back(b);
    load[room % multiprocessors] += record.steps_of[b];
  }
  return by_recorded(record, blocks[std::size_t(std::ranges::max_element(load) - load.begin())]);
}

std::optional<LoadedMultiprocessor> longest_block(const LaunchRecord& record) {
  if (!are_uneven(record)) return std::nullopt;
  return by_recorded(record, {u64(std::ranges::max_element(record.steps_of) - record.steps_of.begin())});
}

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
