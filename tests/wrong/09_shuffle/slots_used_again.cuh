// rejected: race
// The block is summed tile by tile, and the slots of one tile are written while the first warp still reads
// those of the tile before: between reading and writing again there is no barrier.
#pragma once

#define sum_shuffle solved_sum_shuffle  // the rest of the chapter is the solution
#include "../../../solutions/09_shuffle/kernels.cuh"
#undef sum_shuffle

__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float total = 0.0f;
  for (int first = blockIdx.x * kBlock; first < n || first == static_cast<int>(blockIdx.x) * kBlock;
       first += gridDim.x * kBlock) {
    const int i = first + threadIdx.x;
    float sum = warp_sum(i < n ? in[i] : 0.0f);
    if (lane == 0) warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0) total += warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);
  }
  if (threadIdx.x == 0) block_sums[blockIdx.x] = total;
}
