// rejected: race
// The copy to scratch and the tree are not separated: a thread adds its neighbour's element, which may not have
// been copied yet. The barrier at the end of each level comes too late for the first.
#pragma once

#define sum_out_of_place solved_sum_out_of_place  // the other kernels of the chapter are the solution's
#include "../../../solutions/01_global_memory/kernels.cuh"
#undef sum_out_of_place

__global__ void sum_out_of_place(const float* in, float* scratch, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i < n) scratch[i] = in[i];
  for (int len = 1; len < kBlock; len *= 2) {
    if (t % (2 * len) == 0 && i + len < n) scratch[i] += scratch[i + len];
    __syncthreads();
  }
  if (t == 0) block_sums[blockIdx.x] = i < n ? scratch[i] : 0.0f;
}
