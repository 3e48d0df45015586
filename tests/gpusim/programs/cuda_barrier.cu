// expect: arrive and wait: 0 of 256 wrong
// expect: phases: 0 of 8 wrong
// expect: producers and consumers: 2016 6112 10208 14304
// expect: part of a block: 496 1520
// needs: cuda/barrier
//
// cuda::barrier of libcu++: arrive and wait apart, phases, and barriers of some of a block's threads.
#include <cuda/barrier>

#include <cstdio>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void reverse(int* out) {
  __shared__ Barrier barrier;
  __shared__ int values[256];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  values[t] = t;
  Barrier::arrival_token token = barrier.arrive();
  const int own = 1000 * t;  // work that needs nobody else
  barrier.wait(static_cast<Barrier::arrival_token&&>(token));
  out[t] = own + values[255 - t];
}

// In each phase the values move by one.
__global__ void phases(int* out) {
  __shared__ Barrier barrier;
  __shared__ int values[2][64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  values[0][t] = t;
  __syncthreads();
  for (int phase = 0; phase < 8; ++phase) {
    if (t == 0) out[phase] = values[phase % 2][0];
    values[(phase + 1) % 2][t] = values[phase % 2][(t + 1) % 64];
    barrier.arrive_and_wait();
  }
}

// Two warps fill, two warps empty; one barrier says filled, the other emptied.
__global__ void stages(int* sums) {
  __shared__ Barrier filled, emptied;
  __shared__ int stage[64];
  const int t = threadIdx.x;
  if (t == 0) init(&filled, blockDim.x), init(&emptied, blockDim.x);
  __syncthreads();
  for (int round = 0; round < 4; ++round) {
    if (t < 64) {
      if (round > 0) emptied.arrive_and_wait();
      stage[t] = 64 * round + t;
      (void)filled.arrive();
    } else {
      filled.arrive_and_wait();
      atomicAdd(&sums[round], stage[127 - t]);
      if (round < 3) (void)emptied.arrive();
    }
  }
}

__global__ void parts(int* sums) {
  __shared__ Barrier of_warp[2];
  __shared__ int values[64];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 2) init(&of_warp[threadIdx.x], 32);
  __syncthreads();
  values[threadIdx.x] = threadIdx.x;
  of_warp[warp].arrive_and_wait();
  atomicAdd(&sums[warp], values[32 * warp + 31 - lane]);
}

int main() {
  int* out;
  cudaMallocManaged(&out, 256 * sizeof(int));
  reverse<<<1, 256>>>(out);
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int t = 0; t < 256; ++t) wrong += out[t] != 1000 * t + 255 - t;
  std::printf("arrive and wait: %d of 256 wrong\n", wrong);
  phases<<<1, 64>>>(out);
  cudaDeviceSynchronize();
  wrong = 0;
  for (int phase = 0; phase < 8; ++phase) wrong += out[phase] != phase;
  std::printf("phases: %d of 8 wrong\n", wrong);
  cudaMemset(out, 0, 16 * sizeof(int));
  stages<<<1, 128>>>(out);
  parts<<<1, 64>>>(out + 8);
  cudaDeviceSynchronize();
  std::printf("producers and consumers: %d %d %d %d\n", out[0], out[1], out[2], out[3]);
  std::printf("part of a block: %d %d\n", out[8], out[9]);
}
// SPDX-License-Identifier: MIT
