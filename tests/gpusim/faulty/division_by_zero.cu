// expect-finding: division 16
// expect-text: block 1, thread 1 (warp 0, lane 1) computes -5 / 0: the divisor is 0, so the result is undefined, and a GPU reports no error: divide only where the divisor is not 0
// advice: divide only where the divisor is not 0
// The mean of each group, where one group has no members.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void means(const int* sums, const int* members, int* out, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups) return;
#ifdef FIXED
  out[i] = members[i] != 0 ? sums[i] / members[i] : 0;
#else
  // The thread of the empty group divides, too.
  out[i] = sums[i] / members[i];
#endif
}

int main() {
  constexpr int kGroups = 64, kEmpty = 33;
  int *sums, *members, *out;
  cudaMallocManaged(&sums, kGroups * sizeof *sums);
  cudaMallocManaged(&members, kGroups * sizeof *members);
  cudaMallocManaged(&out, kGroups * sizeof *out);
  for (int i = 0; i < kGroups; ++i) {
    sums[i] = 6 * i;
    members[i] = 3;
  }
  sums[kEmpty] = -5;
  members[kEmpty] = 0;
  means<<<2, 32>>>(sums, members, out, kGroups);
  const bool fails = cudaDeviceSynchronize() != cudaSuccess;
  const bool is_right = out[0] == 0 && out[32] == 64 && out[63] == 126;
  if (!is_right) std::puts("wrong means");
  cudaFree(sums);
  cudaFree(members);
  cudaFree(out);
  return fails || !is_right;
}
// SPDX-License-Identifier: MIT
