// Chapter 09's sum of a block, by shuffles.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kBlock = 512;          // threads a block
inline constexpr int kWarps = kBlock / 32;  // warps a block
inline constexpr unsigned kAllLanes = 0xffffffff;

// The sum of a warp's 32 values, in lane 0. All 32 lanes call.
__device__ __forceinline__ float warp_sum(float sum) {
  for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(kAllLanes, sum, distance);
  return sum;
}

// The sum of a block's kBlock values, in thread 0. All threads call it. Put a barrier before a second call.
__device__ __forceinline__ float block_sum(float sum) {
  __shared__ float slots[kWarps];  // one a warp
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  sum = warp_sum(sum);
  if (lane == 0) slots[warp] = sum;
  __syncthreads();  // every slot is written before the first warp reads it
  if (warp == 0) sum = warp_sum(lane < kWarps ? slots[lane] : 0.0f);
  return sum;
}
// SPDX-License-Identifier: MIT
