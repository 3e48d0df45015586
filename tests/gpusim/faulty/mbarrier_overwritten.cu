// expect-finding: race 26 29
// advice: (ADVISED) put __syncthreads() between reading and writing
// One warp fills a stage twice, the other empties it. Who fills must wait until it has been emptied.
#include "mbarrier.cuh"

__global__ void stages(int* out) {
  __shared__ Mbarrier filled[2], emptied;
  __shared__ int stage[32];
  const int t = threadIdx.x;
  if (t == 0) {
    init(&filled[0], 64);
    init(&filled[1], 64);
    init(&emptied, 64);
  }
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    if (t < 32) {
      if (round > 0) {
        const Mbarrier state = arrive(&emptied);
#ifdef FIXED
        wait(&emptied, state);
#else
        (void)state;
#endif
      }
      stage[t] = 32 * round + t;
      arrive(&filled[round]);
    } else {
      wait(&filled[round], arrive(&filled[round])), out[t - 32] += stage[63 - t];
      if (round == 0) arrive(&emptied);
    }
#ifdef ADVISED
    __syncthreads();
#endif
  }
}

int main() {
  int* out;
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(out, 0, 32 * sizeof(int));
  stages<<<1, 64>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
// SPDX-License-Identifier: MIT
