// Checks of look_back() of chapter 10 by itself. In a whole scan on the simulated GPU blocks come one after
// another, so the tile before has always a prefix already: the far looks of a GPU, and the waiting, must be
// staged.
#pragma once

#include <kernels.cuh>

#include <algorithm>
#include <string>
#include <vector>

#include "counts.h"
#include "harness/device_buffer.h"
#include "judge.h"
#include "simulated.h"
#include "sum_checks.h"

namespace judge {

inline constexpr int kFarTile = 97;  // three looks find aggregates only, the fourth the prefix of tile 0

// One warp looks back from `tile`; sums[lane] is what it finds.
__global__ void look_back_once(const TileWord* states, int tile, int* sums) {
  sums[threadIdx.x] = look_back<int>(states, tile);
}

// Block 0 looks back from kFarTile while block 1 publishes the aggregates before it, the nearest first.
__global__ void look_back_and_wait(TileWord* states, int* sums) {
  if (blockIdx.x == 0)
    sums[threadIdx.x] = look_back<int>(states, kFarTile);
  else if (threadIdx.x == 0)
    for (int k = kFarTile - 1; k >= 0; --k)
      publish(states, k, k == 0 ? TileStatus::prefix : TileStatus::aggregate, k + 1);
}

inline TileWord state_word(TileStatus status, int value) {
  return TileWord(status) << 32 | static_cast<unsigned>(value);
}

// Tile k adds up to k + 1. Tiles up to `prefixes` have their prefix, others before `tile` their aggregate;
// `tile` itself and what follows are no business of its look-back.
inline std::vector<TileWord> states_before(int tile, int prefixes) {
  std::vector<TileWord> states;
  for (int k = 0; k < tile; ++k)
    states.push_back(k <= prefixes ? state_word(TileStatus::prefix, (k + 1) * (k + 2) / 2)
                                   : state_word(TileStatus::aggregate, k + 1));
  for (int k = tile; k < tile + 40; ++k) states.push_back(state_word(TileStatus::prefix, 1000000));
  return states;
}

// False if the look-back is as shipped: it finds 0. Then that is reported.
inline bool check_found(const std::string& what, const std::vector<int>& sums, int tile) {
  const int expected = tile * (tile + 1) / 2;
  const auto wrong = std::find_if(sums.begin(), sums.end(), [&](int sum) { return sum != expected; });
  if (wrong == sums.end()) return true;
  const bool as_shipped = std::all_of(sums.begin(), sums.end(), [](int sum) { return sum == 0; });
  report(as_shipped ? Kind::as_shipped : Kind::wrong_result,
         what + ": lane " + std::to_string(wrong - sums.begin()) + " returns " + std::to_string(*wrong) +
             ", expected " + std::to_string(expected));
  return false;
}

inline void check_look_back() {
  harness::DeviceBuffer<int> d_sums(32);
  struct Case {
    int tile, prefixes;
  };
  for (const Case c : {Case{1, 0}, {2, 0},    {2, 1},    {31, 0},   {32, 0},   {33, 0},  {33, 1},  {64, 32},
                       {65, 0},    {100, 99}, {100, 98}, {100, 69}, {100, 68}, {100, 67}, {100, 0}, {1000, 3}}) {
    // Nothing lies before it: a lane that reads the state of tile -1 reads beyond the array.
    harness::DeviceBuffer<TileWord> d_states(states_before(c.tile, c.prefixes), harness::Guards::none);
    const std::string what = "look_back from tile " + std::to_string(c.tile) + ", nearest prefix at tile " +
                             std::to_string(c.prefixes);
    d_sums.fill_poison();
    look_back_once<<<1, 32>>>(d_states.data(), c.tile, d_sums.data());
    check_launch(what);
    if (!check_found(what, d_sums.download(), c.tile)) return;
  }

  harness::DeviceBuffer<TileWord> d_states(kFarTile + 1);
  std::vector<std::string> schedules = other_schedules();
  schedules.insert(schedules.begin(), "");
  for (const std::string& schedule : schedules) {
    const std::string what = "look_back before any tile is published" +
                             (schedule.empty() ? "" : " in schedule " + schedule);
    d_states.fill_zero();
    d_sums.fill_poison();
    const auto wait = [&] {
      look_back_and_wait<<<2, 32>>>(d_states.data(), d_sums.data());
      check_launch(what);
    };
    if (schedule.empty()) {
      wait();
    } else {
      const InSchedule other(schedule);
      wait();
    }
    check_found(what, d_sums.download(), kFarTile);
  }

  // Four looks of 32 tiles each, a request a look: not one lane that walks past 97 tiles.
  harness::DeviceBuffer<TileWord> d_far(states_before(kFarTile, 0));
  check_counts("look_back past 96 aggregates", 1,
               [&] { look_back_once<<<1, 32>>>(d_far.data(), kFarTile, d_sums.data()); },
               {Count::global_load_requests <= 12});
}

}  // namespace judge
