#include "look_back_checks.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "counts.h"
#include "harness/device_buffer.h"
#include "harness/reference.h"
#include "judge.h"
#include "simulated.h"
#include "sum_checks.h"
#include "thresholds.h"

namespace judge {
namespace {

constexpr int kFarTile = 97;  // three looks find aggregates only, the fourth the prefix of tile 0
constexpr int kFarthestTile = 1001;
constexpr std::size_t kMostTiles = 1 << 17;
constexpr int kRequestsOfALook = 3;  // one is enough; a state may lie in two words

template <typename T>
StateWord state_word(const TileValue& state) {
  static_assert(sizeof(T) == 4);
  const T value = number<T>(state.value);
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  return StateWord(state.state) << 32 | bits;
}

// `tile` itself and what follows are no business of its look-back.
template <typename T>
std::vector<StateWord> words_of_states(const std::vector<TileValue>& before) {
  std::vector<StateWord> words;
  for (const TileValue& state : before) words.push_back(state_word<T>(state));
  words.resize(words.size() + 40, state_word<T>({State::prefix, 1000000}));
  return words;
}

// False if the look-back is as shipped: it finds 0. Then that is reported.
template <typename T>
bool check_found(const std::string& what, const std::vector<T>& sums, int tile,
                 const std::function<std::string()>& reads = {}) {
  const T expected = number<T>(prefix_of(tile - 1));
  const auto wrong = std::find_if(sums.begin(), sums.end(), [&](T sum) { return sum != expected; });
  if (wrong == sums.end()) return true;
  const bool as_shipped = std::all_of(sums.begin(), sums.end(), [](T sum) { return sum == T{}; });
  report(
      as_shipped ? Kind::as_shipped : Kind::wrong_result,
      what + ": lane " + std::to_string(wrong - sums.begin()) + " returns " +
          harness::digits(double(*wrong)) + ", expected " + harness::digits(double(expected)) +
          (reads && !as_shipped ? ", what tiles 0 to " + std::to_string(tile - 1) + " add up to; " + reads()
                                : ""));
  return false;
}

template <typename T>
std::string look_back_from(int tile) {
  return std::string("look_back from tile ") + std::to_string(tile) +
         (std::is_same_v<T, int>     ? ""
          : std::is_same_v<T, float> ? ", float"
                                     : ", large numbers");
}

// Nothing changes: tiles up to `prefixes` have their prefix, the others before `tile` their aggregate.
template <typename T>
bool check_standing_states(LookOnce<T> look_back, int tile, int prefixes, int threads) {
  std::vector<TileValue> before;
  for (int k = 0; k < tile; ++k)
    before.push_back(k <= prefixes ? TileValue{State::prefix, prefix_of(k)}
                                   : TileValue{State::aggregate, aggregate_of(k)});
  // Nothing lies before it: a lane that reads the state of tile -1 reads beyond the array.
  harness::DeviceBuffer<StateWord> d_states(words_of_states<T>(before), harness::Guards::none);
  harness::DeviceBuffer<T> d_sums(32);
  const std::string what = look_back_from<T>(tile) + ", nearest prefix at tile " + std::to_string(prefixes) +
                           (threads == 32 ? "" : ", by warp " + std::to_string(threads / 32 - 1));
  d_sums.fill_poison();
  const auto launch = [&] { look_back(d_states.data(), tile, d_sums.data(), threads); };
  launch();
  check_launch(what);
  return check_found(what, d_sums.download(), tile,
                     [&] { return reads_of(d_states.data(), d_states.size(), sizeof(StateWord), launch); });
}

template <typename T>
bool check_changing_states(const LookBack<T>& look_back, int tile, const Script& script) {
  harness::DeviceBuffer<StateWord> d_states(words_of_states<T>(script.before), harness::Guards::none);
  harness::DeviceBuffer<Change> d_changes(script.changes);
  harness::DeviceBuffer<T> d_sums(32);
  d_sums.fill_poison();
  const std::string what = look_back_from<T>(tile) + " while " + script.name;
  look_back.meanwhile(d_states.data(), tile, d_sums.data(), d_changes.data(), int(script.changes.size()));
  check_launch(what);
  return check_found(what, d_sums.download(), tile);
}

bool check_changing_states(const LookBacks& look_back) {
  int speed = 0;
  for (const int tile : {1, 2, 3, 31, 32, 33, 34, 64, 65, kFarTile})
    for (const Script& script : scripts_before(tile)) {
      for (int k = 0; k < 5; ++k) {
        const InTurns turns(kSpeeds[speed++ % std::size(kSpeeds)]);
        if (!check_changing_states(look_back.ints, tile, script)) return false;
      }
      if (!check_changing_states(look_back.floats, tile, script)) return false;
    }
  const std::vector<Script> far = scripts_before(kFarthestTile);
  for (const Script& script : {far.front(), far.back()})
    if (!check_changing_states(look_back.ints, kFarthestTile, script)) return false;
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    for (const Script& script : scripts_before(kFarTile))
      if (!check_changing_states(look_back.ints, kFarTile, script)) return false;
  }
  return true;
}

}  // namespace

