// When blocks that have changed no memory are looked at, and found to go round in circles.
#include "execution/livelock.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace gpusim;

namespace {

struct Looked {
  u64 looks = 0, turns = 0;
};

// Blocks whose registers have `bytes` bytes, run for `each` instructions a turn, and are where they were after `period` turns.
Looked until_repeated(u64 bytes, u64 each, u64 period, u64 most_turns) {
  Livelock livelock;
  Looked looked;
  for (u64 turn = 1; turn <= most_turns; ++turn) {
    looked.turns = turn;
    const auto state = [&] { return ++looked.looks, StateHash{turn % period, bytes}; };
    if (livelock.is_repeated(turn, turn * each, state)) break;
  }
  return looked;
}

}  // namespace

TEST_CASE("blocks that go round in circles are found out after a few turns") {
  for (const u64 period : {1, 2, 3, 7, 8})
    CHECK(until_repeated(1000, 100, period, 1000).turns <= 16 + period);
  CHECK(until_repeated(1000, 100, 100, 1000).turns < 400);
}

TEST_CASE("blocks that get further are not taken for such") {
  CHECK(until_repeated(1000, 100, u64(1) << 40, 10'000).turns == 10'000);
}

TEST_CASE("looking at megabytes of registers takes less time than short turns") {
  constexpr u64 kBytes = 6'400'000, kEach = 100, kTurns = 50'000;
  const Looked looked = until_repeated(kBytes, kEach, u64(1) << 40, kTurns);
  CHECK(looked.looks > 10);
  CHECK(looked.looks * kBytes / 64 <= kTurns * kEach);
  CHECK(until_repeated(kBytes, kEach, 1, kTurns).turns < 3000);
}

TEST_CASE("blocks that execute nothing are looked at however large they are") {
  CHECK(until_repeated(u64(1) << 40, 0, 1, 1000).turns <= 9);
}

TEST_CASE("once memory has changed, older states no longer count") {
  Livelock livelock;
  const auto state = [] { return StateHash{1, 0}; };
  for (u64 turn = 1; turn <= 8; ++turn) CHECK(!livelock.is_repeated(turn, turn, state));
  for (u64 turn = 1; turn <= 8; ++turn) CHECK(!livelock.is_repeated(turn, turn, state));
  CHECK(livelock.is_repeated(9, 9, state));
}
// SPDX-License-Identifier: MIT
