// rejected: wrong result
// Every lane sends the same variable, so the upper lane sends its first element, where its second is asked
// for.
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
  const int received = __shfl_xor_sync(kAllLanes, value[kFirst], mask);
  if (is_lower) value[kFirst] = received;
  else value[kSecond] = received;
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
