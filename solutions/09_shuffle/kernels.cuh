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
  value = __shfl_sync(kAllLanes, value, t + offset, width);  // the source is taken modulo width
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
  // One shuffle moves one register of each lane: element k meets element k, never another.
  for (int k = 0; k < kPerLane; ++k) value[k] = __shfl_xor_sync(kAllLanes, value[k], mask);

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
  const bool is_lower = (t % 32) < (t % 32 ^ mask);
  // Each lane chooses before the shuffle what it sends, and after it where to put what it received.
  const int sent = is_lower ? value[kFirst] : value[kSecond];
  const int received = __shfl_xor_sync(kAllLanes, sent, mask);
  if (is_lower) value[kFirst] = received;
  else value[kSecond] = received;

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
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(kAllLanes, sum, distance);
  return sum;
}

// The sum of a block's kBlock values, in thread 0. All threads must call it, once per kernel.
__device__ float block_sum(float sum) {
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // every warp's sum is written before the first warp reads it
  if (warp == 0) sum = warp_sum(lane < kWarps ? warp_sums[lane] : 0.0f);  // all 32 lanes, as the mask says
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
  __shared__ float warp_sums[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  if (lane == 0) warp_sums[warp] = sum;
  __syncthreads();  // every warp's sum is written before any warp reads it
  sum = warp_sums[lane % kWarps];  // every warp sums all slots, in 32 / kWarps groups of lanes at once
  for (int mask = kWarps / 2; mask > 0; mask /= 2) sum += __shfl_xor_sync(kAllLanes, sum, mask);
  return sum;
}

// As sum_shuffle, but the last thread stores the sum: here every thread has it.
__global__ void sum_butterfly(const float* in, float* block_sums, int n) {
  const float sum = block_sum_for_all(thread_sum(in, n));
  if (threadIdx.x == kBlock - 1) block_sums[blockIdx.x] = sum;
}
// ANCHOR_END: butterfly
// SPDX-License-Identifier: MIT
