// expect-finding: race 24 warning
// expect-text: both accesses are volatile, which orders nothing
// advice: put __threadfence() between that write and the atomic that announces it, and another between the atomic and this
// A last-block sum without fences. The results are volatile, so nothing races, but a result may come after its ticket.
// (Twice volatile is right for a word that says itself whether it is there: total_of_words.)
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned finished = 0;
__device__ volatile int words[4];

__global__ void sum(volatile int* results, int* total) {
  if (threadIdx.x != 0) return;
  results[blockIdx.x] = blockIdx.x + 1;
#ifdef FIXED
  __threadfence();
#endif
  if (atomicAdd(&finished, 1) != gridDim.x - 1) return;
#ifdef FIXED
  __threadfence();
#endif
  int all = 0;
  for (int block = 0; block < gridDim.x; ++block) all += results[block];
  *total = all;
}

__global__ void total_of_words(int* total) {
  if (threadIdx.x != 0) return;
  words[blockIdx.x] = blockIdx.x + 1;
  if (atomicAdd(&finished, 1) == 100) words[blockIdx.x] = 7;
  if (blockIdx.x != gridDim.x - 1) return;
  int all = 0;
  for (int block = 0; block < gridDim.x; ++block) {
    int word;
    do word = words[block];
    while (word == 0);
    all += word;
  }
  *total = all;
}

int main() {
  int *results, *total, sums[2];
  cudaMalloc(&results, 4 * sizeof *results);
  cudaMalloc(&total, 2 * sizeof *total);
  sum<<<4, 32>>>(results, total);
  total_of_words<<<4, 32>>>(total + 1);
  cudaMemcpy(sums, total, sizeof sums, cudaMemcpyDeviceToHost);
  std::printf("%d %d\n", sums[0], sums[1]);
  cudaFree(results);
  cudaFree(total);
}
// SPDX-License-Identifier: MIT
