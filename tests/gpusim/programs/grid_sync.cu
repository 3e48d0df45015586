// expect: 64 rounds over 16384 numbers: sum 134209536 stays, first 64, last 63
//
// A cooperative launch: all blocks wait for each other between rounds.
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void rotate(int* from, int* to, int n, int rounds) {
  const auto grid = cg::this_grid();
  for (int round = 0; round < rounds; ++round) {
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) to[i] = from[(i + 1) % n];
    grid.sync();
    int* other = from;
    from = to, to = other;
  }
}

int main() {
  constexpr int n = 16384;
  int *a, *b, size = n, rounds = 64;
  cudaMallocManaged(&a, n * sizeof(int)), cudaMallocManaged(&b, n * sizeof(int));
  for (int i = 0; i < n; ++i) a[i] = i;
  void* arguments[] = {&a, &b, &size, &rounds};
  cudaLaunchCooperativeKernel((void*)rotate, dim3(16), dim3(256), arguments, 0, nullptr);
  cudaDeviceSynchronize();
  long long sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
  std::printf("%d rounds over %d numbers: sum %lld stays, first %d, last %d\n", rounds, n, sum, a[0], a[n - 1]);
}
// SPDX-License-Identifier: MIT
