// expect: lockstep: 7, 0 1 47 48 63 64 127
// expect: ascending: 7, 0 1 47 48 63 64 127
// expect: descending: 7, 0 1 47 48 63 64 127
// expect-error: GPUSIM_CHECK=all
//
// Lanes that have come to the end of a branch do not wait there for ever: they go on where the others wait for them, as on an H200.
#include <cstdio>

#include <gpusim/check.h>

// Lane 1 sets the flag behind the branch in which lane 0 waits for it.
__global__ void wait_in_a_branch(volatile int* flag, int* out) {
  if (threadIdx.x == 0)
    while (*flag == 0) {
    }
  if (threadIdx.x == 1) *flag = 7;
  if (threadIdx.x == 0) *out = *flag;
}

__device__ __noinline__ void wait_if(bool yes) {
  if (yes) __syncthreads();
}

// Threads 48 and up pass the barrier, and leave. (The check of barriers has something to say to that.)
__global__ void pass_a_barrier(int* out) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  tile[t] = t;
  wait_if(t < 48);
  out[t] = tile[t];
}

int main() {
  int *flag, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&out, 129 * sizeof(int));
  const char* const names[] = {"lockstep", "ascending", "descending"};
  for (int k = 0; k < 3; ++k) {
    gpusim::set_schedule(gpusim::Schedule(k));
    cudaMemset(flag, 0, sizeof(int));
    wait_in_a_branch<<<1, 32>>>(flag, out + 128);
    pass_a_barrier<<<1, 128>>>(out);
    int got[129] = {};
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    std::printf("%s: %d,", names[k], got[128]);
    for (int t : {0, 1, 47, 48, 63, 64, 127}) std::printf(" %d", got[t]);
    std::printf("\n");
  }
  cudaFree(flag);
  cudaFree(out);
}
// SPDX-License-Identifier: MIT
