// expect: 719 unspecified launch failure
// expect: 719 unspecified launch failure
// expect-error: sync() of this_grid() in a kernel that was launched by <<<>>>: only one that cudaLaunchCooperativeKernel launches may wait for its whole grid
// expect-error: grid.sync();  //    [31m red   2K  [2K
// expect-error: tiled_partition() of a number of threads that is not 1, 2, 4, 8, 16 or 32
//
// What cooperative groups refuse at run time says why. Control characters of a source line reach no terminal.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void both(int* p) {
  cg::grid_group grid = cg::this_grid();
  p[threadIdx.x] = 1;
  grid.sync();  // [31m red 2K [2K
  p[threadIdx.x] += p[blockDim.x - 1 - threadIdx.x];
}
__global__ void parts(int* p, unsigned threads) {
  cg::thread_group part = cg::tiled_partition(cg::this_thread_block(), threads);
  p[threadIdx.x] = part.thread_rank();
}

void tell() {
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%d %s\n", error, cudaGetErrorString(error));
  cudaDeviceReset();
}

int main() {
  int* p;
  cudaMalloc(&p, 64 * sizeof(int));
  both<<<2, 64>>>(p);
  tell();
  cudaMalloc(&p, 64 * sizeof(int));
  parts<<<1, 64>>>(p, 12);
  tell();
}
// SPDX-License-Identifier: MIT
