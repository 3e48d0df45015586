// rejected: wrong result
// It takes the partner for a mirror: element k from the partner's element 3 - k. A shuffle names one
// variable for all lanes; and half of these are overwritten before they are sent.
#pragma once

#define shuffle_xor_array solved_shuffle_xor_array  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_xor_array

__global__ void shuffle_xor_array(const int* in, int* out, int mask) {
  const int t = threadIdx.x;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  for (int k = 0; k < kPerLane; ++k) value[k] = __shfl_xor_sync(kAllLanes, value[kPerLane - 1 - k], mask);
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
