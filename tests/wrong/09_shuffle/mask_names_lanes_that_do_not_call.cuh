// rejected: fault
// The mask says that all 32 lanes shuffle, and only the first `count` call: they wait for the others for
// ever.
#pragma once

#define shuffle_first solved_shuffle_first  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_first

__global__ void shuffle_first(const int* in, int* out, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int value = in[t];
  if (lane < count) value = __shfl_sync(kAllLanes, value, (lane + 1) % count);
  out[t] = value;
}
