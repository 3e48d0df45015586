// rejected: right, but it shuffles
// One shuffle for the lanes that stay inside, one for those that go around the end. The source lane is taken
// modulo width, so the second is not needed.
#pragma once

#define shuffle_around solved_shuffle_around  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_around

__global__ void shuffle_around(const int* in, int* out, int offset, int width) {
  const int t = threadIdx.x;
  const int inside = __shfl_sync(kAllLanes, in[t], t + offset, width);
  const int around = __shfl_sync(kAllLanes, in[t], t + offset + width, width);
  out[t] = t % width + offset < width ? inside : around;
}
