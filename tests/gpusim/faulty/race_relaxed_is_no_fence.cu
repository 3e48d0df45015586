// expect-finding: race 33
// advice: (ADVISED) use a flag (writer: __threadfence(), then set it atomically; reader: read the flag, then __threadfence(), then this)
// A relaxed atomic is whole, and orders nothing around it; release and acquire do.
#include <cuda_runtime.h>

#ifdef FIXED
#define SET "atom.exch.release.gpu.global.b32"
#define LOOK "ld.acquire.gpu.global.u32"
#else
#define SET "atom.exch.relaxed.gpu.global.b32"
#define LOOK "ld.relaxed.gpu.global.u32"
#endif

__device__ int ready;

__global__ void pass_on(int* data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    data[0] = 7;
    int old;
#ifdef ADVISED
    __threadfence();
#endif
    asm volatile(SET " %0, [%1], %2;" : "=r"(old) : "l"(&ready), "r"(1) : "memory");
    return;
  }
  int now;
  do asm volatile(LOOK " %0, [%1];" : "=r"(now) : "l"(&ready) : "memory");
  while (now == 0);
#ifdef ADVISED
  __threadfence();
#endif
  data[1] = data[0];
}

int main() {
  int* data;
  cudaMalloc(&data, 64 * sizeof *data);
  cudaMemset(data, 0, 64 * sizeof *data);
  pass_on<<<2, 32>>>(data);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(data);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
