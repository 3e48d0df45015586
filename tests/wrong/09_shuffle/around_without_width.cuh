// rejected: wrong result
// The width is missing, so the value goes around the whole warp, right only where the group is the warp.
#pragma once

#define shuffle_around solved_shuffle_around  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_around

__global__ void shuffle_around(const int* in, int* out, int offset, int width) {
  const int t = threadIdx.x;
  out[t] = __shfl_sync(kAllLanes, in[t], t + offset);
}
