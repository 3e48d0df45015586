// The kernels between chapter 09's sum and the one in kernels.cuh, all complete: each makes one change.
#pragma once

#include <kernels.cuh>

// A thread's elements one by one, as in chapter 09.
// ANCHOR: by_floats
struct ByFloats {
  static __device__ float thread_sum(const float* in, int n) {
    float sum = 0.0f;
    for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) sum += in[i];
    return sum;
  }
};
// ANCHOR_END: by_floats

// 16 bytes a load, and each is used before the next load. `in` begins on a 16-byte boundary.
struct ByFours {
  static __device__ float thread_sum(const float* in, int n) {
    const float4* fours = reinterpret_cast<const float4*>(in);
    const int me = blockIdx.x * kBlock + threadIdx.x, threads = gridDim.x * kBlock;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = me; i < n / 4; i += threads) sum += (fours[i].x + fours[i].y) + (fours[i].z + fours[i].w);
    if (me < n % 4) sum += in[n - n % 4 + me];
    return sum;
  }
};

struct InFlight {  // kernels.cuh: several loads before the first is used
  static __device__ float thread_sum(const float* in, int n) { return ::thread_sum(in, n); }
};

// Stores one sum per block; a second launch, of one block, adds these up.
template <typename How>
__global__ void __launch_bounds__(kBlock) sum_blocks(const float* in, float* block_sums, int n) {
  const float sum = block_sum(How::thread_sum(in, n));
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// One launch: every block adds its sum to *sum, which must be 0 before. Blocks add in the order in which they end.
__global__ void __launch_bounds__(kBlock) sum_atomic(const float* in, float* sum, int n) {
  const float mine = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// One launch, and always the same order: the block that ends last adds up the sums that all blocks have stored. *ticket
// must be 0 before, and is 0 again afterwards.
//
// Why the last block sees all sums. Thread 0 of each block stores its sum, then (1), then takes a ticket. Thread 0 of
// the last block gets the last ticket, so its atomic sees those of all others. Then (2), then it loads. One fence between
// a store and an atomic, and one between a later atomic that sees the first and a load, order the store before the
// load: the load returns what was stored, or something newer. The barrier extends this to the block's other threads.
// ANCHOR: last_block
__global__ void __launch_bounds__(kBlock)
    sum_last_block(const float* in, float* sum, float* block_sums, unsigned* ticket, int n) {
  __shared__ bool is_last;
  const float mine = block_sum(thread_sum(in, n));
  const unsigned last = gridDim.x - 1;
  if (threadIdx.x == 0) {
    block_sums[blockIdx.x] = mine;
    __threadfence();                            // (1) the sum before the ticket
    is_last = atomicInc(ticket, last) == last;  // counts up to `last`, then starts again at 0
    __threadfence();                            // (2) the ticket before the sums
  }
  __syncthreads();
  if (!is_last) return;

  float all = 0.0f;
  for (int b = threadIdx.x; b <= last; b += kBlock) all += block_sums[b];
  all = block_sum(all);
  if (threadIdx.x == 0) *sum = all;
}
// ANCHOR_END: last_block
// SPDX-License-Identifier: MIT
