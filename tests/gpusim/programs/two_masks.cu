// expect: sums 120 376, ballots ffff ffff0000
// Lanes of one warp that name different masks at one instruction: each half is a group of its own.
#include <cstdio>

__global__ void sum_halves(const int* in, int* out) {
  const int t = threadIdx.x;
  const unsigned half = 0xffffu << (t & 16);
  int sum = in[t];
  for (int distance = 8; distance > 0; distance /= 2) sum += __shfl_xor_sync(half, sum, distance);
  const unsigned ballot = __ballot_sync(half, sum > 0);
  __syncwarp(half);
  if (t % 16 == 0) {
    out[t / 16] = sum;
    out[2 + t / 16] = ballot;
  }
}

int main() {
  int numbers[32], result[4];
  for (int i = 0; i < 32; ++i) numbers[i] = i;
  int *d_in, *d_out;
  cudaMalloc(&d_in, sizeof numbers);
  cudaMalloc(&d_out, sizeof result);
  cudaMemcpy(d_in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
  sum_halves<<<1, 32>>>(d_in, d_out);
  cudaMemcpy(result, d_out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("sums %d %d, ballots %x %x\n", result[0], result[1], result[2], result[3]);
  cudaFree(d_in);
  cudaFree(d_out);
}
// SPDX-License-Identifier: MIT
