// rejected: right, but
// Each step loads the states of 128 tiles, also where the next tile has its prefix.
// Chapter 10 · Scan
// Question  out[i] = in[0] + … + in[i]: an output needs all inputs before it. What is left to do in parallel?
// Change    Three gaps: Brent and Kung's way down; adding the totals of the sections before; the look-back.
// Asked     inclusive and exclusive scans of any length; with Brent and Kung, at most two additions per element; in
//           the single pass, no element read or written twice; a look-back that is right however much the blocks
//           before have published so far.
#pragma once

#include <cuda_runtime.h>

#include <tile_states.cuh>

enum class Scan {
  inclusive,  // out[i] = in[0] + … + in[i]
  exclusive,  // out[i] = in[0] + … + in[i - 1], out[0] = 0
};

inline constexpr int kSection = 2048;  // elements that a block of the hierarchical scan takes
inline constexpr unsigned kAllLanes = 0xffffffff;

// All kernels: in and out may be the same array. n is 0 … 2^30. T{} is zero, and two values of T can be added.

// Scans each section of kLength elements by itself. Launch ceil(n / kLength) blocks of kLength threads. On each
// of log2(kLength) levels, every element adds the one `distance` places before it. On every level, at least
// half of the threads add.
template <typename T, int kLength, Scan kScan>
__global__ void scan_kogge_stone(const T* in, T* out, int n) {
  __shared__ T tiles[2][kLength];  // each level reads one and writes the other, so no read meets a write
  T *from = tiles[0], *to = tiles[1];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kLength + t;
  T sum = i < n ? in[i] : T{};
  from[t] = sum;

  for (int distance = 1; distance < kLength; distance *= 2) {
    __syncthreads();  // `from` is complete before other threads read it, and no thread still reads `to`
    if (t >= distance) sum = from[t - distance] + sum;
    to[t] = sum;
    T* const written = to;
    to = from;
    from = written;
  }

  __syncthreads();  // the last level is written before a neighbour reads it
  if (kScan == Scan::exclusive) sum = t == 0 ? T{} : from[t - 1];
  if (i < n) out[i] = sum;
}

// Scans each section of kLength elements by itself, and writes the section's total to totals[blockIdx.x].
// Launch ceil(n / kLength) blocks of kLength / 2 threads.
template <typename T, int kLength, Scan kScan>
__global__ void scan_brent_kung(const T* in, T* out, T* totals, int n) {
  constexpr int kThreads = kLength / 2;
  __shared__ T tile[kLength];
  const int t = threadIdx.x;
  const int i = blockIdx.x * kLength + t;  // my elements: i and i + kThreads
  tile[t] = i < n ? in[i] : T{};
  tile[t + kThreads] = i + kThreads < n ? in[i + kThreads] : T{};

  // Up: a tree of sums. Afterwards tile[k] is the sum of the p elements that end with k, where p is the
  // greatest power of two that divides k + 1. If k + 1 is a power of two itself, that sum is a prefix.
  for (int stride = 1; stride < kLength; stride *= 2) {
    __syncthreads();  // the level below is written before it is read
    const int k = (t + 1) * 2 * stride - 1;
    if (k < kLength) tile[k] = tile[k - stride] + tile[k];
  }

  for (int stride = kLength / 4; stride > 0; stride /= 2) {
    __syncthreads();  // the level above is written before it is read
    const int k = (t + 1) * 2 * stride - 1;
    if (k + stride < kLength) tile[k + stride] = tile[k] + tile[k + stride];
  }

  __syncthreads();  // all prefixes are written before a neighbour reads them
  constexpr int kBack = kScan == Scan::exclusive ? 1 : 0;  // an exclusive sum is the inclusive one before it
  if (i < n) out[i] = t < kBack ? T{} : tile[t - kBack];
  if (i + kThreads < n) out[i + kThreads] = tile[t + kThreads - kBack];
  if (t == 0) totals[blockIdx.x] = tile[kLength - 1];
}

// Adds before[b] to every element of section b = blockIdx.x. Launch ceil(n / kSection) blocks of kSection / 2
// threads.
template <typename T>
__global__ void add_before(T* out, const T* before, int n) {
  const int i = blockIdx.x * kSection + threadIdx.x;
  const T sum = before[blockIdx.x];
  if (i < n) out[i] = sum + out[i];
  if (i + kSection / 2 < n) out[i + kSection / 2] = sum + out[i + kSection / 2];
}

// How many sections n elements have, and how many totals scan_hierarchical keeps for them on all levels.
inline int sections_of(int n) { return n == 0 ? 0 : (n - 1) / kSection + 1; }
inline int totals_of(int n) {
  const int sections = sections_of(n);
  return sections <= 1 ? sections : sections + totals_of(sections);
}

// Scans an array of any length: first its sections, then, in the same way, the array of their totals. Each
// level is 2048 times shorter than the one before. d_totals has room for totals_of(n) elements.
template <typename T, Scan kScan>
void scan_hierarchical(const T* d_in, T* d_out, T* d_totals, int n) {
  const int sections = sections_of(n);
  if (sections == 0) return;
  scan_brent_kung<T, kSection, kScan><<<sections, kSection / 2>>>(d_in, d_out, d_totals, n);
  if (sections == 1) return;
  scan_hierarchical<T, Scan::exclusive>(d_totals, d_totals, d_totals + sections, sections);
  add_before<<<sections, kSection / 2>>>(d_out, d_totals, n);
}

// Returns the sum of tiles 0 … tile - 1 in every lane. One whole warp calls it, and tile is at least 1. Each
// of those tiles is empty at first, then has its aggregate, and later its prefix (tile 0 has its prefix at
// once). read_state<T>(states, k) returns the state of tile k at this moment.
template <typename T>
__device__ T look_back(const TileWord* states, int tile) {
  constexpr int kLooks = 4;  // the latencies of four looks overlap
  const int lane = threadIdx.x % 32;
  T sum{};
  for (int last = tile - 1;; last -= 32 * kLooks) {
    TileState<T> window[kLooks];
#pragma unroll
    for (int j = 0; j < kLooks; ++j) {
      const int mine = last - 32 * j - lane;
      window[j] = TileState<T>{TileStatus::prefix, T{}};
      if (mine >= 0) window[j] = read_state<T>(states, mine);
    }
#pragma unroll
    for (int j = 0; j < kLooks; ++j) {
      const int mine = last - 32 * j - lane;
      TileState<T> state = window[j];
      unsigned prefixes, needed;
      for (;;) {
        prefixes = __ballot_sync(kAllLanes, state.status == TileStatus::prefix);
        needed = prefixes ^ (prefixes - 1);  // bits 0 to the lowest prefix, or all if there is none
        const bool wait = (needed >> lane & 1) != 0 && state.status == TileStatus::empty;
        if (__ballot_sync(kAllLanes, wait) == 0) break;
        if (wait) state = read_state<T>(states, mine);
      }
      T value = (needed >> lane & 1) != 0 ? state.value : T{};
      for (int distance = 16; distance > 0; distance /= 2)
        value = value + __shfl_xor_sync(kAllLanes, value, distance);
      sum = value + sum;
      if (prefixes != 0) return sum;
    }
  }
}
// SPDX-License-Identifier: MIT
