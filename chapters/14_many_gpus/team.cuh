// What a kernel knows of the GPUs that work together, and how an array is split among them.
#pragma once

#include <cuda_runtime.h>

inline constexpr int kMostGpus = 8;
inline constexpr int kThreads = 512;     // in a block
inline constexpr int kMostBlocks = 256;  // on one GPU: all of them run at the same time
inline constexpr unsigned kCounts = 32;  // how many counts one launch may use up

// The same on every GPU, but for `rank`.
struct Team {
  int ranks = 0, rank = 0;     // how many GPUs, and which one this is
  float* data[kMostGpus];      // what each of them brings, in its own memory: n floats
  float* out[kMostGpus];       // where each of them wants the sums
  unsigned* flags[kMostGpus];  // the flags of each GPU: how far the blocks of the others have come
};

// On GPU `on`: how far the block with this number on GPU `from` has come. After 2^32 - 1 it begins again at 0. Because it is
// volatile, each read and write in the source really goes to memory, between GPUs as well.
__device__ inline volatile unsigned* flag(const Team& team, int on, int from) {
  return &team.flags[on][from * kMostBlocks + blockIdx.x];
}

// Elements [begin, end).
struct Part {
  int begin, end;
};

__device__ inline float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// Calls each(i, Four{}) or each(i, One{}) for the elements of a part that belong to this thread: 4 from i on, or one. Which
// elements those are depends on the part, the block and the thread, and not on the GPU.
struct Four {
  using Type = float4;
};
struct One {
  using Type = float;
};
template <typename Each> __device__ void for_each_of(Part part, Each each) {
  const int me = blockIdx.x * kThreads + threadIdx.x, threads = gridDim.x * kThreads;
  const int fours = (part.end - part.begin) / 4;
  for (int k = me; k < fours; k += threads) each(part.begin + 4 * k, Four{});
  if (me < (part.end - part.begin) % 4) each(part.begin + 4 * fours + me, One{});
}
template <typename Size> __device__ typename Size::Type& at(float* array, int i, Size) {
  return *reinterpret_cast<typename Size::Type*>(array + i);
}

// The sum of all GPUs' elements at i, added in the order of ranks: all GPUs get the same bits. All loads come before any use.
template <typename Size> __device__ typename Size::Type sum_of_all(const Team& team, int i, Size size) {
  typename Size::Type each[kMostGpus];
#pragma unroll
  for (int g = 0; g < kMostGpus; ++g)
    if (g < team.ranks) each[g] = at(team.data[g], i, size);
  auto sum = each[0];
#pragma unroll
  for (int g = 1; g < kMostGpus; ++g)
    if (g < team.ranks) sum = sum + each[g];
  return sum;
}
// SPDX-License-Identifier: MIT
