// The kernels by which look_back_checks.cpp runs look_back() of chapter 10.
#pragma once

#include <kernels.cuh>

#include <type_traits>

#include "look_back_checks.h"

namespace judge {

static_assert(std::is_same_v<StateWord, TileWord>);

template <typename T>
__global__ void look_back_once(const TileWord* states, int tile, T* sums) {
  if (threadIdx.x + 32 >= blockDim.x) sums[threadIdx.x % 32] = look_back<T>(states, tile);
}

template <typename T>
__global__ void look_back_meanwhile(TileWord* states, int tile, T* sums, const Change* changes, int count) {
  if (blockIdx.x == 0) sums[threadIdx.x] = look_back<T>(states, tile);
  else if (threadIdx.x == 0)
    for (int c = 0; c < count; ++c)
      publish(states, changes[c].tile, TileStatus(changes[c].state), number<T>(changes[c].value));
}

template <typename T> void launch_once(const TileWord* states, int tile, T* sums, int threads) {
  look_back_once<<<1, threads>>>(states, tile, sums);
}
template <typename T>
void launch_meanwhile(TileWord* states, int tile, T* sums, const Change* changes, int count) {
  look_back_meanwhile<<<2, 32>>>(states, tile, sums, changes, count);
}
inline constexpr LookBacks kLookBacks = {{launch_once<int>, launch_meanwhile<int>},
                                         {launch_once<float>, launch_meanwhile<float>},
                                         launch_once<unsigned>};

}  // namespace judge
// SPDX-License-Identifier: MIT
