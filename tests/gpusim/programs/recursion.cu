// expect: factorials 1 1 2 6 24 120 720 5040
// expect: Ackermann 61, towers of Hanoi 1023, gcd 21
//
// Functions that call themselves, on the device.
#include <cstdio>

__device__ int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
__device__ int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ int hanoi(int discs, int from, int to) {
  if (discs == 0) return 0;
  const int other = 6 - from - to;
  return hanoi(discs - 1, from, other) + 1 + hanoi(discs - 1, other, to);
}
__device__ int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }

__global__ void factorials(int* out) { out[threadIdx.x] = factorial(threadIdx.x); }
__global__ void others(int* out) { out[0] = ackermann(3, 3), out[1] = hanoi(10, 1, 3), out[2] = gcd(1071, 462); }

int main() {
  int* out;
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);
  cudaMallocManaged(&out, 16 * sizeof(int));
  factorials<<<1, 8>>>(out);
  others<<<1, 1>>>(out + 8);
  cudaDeviceSynchronize();
  std::printf("factorials");
  for (int i = 0; i < 8; ++i) std::printf(" %d", out[i]);
  std::printf("\nAckermann %d, towers of Hanoi %d, gcd %d\n", out[8], out[9], out[10]);
}
// SPDX-License-Identifier: MIT
