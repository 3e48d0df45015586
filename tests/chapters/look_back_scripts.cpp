#include "look_back_scripts.h"

#include <algorithm>

#include "harness/inputs.h"

namespace judge {
namespace {

constexpr int kWindow = 32;  // tiles at which a warp looks at a time

Change to_aggregate(int tile) { return {tile, State::aggregate, aggregate_of(tile)}; }
Change to_prefix(int tile) { return {tile, State::prefix, prefix_of(tile)}; }

// Tile 0 has its prefix at once.
std::vector<Change> to_either(int tile) {
  return tile == 0 ? std::vector{to_prefix(0)} : std::vector{to_aggregate(tile), to_prefix(tile)};
}

// The same for each tile, the nearest first or the farthest first.
template <typename Changes>
std::vector<Change> each(int tile, bool nearest_first, Changes changes) {
  std::vector<Change> all;
  for (int k = 0; k < tile; ++k)
    for (const Change& change : changes(nearest_first ? tile - 1 - k : k)) all.push_back(change);
  return all;
}

std::vector<Change> joined(std::vector<Change> first, const std::vector<Change>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// Any order in which a tile's aggregate comes before its prefix.
std::vector<Change> shuffled(int tile) {
  std::vector<Change> all = each(tile, true, to_either);
  harness::Random random(tile);
  for (std::size_t i = all.size() - 1; i > 0; --i) std::swap(all[i], all[random.below(i + 1)]);
  std::vector<bool> known(tile);
  for (Change& change : all) {
    change = known[change.tile] || change.tile == 0 ? to_prefix(change.tile) : to_aggregate(change.tile);
    known[change.tile] = true;
  }
  return all;
}

}  // namespace

int aggregate_of(int tile) { return 1 + tile * 37 % 101; }
int prefix_of(int tile) {
  int sum = 0;
  for (int k = 0; k <= tile; ++k) sum += aggregate_of(k);
  return sum;
}

std::vector<Script> scripts_before(int tile) {
  const std::vector<TileValue> empty(tile, TileValue{State::empty, 0});
  std::vector<TileValue> aggregates;
  for (int k = 0; k < tile; ++k)
    aggregates.push_back(k == 0 ? TileValue{State::prefix, prefix_of(0)}
                                : TileValue{State::aggregate, aggregate_of(k)});
  const auto first = [](int k) { return std::vector{k == 0 ? to_prefix(0) : to_aggregate(k)}; };
  const auto last = [](int k) { return k == 0 ? std::vector<Change>{} : std::vector{to_prefix(k)}; };
  const auto some_last = [](int k) { return k % 5 == 3 ? std::vector{to_prefix(k)} : std::vector<Change>{}; };
  const auto far_prefixes = [tile, first](int k) { return k + kWindow / 2 < tile ? to_either(k) : first(k); };
  return {
      {"aggregates come, the nearest first", empty, each(tile, true, first)},
      {"aggregates come, the farthest first", empty, each(tile, false, first)},
      {"aggregates become prefixes, the farthest first", aggregates, each(tile, false, last)},
      {"aggregates become prefixes, the nearest first", aggregates, each(tile, true, last)},
      {"every fifth aggregate becomes a prefix", aggregates, each(tile, true, some_last)},
      {"each tile goes on to its prefix, the farthest first", empty, each(tile, false, to_either)},
      {"each tile goes on to its prefix, the nearest first", empty, each(tile, true, to_either)},
      {"far prefixes come before near aggregates", empty, each(tile, false, far_prefixes)},
      {"aggregates come, then prefixes, the nearest first", empty,
       joined(each(tile, true, first), each(tile, true, last))},
      {"states come in any order", empty, shuffled(tile)},
  };
}

}  // namespace judge
// SPDX-License-Identifier: MIT
