// rejected: right, but it shuffles
// Both elements travel in both directions, and half of what arrives is thrown away: choosing before the
// shuffle saves one.
#pragma once

#define shuffle_swap solved_shuffle_swap  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_swap

template <int kFirst, int kSecond>
__global__ void shuffle_swap(const int* in, int* out, int mask) {
  const int t = threadIdx.x, lane = t % 32;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  const bool is_lower = lane < (lane ^ mask);
  const int first = __shfl_xor_sync(kAllLanes, value[kFirst], mask);
  const int second = __shfl_xor_sync(kAllLanes, value[kSecond], mask);
  if (is_lower) value[kFirst] = second;
  else value[kSecond] = first;
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