bool check_standing_states(const LookBacks& look_back) {
  struct Case {
    int tile, prefixes;
  };
  for (const Case c : {Case{1, 0},
                       {2, 0},
                       {2, 1},
                       {31, 0},
                       {32, 0},
                       {33, 0},
                       {33, 1},
                       {64, 32},
                       {65, 0},
                       {100, 99},
                       {100, 98},
                       {100, 69},
                       {100, 68},
                       {100, 67},
                       {100, 0},
                       {1000, 3},
                       {3001, 0}})
    if (!check_standing_states(look_back.ints.once, c.tile, c.prefixes, 32) ||
        !check_standing_states(look_back.floats.once, c.tile, c.prefixes, 32))
      return false;
  for (const std::size_t tile : sizes_around_thresholds(2, kMostTiles))
    if (!check_standing_states(look_back.ints.once, int(tile), 0, 32)) return false;
  return check_standing_states(look_back.large_numbers, 1000, 3, 32) &&
         check_standing_states(look_back.ints.once, 66001, 0, 32) &&  // farther than 16 bits count
         check_standing_states(look_back.ints.once, 100, 50, 128);    // any warp of a block may look back
}

void check_look_back(const LookBacks& look_back) {
  if (is_as_shipped("look_back")) return leave_out("look_back");
  if (!check_changing_states(look_back)) return;

  // Looks of 32 tiles each, a request a look: not one lane that walks past all tiles, near or far.
  std::vector<int> tiles = {kFarTile, kFarthestTile};
  for (const std::size_t tile : sizes_around_thresholds(2, kMostTiles)) tiles.push_back(int(tile));
  for (const int tile : tiles) {
    std::vector<TileValue> before{{State::prefix, prefix_of(0)}};
    for (int k = 1; k < tile; ++k) before.push_back({State::aggregate, aggregate_of(k)});
    const harness::DeviceBuffer<StateWord> d_far(words_of_states<int>(before));
    harness::DeviceBuffer<int> d_sums(32);
    const int looks = (tile + 31) / 32;
    if (!check_counts("look_back past " + std::to_string(tile - 1) + " aggregates", 1,
                      [&] { look_back.ints.once(d_far.data(), tile, d_sums.data(), 32); },
                      {Count::global_load_requests <= kRequestsOfALook * looks}))
      break;
  }

  // A look is 32 words of 8 bytes: 8 sectors, or 9. Where the next tile has its prefix, one is enough, and two may be on their way.
  constexpr int kLateTile = 300;
  harness::DeviceBuffer<int> d_sums(32);
  std::vector<TileValue> standing;
  for (int k = 0; k < kLateTile; ++k) standing.push_back({State::prefix, prefix_of(k)});
  harness::DeviceBuffer<StateWord> d_near(words_of_states<int>(standing));
  check_counts("look_back from tile 300, next to a prefix", 1,
               [&] { look_back.ints.once(d_near.data(), kLateTile, d_sums.data(), 32); },
               {Count::global_load_sectors <= 18});
}

}  // namespace judge
// SPDX-License-Identifier: MIT
