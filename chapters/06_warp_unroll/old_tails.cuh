// The last warp as it was written when the lanes of a warp always ran together: no lane waits for another.
// Since compute capability 7.0 (2017) each lane may run on its own, and these kernels race.
#pragma once

#include "solutions/06_warp_unroll/kernels.cuh"

// `Tile` is float or volatile float. If it is volatile, each level reads its values from the tile and writes
// them back; otherwise the compiler may keep them in registers. Same purpose and launch as sum_warp_tail.
// ANCHOR: old_tail
template <typename Tile>
__global__ void sum_without_waiting(const float* in, float* block_sums, int n) {
  __shared__ Tile tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kElements + t;
  float sum = i < n ? in[i] : 0.0f;
  if (i + kBlock < n) sum += in[i + kBlock];
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's sum

  for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
    if (t < stride) tile[t] = tile[t] + tile[t + stride];
    __syncthreads();  // this level's sums are written before the next level, or the tail, reads them
  }

  if (t < 32) {  // nothing here makes lane t wait until lane t + 16 has stored
    tile[t] = tile[t] + tile[t + 32];
    tile[t] = tile[t] + tile[t + 16];
    tile[t] = tile[t] + tile[t + 8];
    tile[t] = tile[t] + tile[t + 4];
    tile[t] = tile[t] + tile[t + 2];
    tile[t] = tile[t] + tile[t + 1];
  }
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: old_tail
// SPDX-License-Identifier: MIT
