// Checks of chapter 12's sum_all(): one launch, in which one block adds up what all others leave. They run the whole sum only, since
// what a kernel keeps in its words while it runs is its own affair. Each reports to the judge.
#pragma once

#include <string>

#include "harness/device_buffer.h"

namespace judge {

using WordBits = unsigned long long;  // BlockWord of block_words.cuh

struct OneLaunch {
  int round;  // floats that a block adds in a full round
  void (*launch)(const float* d_in, float* d_sum, WordBits* d_words, int n, int blocks);
};

// Reports unless every word is 0, as it was before.
void check_empty(const std::string& what, const harness::DeviceBuffer<WordBits>& d_words);

// Launches of several sizes, one after another, with the same words.
void check_launches_in_a_row(const OneLaunch& sum);

// One of two blocks executes one instruction while the other executes thousands.
void check_slow_block(const OneLaunch& sum);

// One of two blocks never comes to its turn: nobody may store a sum then. (A wait that never ends is right here. A wait that counts
// its looks shows that it gives up only if it does so within a few million warp instructions.)
void check_missing_block(const OneLaunch& sum);

// More blocks than fit on a GPU at once, and more words than a block has threads.
void check_many_blocks(const OneLaunch& sum);

// The largest grid, of which single blocks run: they leave no array.
void check_largest_grid(const OneLaunch& sum);

// The same bits in whichever order blocks come: seven of them with elements, in several schedules, and so many that a thread
// has the sums of three to add.
void check_order_of_blocks(const OneLaunch& sum);

// The grid is one launch, and has as many blocks as the caller asks for.
void check_one_launch(const OneLaunch& sum);

}  // namespace judge
// SPDX-License-Identifier: MIT
