// How many blocks to launch. The experiment `blocks` measures it; see the page.
#pragma once

#include <algorithm>

// For n floats: how many blocks of kThreads threads, if each thread makes kLoads loads of 16 bytes at a time.
//
// As many blocks as there are rounds of kLoads loads, so that each thread has one: a multiprocessor that is done takes
// the next block, and none waits for a slower one. Above 8192 rounds a thread may have two, then more, because the
// blocks' sums must be added up as well, and starting a block takes time.
template <int kThreads, int kLoads>
int blocks_for(int n) {
  constexpr int kRound = kThreads * kLoads * 4, kMany = 8192, kMost = 16384;
  const int rounds = n == 0 ? 1 : (n - 1) / kRound + 1;
  return rounds <= kMany ? rounds : std::clamp(rounds / 2, kMany, kMost);
}
// SPDX-License-Identifier: MIT
