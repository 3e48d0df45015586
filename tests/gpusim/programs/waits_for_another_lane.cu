// expect: lockstep: 7 8
// expect: ascending: 7 8
// expect: descending: 7 8
//
// A lane may wait for another lane of its warp: independent thread scheduling promises that every lane gets its
// turn, whichever comes first.
#include <cstdio>

#include <gpusim/check.h>

// Lane `waiting` waits for what lane `other` writes. One warp.
__global__ void wait_for(int waiting, int other, volatile int* flag, int* out, int value) {
  if (threadIdx.x == waiting) {
    while (*flag == 0) {
    }
    *out = value;
  } else if (threadIdx.x == other) {
    *flag = 1;
  }
}

int main() {
  int *flags, *out;
  cudaMalloc(&flags, 2 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  const char* const names[] = {"lockstep", "ascending", "descending"};
  for (int k = 0; k < 3; ++k) {
    gpusim::set_schedule(gpusim::Schedule(k));
    cudaMemset(flags, 0, 2 * sizeof(int));
    wait_for<<<1, 32>>>(0, 31, flags, out, 7);
    wait_for<<<1, 32>>>(31, 0, flags + 1, out + 1, 8);
    int results[2] = {};
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    std::printf("%s: %d %d\n", names[k], results[0], results[1]);
  }
  cudaFree(flags);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
