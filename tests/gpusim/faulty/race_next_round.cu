// expect-finding: race 12 14
// expect-text: put __syncthreads() between reading and writing in the next round of the loop
// advice: put __syncthreads() between reading and writing in the next round of the loop
// A barrier stands between storing and reading a tile, and none between reading it and storing the next one.
#include <cuda_runtime.h>

__global__ void reverse_pieces(const int* in, int* out, int pieces) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
#pragma unroll 1
  for (int piece = 0; piece < pieces; ++piece) {
    tile[t] = in[64 * piece + t];
    __syncthreads();
    out[64 * piece + t] = tile[63 - t];
#ifdef FIXED
    __syncthreads();
#endif
  }
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof *in);
  cudaMalloc(&out, 256 * sizeof *out);
  cudaMemset(in, 0, 256 * sizeof *in);
  reverse_pieces<<<1, 64>>>(in, out, 4);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
