// rejected: wrong result
// As if a shuffle of the array were one shuffle: only value[0] travels.
#pragma once

#define shuffle_xor_array solved_shuffle_xor_array  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_xor_array

__global__ void shuffle_xor_array(const int* in, int* out, int mask) {
  const int t = threadIdx.x;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  value[0] = __shfl_xor_sync(kAllLanes, value[0], mask);
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
