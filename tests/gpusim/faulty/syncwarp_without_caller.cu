// expect-finding: deadlock 18
// expect-finding: shuffle 18 maybe
// expect-text: lanes 0..15 of warp 0 wait here (__syncwarp, mask 0xffff0000) for lanes 16..31, and the mask does not contain lanes 0..15
// advice: every calling lane must be in the mask, and every lane in the mask must call
// The lower half of the warp waits with the mask of the upper half.
#include <cuda_runtime.h>

#ifdef FIXED
constexpr unsigned kMask = 0x0000ffffu;
#else
constexpr unsigned kMask = 0xffff0000u;
#endif

__global__ void neighbour(int* out) {
  __shared__ int tile[16];
  if (threadIdx.x < 16) {
    tile[threadIdx.x] = threadIdx.x;
    __syncwarp(kMask);
    out[threadIdx.x] = tile[(threadIdx.x + 1) % 16];
  }
  __syncthreads();
}

int main() {
  int* out;
  cudaMalloc(&out, 16 * sizeof *out);
  neighbour<<<1, 32>>>(out);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  if (!fails) cudaFree(out);
  return fails;
}
// SPDX-License-Identifier: MIT
