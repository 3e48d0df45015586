// A number that counts how often it is added: the kernels are templates, so what runs for Counted is what
// runs for float, with every addition counted. Like a float it goes from lane to lane, too.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "harness/check.h"

__device__ unsigned long long additions;  // by all threads since count_additions began
__device__ unsigned additions_of[1024];   // by the threads of each number, of all blocks together

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

// Of the additions that the latest count_additions() counted, those of the thread that made most. Its kernel had one block.
inline unsigned most_additions_of_a_thread() {
  unsigned counts[std::extent_v<decltype(additions_of)>];
  CUDA_CHECK(cudaMemcpyFromSymbol(counts, additions_of, sizeof counts));
  return *std::max_element(std::begin(counts), std::end(counts));
}
// SPDX-License-Identifier: MIT
