// Additions of floats in shared memory. ptxas makes a loop of each: it reads the word, adds, and swaps if the word is still as it
// was; where another lane came first, it begins again.
#pragma once

#include <unordered_map>
#include <vector>

#include "timing/launch_record.h"

namespace gpusim::timing {

// A round has two halves: load and sum; swap, comparison and branch. Each takes as many issue slots, by the SASS of an H200, and
// ncu counts one pass through shared memory for the load and two for the swap.
inline constexpr u32 kSlotsOfHalf = 3, kPassesOfLoad = 1, kPassesOfSwap = 2;

// A warp that is in such a loop.
struct Addition {
  std::vector<Touched> left;  // words, with the lanes that have not swapped yet
  bool has_read = false;
  double read = 0;  // when
};

// The words of one block's shared memory.
class SwappedWords {
 public:
  // Swaps what is as it was: one lane's of each word. Returns whether all lanes are done.
  bool swap(Addition&, double at);

 private:
  std::unordered_map<u64, double> swapped_;  // by word: when, for the last time
};

}  // namespace gpusim::timing
// SPDX-License-Identifier: MIT
