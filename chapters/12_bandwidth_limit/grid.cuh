// How many blocks. See the page: `blocks` measures it.
#pragma once

#include <algorithm>

// Blocks of kThreads threads, each of which makes kLoads loads of 16 bytes at a time, for n floats.
//
// As many as there are rounds of kLoads loads, so that each thread has one: a multiprocessor that is done takes the
// next block, and none waits for a slower one. Only from kMostBlocks on a thread has more rounds, since the sums of the
// blocks must be added up as well.
template <int kThreads, int kLoads>
int blocks_for(int n) {
  constexpr int kMostBlocks = 8192, kRound = kThreads * kLoads * 4;
  return n <= kRound ? 1 : std::min((n - 1) / kRound + 1, kMostBlocks);
}
