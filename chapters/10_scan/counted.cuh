// A number type that counts its additions. The kernels are templates, so Counted runs the same code as float,
// with every addition counted. As with floats, shuffles pass its values from lane to lane.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "harness/check.h"

__device__ unsigned long long additions;  // by all threads since count_additions began
__device__ unsigned additions_of[1024];   // the same for each threadIdx.x, over all blocks

struct Counted {
  float value;

  Counted() = default;
  __host__ __device__ Counted(float number) : value(number) {}
};

__device__ inline void count_addition() {
  atomicAdd(&additions, 1ull);
  atomicAdd(&additions_of[threadIdx.x], 1u);
}
__device__ inline Counted operator+(Counted a, Counted b) {
  count_addition();
  return a.value + b.value;
}
__device__ inline Counted& operator+=(Counted& a, Counted b) { return a = a + b; }

__device__ inline Counted atomicAdd(Counted* sum, Counted number) {
  count_addition();
  return atomicAdd(&sum->value, number.value);
}

__device__ inline Counted __shfl_sync(unsigned mask, Counted number, int lane, int width = 32) {
  return __shfl_sync(mask, number.value, lane, width);
}
__device__ inline Counted __shfl_up_sync(unsigned mask, Counted number, unsigned distance, int width = 32) {
  return __shfl_up_sync(mask, number.value, distance, width);
}
__device__ inline Counted __shfl_down_sync(unsigned mask, Counted number, unsigned distance, int width = 32) {
  return __shfl_down_sync(mask, number.value, distance, width);
}
__device__ inline Counted __shfl_xor_sync(unsigned mask, Counted number, int lane_mask, int width = 32) {
  return __shfl_xor_sync(mask, number.value, lane_mask, width);
}

// Runs `launch` and waits for it; returns the additions of Counted that its kernels made.
template <typename Launch>
unsigned long long count_additions(const Launch& launch) {
  unsigned long long count = 0;
  constexpr unsigned kNone[std::extent_v<decltype(additions_of)>] = {};
  CUDA_CHECK(cudaMemcpyToSymbol(additions, &count, sizeof count));
  CUDA_CHECK(cudaMemcpyToSymbol(additions_of, kNone, sizeof kNone));
  launch();
  CUDA_CHECK_LAUNCH();
  CUDA_CHECK(cudaMemcpyFromSymbol(&count, additions, sizeof count));
  return count;
}

// The most additions that one thread made during the latest count_additions(), whose kernel must have had one block.
inline unsigned most_additions_of_a_thread() {
  unsigned counts[std::extent_v<decltype(additions_of)>];
  CUDA_CHECK(cudaMemcpyFromSymbol(counts, additions_of, sizeof counts));
  return *std::max_element(std::begin(counts), std::end(counts));
}
// SPDX-License-Identifier: MIT
