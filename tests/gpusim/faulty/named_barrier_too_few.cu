// expect-finding: deadlock 22
// expect-text: barrier 1, for 96 threads, of whom 64 have come
// A barrier of two warps that waits for three.
#include <cuda_runtime.h>

#ifdef FIXED
#define THREADS "64"
#else
#define THREADS "96"
#endif

__global__ void hand_over(int* out) {
  __shared__ int made[32];
  const int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    made[lane] = lane;
    asm volatile("bar.arrive 1, " THREADS ";" ::: "memory");
  } else if (threadIdx.x < 64) {
    asm volatile("bar.sync 1, " THREADS ";" ::: "memory");
    out[lane] = made[31 - lane];
  }
  asm volatile("bar.sync 0;" ::: "memory");
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  hand_over<<<1, 128>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
