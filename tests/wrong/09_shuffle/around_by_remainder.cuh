// rejected: wrong result
// The remainder of a negative number is negative in C++, and adding the group's start to it names a lane of
// another group; taken modulo width that may even be right, but not after abs().
#pragma once

#define shuffle_around solved_shuffle_around  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_around

__global__ void shuffle_around(const int* in, int* out, int offset, int width) {
  const int t = threadIdx.x;
  const int source = abs((t + offset) % width);
  out[t] = __shfl_sync(kAllLanes, in[t], source, width);
}
