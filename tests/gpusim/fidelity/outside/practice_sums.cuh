// Sums and maxima over a warp and over a block, which every thread receives.
#pragma once

#include "inputs.cuh"

namespace outside {

constexpr unsigned kAllLanes = 0xffffffffu;

__device__ inline float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(kAllLanes, value, distance);
  return value;
}

__device__ inline float warp_max(float value) {
  for (int distance = 16; distance > 0; distance /= 2)
    value = fmaxf(value, __shfl_xor_sync(kAllLanes, value, distance));
  return value;
}

// The block has whole warps.
__device__ inline float block_sum(float value) {
  __shared__ float of_warp[32];
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  value = warp_sum(value);
  __syncthreads();
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  return warp_sum(lane < warps ? of_warp[lane] : 0.0f);
}

// The block has whole warps.
__device__ inline float block_max(float value) {
  __shared__ float of_warp[32];
  const int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  value = warp_max(value);
  __syncthreads();
  if (lane == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  return warp_max(lane < warps ? of_warp[lane] : of_warp[0]);
}

}  // namespace outside
// SPDX-License-Identifier: MIT
