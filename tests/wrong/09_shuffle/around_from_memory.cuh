// rejected: right, but it shuffles 0 times
// Each lane reads the element of its source from global memory: no value goes from lane to lane.
#pragma once

#define shuffle_around solved_shuffle_around  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_around

__global__ void shuffle_around(const int* in, int* out, int offset, int width) {
  const int t = threadIdx.x;
  out[t] = in[t - t % width + ((t + offset) % width + width) % width];
}
