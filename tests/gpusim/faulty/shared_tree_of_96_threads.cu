// expect-finding: out of bounds 17
// expect-text: reads 4 bytes of shared memory at 0x180; the block has 384 bytes, and s[96] is beyond them
// A tree over 96 elements, which are no power of two: the right one of a pair may not exist. (The block's width in the remainder
// comes from a variable of the block.)
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reduce(const int* in, int* out) {
  extern __shared__ int s[];
  const int t = threadIdx.x, nt = blockDim.x;
  s[t] = in[blockIdx.x * nt + t];
  __syncthreads();
  for (int stride = 1; stride < nt; stride *= 2) {
    if (t % (2 * stride) == 0
#ifndef FIXED
    ) s[t] += s[t + stride];
#else
        && t + stride < nt) s[t] += s[t + stride];
#endif
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  constexpr int threads = 96, blocks = 4, n = threads * blocks;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, blocks * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  reduce<<<blocks, threads, threads * sizeof(int)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
