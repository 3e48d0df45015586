// Chapter 09 · Shuffle
// Question  Chapter 08 sends partial sums through shared memory, mostly to lanes of the same warp. Must it?
// Change    Lanes read each other's registers: five shuffles sum a warp; one shared slot per warp joins the warps.
// Asked     values moved as each comment says, in as few shuffles as there are values to send; sums made by
//           shuffles, with one slot of shared memory per warp and one wait per block.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 256;               // threads a block
inline constexpr int kWarps = kBlock / 32;       // warps a block
inline constexpr unsigned kAllLanes = 0xffffffff;  // the mask of a shuffle in which all 32 lanes take part
static_assert(kBlock % 32 == 0 && kWarps <= 32 && (kWarps & (kWarps - 1)) == 0, "one warp can sum all slots");

// Part one: moving values between lanes. One block of whole warps. out[t] gets the in[] of a lane in thread t's warp,
// or in its group of `width` lanes (2, 4, 8, 16 or 32).

// ANCHOR: given
// Every lane gets the value of lane `source` of its group.
__global__ void shuffle_broadcast(const int* in, int* out, int source, int width) {
  const int t = threadIdx.x;
  out[t] = __shfl_sync(kAllLanes, in[t], source, width);
}

// Every lane gets the value from `distance` lanes below. The group's first lanes get their own value back.
__global__ void shuffle_up(const int* in, int* out, int distance, int width) {
  const int t = threadIdx.x;
  out[t] = __shfl_up_sync(kAllLanes, in[t], distance, width);
}

// Every lane gets the value from `distance` lanes above. The group's last lanes get their own value back.
__global__ void shuffle_down(const int* in, int* out, int distance, int width) {
  const int t = threadIdx.x;
  out[t] = __shfl_down_sync(kAllLanes, in[t], distance, width);
}

// Butterfly: lane l and lane l ^ mask exchange their values; mask is 0 … width - 1.
__global__ void shuffle_xor(const int* in, int* out, int mask, int width) {
  const int t = threadIdx.x;
  out[t] = __shfl_xor_sync(kAllLanes, in[t], mask, width);
}

// The first `count` lanes of each warp (1 … 32) pass their values round; the others keep theirs.
__global__ void shuffle_first(const int* in, int* out, int count) {
  const int t = threadIdx.x, lane = t % 32;
  int value = in[t];
  const unsigned members = kAllLanes >> (32 - count);
  // Exactly the lanes in the mask call, and none of them reads from a lane outside it.
  if (lane < count) value = __shfl_sync(members, value, (lane + 1) % count);
  out[t] = value;
}
// ANCHOR_END: given

// ANCHOR: around
// Every lane gets the value from `offset` lanes above, or below if negative; the ends of the group wrap around.
__global__ void shuffle_around(const int* in, int* out, int offset, int width) {
  const int t = threadIdx.x;
  int value = in[t];
  // TODO(you): one __shfl_sync with `width` as its fourth argument. It takes the source lane modulo width,
  // even if that is negative, so you need no % of your own.
  out[t] = value;
}
// ANCHOR_END: around

inline constexpr int kPerLane = 4;  // elements a lane holds in the two kernels below: in[4 * t … 4 * t + 3]

