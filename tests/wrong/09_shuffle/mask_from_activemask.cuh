// rejected: shuffle
// __activemask() names the lanes that happen to run together here, which may be fewer than those that took
// the branch. It is no way to find out who will call.
#pragma once

#define shuffle_first solved_shuffle_first  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef shuffle_first

// ANCHOR: kernel
__global__ void shuffle_first(const int* in, int* out, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int value = in[t];
  if (lane < count) value = __shfl_sync(__activemask(), value, (lane + 1) % count);
  out[t] = value;
}
// ANCHOR_END: kernel
// SPDX-License-Identifier: MIT
