// How many blocks. See the page: `blocks` measures it.
#pragma once

#include <algorithm>

// Blocks of kThreads threads, each of which makes kLoads loads of 16 bytes at a time, for n floats.
//
// As many as there are rounds of kLoads loads, so that each thread has one: a multiprocessor that is done takes the
// next block, and none waits for a slower one. From 8192 rounds on a thread has two, then more: the sums of the blocks
// must be added up as well, and to start a block takes time.
template <int kThreads, int kLoads>
int blocks_for(int n) {
  constexpr int kRound = kThreads * kLoads * 4, kMany = 8192, kMost = 16384;
  const int rounds = n == 0 ? 1 : (n - 1) / kRound + 1;
  return rounds <= kMany ? rounds : std::clamp(rounds / 2, kMany, kMost);
}
// SPDX-License-Identifier: MIT
