// expect: 64 blocks: 64 64 64
// expect: 256 blocks: 256 256 256
// expect: 1024 blocks: 1024 1024 1024
//
// All blocks of a grid wait for each other, three times, as a barrier of the whole grid does that is made of an
// atomic counter. It ends where all blocks are on the GPU at the same time.
#include <cstdio>

#include <gpusim/check.h>

__global__ void meet(unsigned* arrived, unsigned* seen) {
  __shared__ unsigned all;
  for (unsigned round = 0; round < 3; ++round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicAdd(&arrived[round], 1);
      while (*static_cast<volatile unsigned*>(&arrived[round]) < gridDim.x) __nanosleep(20);
      __threadfence();
      all = arrived[round];
    }
    __syncthreads();
    if (threadIdx.x == 40) atomicMax(&seen[round], all);
  }
}

int main() {
  unsigned* counters;
  cudaMalloc(&counters, 6 * sizeof(unsigned));
  for (int blocks : {64, 256, 1024}) {
    cudaMemset(counters, 0, 6 * sizeof(unsigned));
    meet<<<blocks, 64>>>(counters, counters + 3);
    unsigned result[6] = {};
    const cudaError_t error = cudaMemcpy(result, counters, sizeof result, cudaMemcpyDeviceToHost);
    std::printf("%d blocks: %u %u %u%s\n", blocks, result[3], result[4], result[5], error ? " failed" : "");
  }
  cudaFree(counters);
}
// SPDX-License-Identifier: MIT
