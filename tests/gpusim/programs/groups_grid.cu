// expect: 216 blocks of 256: 0 wrong, sums 55296 27648 13824
// expect: ranks: grid 0..55295, blocks 0..215
// expect: a block more than fits: too many blocks in cooperative launch, then no error
// expect: cudaLaunchKernelEx: no error, 4
// expect: valid 1 0
// expect: not cooperative: unspecified launch failure
// expect-error: sync() of this_grid() in a kernel that was launched by <<<>>>: only one that cudaLaunchCooperativeKernel launches
// options: -std=c++17
//
// The threads of a grid wait for each other: cooperative_groups::this_grid().sync() and the launch that it needs.
#include <cooperative_groups.h>
#include <gpusim/check.h>

#include <cstdio>

namespace cg = cooperative_groups;

__device__ int ranks_seen, blocks_seen;

// Each round adds up pairs of what the round before has left: another block's values, too.
__global__ void halve(int* a, int* b, int n, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round, n /= 2) {
    for (int i = int(grid.thread_rank()); i < n / 2; i += int(grid.size())) b[i] = a[i] + a[n / 2 + i];
    grid.sync();
    int* const swap = a;
    a = b, b = swap;
  }
  atomicMax(&ranks_seen, int(grid.thread_rank()));
  atomicMax(&blocks_seen, int(grid.block_rank()));
}
__global__ void is_valid(int* valid) { *valid = cg::this_grid().is_valid(); }
__global__ void waits() { cg::this_grid().sync(); }
__global__ void counts(int* p) {
  atomicAdd(p, 1);
  cg::this_grid().sync();
  if (cg::this_grid().thread_rank() == 0) printf("cudaLaunchKernelEx: no error, %d\n", *p);
}
const char* text(cudaError_t error) { return cudaGetErrorString(error); }

int main() {
  gpusim::enable_checks("all");
  const int threads = 256;
  int per_multiprocessor = 0, multiprocessors = 0, n = 216 * threads;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_multiprocessor, halve, 1024, 0);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = per_multiprocessor * multiprocessors;
  int *a, *b;
  cudaMallocManaged(&a, 2 * n * sizeof(int));
  cudaMallocManaged(&b, 2 * n * sizeof(int));
  int sums[3], wrong = 0, rounds = 0;
  for (int r = 1; r <= 3; ++r) {
    for (int i = 0; i < n; ++i) a[i] = 1;
    rounds = r;
    void* arguments[] = {&a, &b, &n, &rounds};
    if (cudaLaunchCooperativeKernel(halve, blocks, threads, arguments)) return 1;
    if (cudaDeviceSynchronize()) return 2;
    const int* result = r % 2 ? b : a;
    sums[r - 1] = 0;
    for (int i = 0; i < n >> r; ++i) wrong += result[i] != 1 << r, sums[r - 1] += result[i] >> (r - 1) >> 1;
  }
  wrong += gpusim::findings().size();
  std::printf("%d blocks of %d: %d wrong, sums %d %d %d\n", blocks, threads, wrong, 2 * sums[0], 2 * sums[1], 2 * sums[2]);
  int ranks, seen;
  cudaMemcpyFromSymbol(&ranks, ranks_seen, 4);
  cudaMemcpyFromSymbol(&seen, blocks_seen, 4);
  std::printf("ranks: grid 0..%d, blocks 0..%d\n", ranks, seen);

  void* arguments[] = {&a, &b, &n, &rounds};
  const cudaError_t error = cudaLaunchCooperativeKernel(halve, blocks + 1, 1024, arguments);
  std::printf("a block more than fits: %s, then %s\n", text(error), text((cudaGetLastError(), cudaGetLastError())));

  cudaLaunchConfig_t config = {};
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  config.gridDim = 4, config.blockDim = 1, config.attrs = &attribute, config.numAttrs = 1;
  *a = 0;
  if (cudaLaunchKernelEx(&config, counts, a)) return 3;
  cudaDeviceSynchronize();

  int valid[2];
  void* valid_arguments[] = {&a};
  cudaLaunchCooperativeKernel(is_valid, 1, 1, valid_arguments);
  cudaDeviceSynchronize();
  valid[0] = *a;
  is_valid<<<1, 1>>>(a);
  cudaDeviceSynchronize();
  valid[1] = *a;
  std::printf("valid %d %d\n", valid[0], valid[1]);
  gpusim::clear_findings();
  cudaFree(a);
  cudaFree(b);
  waits<<<1, 1>>>();
  std::printf("not cooperative: %s\n", text(cudaDeviceSynchronize()));
}
// SPDX-License-Identifier: MIT
