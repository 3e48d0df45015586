// expect-finding: race 19 25 30 39
// expect-finding: never written 25 30 39 maybe
// advice: (ADVISED) put __syncthreads() between writing and reading
// advice: (ADVISED) read in a separate launch
// advice: (ADVISED) store there first, with __syncthreads() between storing and reading
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
#elif defined ADVISED
  __syncthreads();
#endif
  b[t] = value[t ^ 1];
}

__global__ void other_block() {
  const auto grid = cg::this_grid();
  a[grid.thread_rank()] = 1;
#ifdef FIXED
  grid.sync();
#elif defined ADVISED
}

__global__ void read_other_block() {
  const auto grid = cg::this_grid();
#endif
  b[grid.thread_rank()] = a[grid.size() - 1 - grid.thread_rank()];
}

int main() {
  neighbours<<<1, 64>>>();
  cudaLaunchCooperativeKernel(other_block, 4, 64, nullptr);
#ifdef ADVISED
  cudaLaunchCooperativeKernel(read_other_block, 4, 64, nullptr);
#endif
  return cudaDeviceSynchronize() != cudaSuccess;
}
// SPDX-License-Identifier: MIT
