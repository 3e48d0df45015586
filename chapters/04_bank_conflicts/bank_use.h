// Which lanes meet in which bank? Worked out from the elements that the lanes of a warp touch.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

inline constexpr int kBanks = 32;  // element k of an array of floats lies in bank k % 32

// One warp's access through one expression, tile[left] or tile[left + len]: the index of the element that
// each active lane touches, in the order of the lanes.
using Access = std::vector<int>;

// Passes over the banks. In each pass a bank serves one element, so the bank with the most different elements
// decides how many passes the access takes.
inline int wavefronts(const Access& access) {
  std::vector<std::set<int>> elements_of(kBanks);
  for (int element : access) elements_of[element % kBanks].insert(element);
  std::size_t most = 0;
  for (const auto& elements : elements_of) most = std::max(most, elements.size());
  return static_cast<int>(most);
}

// "0 16": the lanes whose elements lie in the same bank as lane 0's, at most `most` of them, then "...".
inline std::string lanes_that_meet_lane_0(const Access& access, std::size_t most = 8) {
  std::string text;
  std::size_t listed = 0;
  for (std::size_t lane = 0; lane < access.size(); ++lane) {
    if (access[lane] % kBanks != access[0] % kBanks) continue;
    if (listed++ == most) return text + " ...";
    text += (text.empty() ? "" : " ") + std::to_string(lane);
  }
  return text;
}

// One level of a tree: thread t < pairs adds tile[distance + step * t] to tile[step * t].
struct Level {
  int pairs, step, distance;

  // The elements that lanes 0, 1 … of a warp touch. `offset` is 0 for the sum, and `distance` for the element
  // that is added to it.
  Access access(int warp, int offset) const {
    Access elements;
    for (int t = 32 * warp; t < std::min(pairs, 32 * (warp + 1)); ++t) elements.push_back(step * t + offset);
    return elements;
  }
  int warps() const { return (pairs + 31) / 32; }  // warps that have a pair to add

  // Bank conflicts: the wavefronts beyond the first one of each access, summed over all working warps.
  int load_conflicts() const { return conflicts(0) + conflicts(distance); }
  int store_conflicts() const { return conflicts(0); }

 private:
  int conflicts(int offset) const {
    int sum = 0;
    for (int warp = 0; warp < warps(); ++warp) sum += wavefronts(access(warp, offset)) - 1;
    return sum;
  }
};

// Chapter 03 adds neighbours first. Each level's sums lie twice as far apart as those of the level before.
inline std::vector<Level> strided_levels(int elements) {
  std::vector<Level> levels;
  for (int len = 1; len < elements; len *= 2) levels.push_back({elements / (2 * len), 2 * len, len});
  return levels;
}

// Chapter 04 adds elements half a tile apart first. The sums stay side by side.
inline std::vector<Level> sequential_levels(int elements) {
  std::vector<Level> levels;
  for (int stride = elements / 2; stride > 0; stride /= 2) levels.push_back({stride, 1, stride});
  return levels;
}

struct Conflicts {
  int loads = 0, stores = 0;  // of one block
};
inline Conflicts conflicts_of(const std::vector<Level>& levels) {
  Conflicts sum;
  for (const Level& level : levels) {
    sum.loads += level.load_conflicts();
    sum.stores += level.store_conflicts();
  }
  return sum;
}
// SPDX-License-Identifier: MIT
