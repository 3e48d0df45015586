// Checks of look_back() of chapter 10 by itself. In a whole scan on the simulated GPU the tile before has mostly a prefix
// already: the far looks of a GPU, the waiting, and states that change while a warp looks must be staged.
#pragma once

#include <cuda_runtime.h>

#include <type_traits>

#include "look_back_scripts.h"

namespace judge {

using StateWord = unsigned long long;  // as tile_states.cuh has it: status and value

// A float has quarters, which an int loses; an unsigned, more digits than a float carries.
template <typename T>
__host__ __device__ T number(int value) {
  if constexpr (std::is_same_v<T, float>) return 0.25f * float(value);
  return T(value) * (std::is_same_v<T, unsigned> ? 20011 : 1);
}

// Launches of look_back<T>(); sums[lane] is what a warp finds.
template <typename T>
using LookOnce = void (*)(const StateWord* states, int tile, T* sums, int threads);
template <typename T>
struct LookBack {
  LookOnce<T> once;  // the last warp of a block of `threads` looks back from `tile`
  // Block 0 looks back while block 1 makes the changes, one after another.
  void (*meanwhile)(StateWord* states, int tile, T* sums, const Change* changes, int count);
};
struct LookBacks {
  LookBack<int> ints;
  LookBack<float> floats;
  LookOnce<unsigned> large_numbers;
};

// Nothing changes meanwhile. False if a finding was reported.
bool check_standing_states(const LookBacks& look_back);

// Every order of changes, from every position in a window, at several speeds: a change may come between any two
// instructions of the warp that looks. And what a look costs.
void check_look_back(const LookBacks& look_back);

}  // namespace judge
// SPDX-License-Identifier: MIT
