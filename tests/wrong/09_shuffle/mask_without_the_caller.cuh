// rejected: shuffle
// All lanes call, so that none waits for ever, and the mask names only the first `count`. A lane that is not
// in its own mask gets an undefined value, even if it throws it away.
#pragma once

#define shuffle_first solved_shuffle_first  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_first

__global__ void shuffle_first(const int* in, int* out, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int value = in[t];
  const int received = __shfl_sync(kAllLanes >> (32 - count), value, (lane + 1) % count);
  out[t] = lane < count ? received : value;
}
