// expect-finding: race 15
// expect-text: table[5] while block 0, thread (5,
// advice: (ADVISED) write to another array
// All blocks read a table, in rows as wide as they are, and the last one changes an element of it.
#include <cuda_runtime.h>

constexpr int kWidth = 16, kBlocks = 8;

__global__ void look_up(float* table, float* out) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * kWidth + threadIdx.x;
  if (blockIdx.x == kBlocks - 1) {
#ifdef ADVISED
    if (threadIdx.x == 0 && threadIdx.y == 0) out[i] = 1;
#elif !defined FIXED
    if (threadIdx.x == 0 && threadIdx.y == 0) table[5] = 1;
#endif
    return;
  }
  float sum = 0;
  for (int k = 0; k < 4; ++k) sum += table[threadIdx.x] + table[kWidth * k + threadIdx.y];
  out[i] = sum;
}

int main() {
  float *d_table, *d_out;
  cudaMalloc(&d_table, 4 * kWidth * sizeof(float));
  cudaMalloc(&d_out, kBlocks * kWidth * kWidth * sizeof(float));
  cudaMemset(d_table, 0, 4 * kWidth * sizeof(float));
  look_up<<<kBlocks, dim3(kWidth, kWidth)>>>(d_table, d_out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(d_table);
  cudaFree(d_out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
