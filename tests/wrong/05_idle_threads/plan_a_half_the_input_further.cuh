// rejected: wrong result
// The second element lies n / 2 further on. Right for even n; of an odd number of elements the last one is
// never added. Tests with powers of two accept it.
#pragma once

#define sum_half_the_blocks solved_sum_half_the_blocks  // what is not defined below is the solution's
#include "../../../solutions/05_idle_threads/kernels.cuh"
#undef sum_half_the_blocks

__global__ void sum_half_the_blocks(const float* in, float* block_sums, int n) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  float sum = 0.0f;
  if (i < n / 2) sum = in[i] + in[i + n / 2];
  tile[t] = sum;
  __syncthreads();
  add_up_tile(tile, blockDim.x);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
