// expect-finding: race 28
// expect-text: A shuffle or vote passes values on but orders no memory: put __syncwarp() after that fence
// advice: put __syncwarp() after that fence
// The last warp adds up what all have left. Its lane 0 knows that it is the last, by an atomic and fences, and tells the others
// by a shuffle: which does not tell them what others have written.
#include <cuda_runtime.h>

__global__ void sum(int* out) {
  __shared__ int part[8];
  __shared__ unsigned arrived;
  const int t = threadIdx.x, lane = t % 32;
  if (t == 0) arrived = 0;
  __syncthreads();
  unsigned ticket = 0;
  if (lane == 0) {
    part[t / 32] = t;
    __threadfence_block();
    ticket = atomicAdd(&arrived, 1u);
    __threadfence_block();
  }
  ticket = __shfl_sync(0xffffffffu, ticket, 0);
#ifdef FIXED
  __syncwarp();
#else
  __threadfence_block();  // of a lane that has read nothing
#endif
  if (ticket != 7) return;
  if (lane < 8) atomicAdd(out, part[lane]);
}

int main() {
  int* out;
  cudaMalloc(&out, sizeof *out);
  cudaMemset(out, 0, sizeof *out);
  sum<<<1, 256>>>(out);
  int sum_of_all = 0;
  cudaMemcpy(&sum_of_all, out, sizeof sum_of_all, cudaMemcpyDeviceToHost);
  cudaFree(out);
  return sum_of_all != 896;
}
// SPDX-License-Identifier: MIT