// ANCHOR: array
// Butterfly of arrays: lane l and lane l ^ mask exchange all their elements. mask is 0 … 31.
__global__ void shuffle_xor_array(const int* in, int* out, int mask) {
  const int t = threadIdx.x;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  // TODO(you): exchange each of the kPerLane elements with the same element of lane ^ mask, one shuffle each.

  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
// ANCHOR_END: array

// ANCHOR: swap
// Lanes l and l ^ mask are partners: element kFirst of the lower one and element kSecond of the upper one
// change places; all others stay. mask is 1 … 31. The indices are constants: value[] can live in registers.
template <int kFirst, int kSecond>
__global__ void shuffle_swap(const int* in, int* out, int mask) {
  const int t = threadIdx.x;
  int value[kPerLane];
  for (int k = 0; k < kPerLane; ++k) value[k] = in[kPerLane * t + k];
  // TODO(you): a single shuffle. It moves one variable of every lane, so choose before it what this lane
  // sends, and after it which element the received value replaces. The lower partner is the one for which
  // lane < (lane ^ mask), where lane is t % 32.

  for (int k = 0; k < kPerLane; ++k) out[kPerLane * t + k] = value[k];
}
// ANCHOR_END: swap

// Part two: sums. Blocks of kBlock threads, at most 2^22 of them; n is 0 … 2^30.

// The sum of one thread's elements: its first, and every one that is a whole grid of threads further on.
__device__ float thread_sum(const float* in, int n) {
  const int step = gridDim.x * blockDim.x;  // at most 2^30, so that i + step fits an int
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) sum += in[i];
  return sum;  // lanes leave the loop at different times; a shuffle after it waits for all
}

// ANCHOR: kernel
// The sum of a warp's 32 values, in lane 0; other lanes get partial sums. All 32 lanes must call.
__device__ float warp_sum(float sum) {
  // TODO(you): five shuffles down, with distances 16, 8, 4, 2 and 1. Add what each brings to `sum`, in all
  // lanes, without an `if`: the mask names 32 lanes, so 32 lanes must call. (Nothing calls warp_sum yet.)
  return sum;
}

// The sum of a block's kBlock values, in thread 0. All threads must call it, once per kernel.
__device__ float block_sum(float sum) {
  // TODO(you): replace chapter 08's tree. Each warp sums its own values with warp_sum, and its lane 0
  // writes the result to the warp's slot in a shared array of kWarps floats. The block waits once. Then all
  // 32 lanes of warp 0 take one slot each, or 0 where there is no warp, and sum these with warp_sum.
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = sum;
  __syncthreads();  // the tile is complete before any thread reads another's element
  for (int stride = kBlock / 2; stride > 32; stride /= 2) {  // constant bounds: the compiler unrolls this
    if (t < stride) {
      sum += tile[t + stride];
      tile[t] = sum;
    }
    __syncthreads();  // this level's sums are written before the next level reads them
  }
  if (t < 32)
    for (int stride = 32; stride > 0; stride /= 2) {
      sum += tile[t + stride];
      __syncwarp();  // every lane has read before any lane writes
      tile[t] = sum;
      __syncwarp();  // every lane has written before any lane reads on the next level
    }
  return sum;
}

// block_sums[blockIdx.x] = what the threads of this block have added up.
__global__ void sum_shuffle(const float* in, float* block_sums, int n) {
  const float sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}
// ANCHOR_END: kernel

// ANCHOR: atomic
// As sum_shuffle, but each block adds its sum to *total, which must start at 0. No second launch, no fixed order.
__global__ void sum_shuffle_atomic(const float* in, float* total, int n) {
  const float sum = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) atomicAdd(total, sum);
}
// ANCHOR_END: atomic

// ANCHOR: butterfly
// The sum of a block's kBlock values, in every thread. All threads must call it, once per kernel.
__device__ float block_sum_for_all(float sum) {
  // TODO(you): do it with one wait instead of two. Sum each warp by __shfl_xor_sync with the masks 16, 8, 4,
  // 2 and 1: then every lane has the warp's sum. Lane 0 writes it to the warp's slot; the block waits; and
  // now every warp reads all kWarps slots, lane l slot l % kWarps, and sums them with the masks kWarps / 2 … 1.
  __shared__ float total;
  sum = block_sum(sum);
  if (threadIdx.x == 0) total = sum;
  __syncthreads();  // the sum is written before the other threads read it
  return total;
}

// As sum_shuffle, but the last thread stores the sum: here every thread has it.
__global__ void sum_butterfly(const float* in, float* block_sums, int n) {
  const float sum = block_sum_for_all(thread_sum(in, n));
  if (threadIdx.x == kBlock - 1) block_sums[blockIdx.x] = sum;
}
// ANCHOR_END: butterfly
// SPDX-License-Identifier: MIT
