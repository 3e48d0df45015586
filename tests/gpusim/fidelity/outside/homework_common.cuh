// What several problem sets share: sums over a warp and a block, and copies of the host's vectors.
#pragma once

#include "inputs.cuh"

#include <cstddef>
#include <vector>

namespace outside {

constexpr unsigned kFullWarp = 0xffffffffu;

// Lane 0 gets the sum.
template <class T>
__device__ inline T add_down(T value) {
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_down_sync(kFullWarp, value, offset);
  return value;
}

// All threads of a block of kThreads get the sum, from a tree in shared memory.
template <int kThreads>
__device__ inline float tree_sum(float value) {
  __shared__ float partial[kThreads];
  const int tid = threadIdx.x;
  partial[tid] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half >>= 1) {
    if (tid < half) partial[tid] += partial[tid + half];
    __syncthreads();
  }
  const float sum = partial[0];
  __syncthreads();
  return sum;
}

// What Filled needs to copy a vector.
template <class T>
auto values_of(const std::vector<T>& values) {
  return [&values](std::size_t k) { return values[k]; };
}

}  // namespace outside
// SPDX-License-Identifier: MIT
