// expect-finding: race 16 20 25 29
// expect-finding: never written 20 25 29 maybe
// Values go from thread to thread and from block to block, and no group waits: neither a tile nor the grid.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__device__ int a[256], b[256];

__global__ void neighbours() {
  __shared__ int value[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned t = threadIdx.x;

  // In a tile.
  value[t] = t;
#ifdef FIXED
  tile.sync();
#endif
  b[t] = value[t ^ 1];
}

__global__ void other_block() {
  const auto grid = cg::this_grid();
  a[grid.thread_rank()] = 1;
#ifdef FIXED
  grid.sync();
#endif
  b[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

int main() {
  neighbours<<<1, 64>>>();
  cudaLaunchCooperativeKernel(other_block, 4, 64, nullptr);
  return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
