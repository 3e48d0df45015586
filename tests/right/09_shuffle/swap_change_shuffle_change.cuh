// The lower lane changes the places of its two elements before and after the shuffle, so that all lanes can
// send the same variable.
#pragma once

#define shuffle_swap solved_shuffle_swap  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_swap

template <int kFirst, int kSecond>
__global__ void shuffle_swap(const int* in, int* out, int mask) {
  const int t = threadIdx.x, lane = t % 32;
  const bool is_lower = lane < (lane ^ mask);
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  const auto change = [&] {
    const int kept = value[kFirst];
    value[kFirst] = value[kSecond];
    value[kSecond] = kept;
  };
  if (is_lower) change();
  value[kSecond] = __shfl_xor_sync(kAllLanes, value[kSecond], mask);
  if (is_lower) change();
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
// SPDX-License-Identifier: MIT
