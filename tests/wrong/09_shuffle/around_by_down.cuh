// rejected: wrong result
// A shuffle down does not go around: it takes an unsigned distance, and lanes whose source is beyond the
// group get their own value back.
#pragma once

#define shuffle_around solved_shuffle_around  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_around

__global__ void shuffle_around(const int* in, int* out, int offset, int width) {
  const int t = threadIdx.x;
  out[t] = __shfl_down_sync(kAllLanes, in[t], offset, width);
}
