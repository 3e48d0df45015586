// rejected: right, but
// Elements beyond the last full round of the block are read a second time.
// Chapter 15 · Softmax
// Question  How often must a kernel read a row, and which of its threads wait for which?
// Change    Three gaps: maximum and sum in one pass; the lanes of a warp merge by shuffles; a block keeps its
//           row in registers.
// Asked     the softmax of any row, within the bound of its roundings; two reads of it, then one; no shared
//           memory in a warp; at most two barriers in a block.
#pragma once

#include <packs.cuh>
#include <running.cuh>

// T is float or __nv_bfloat16. `in` and `out` are rows x columns, row after row; `out` may be `in`. rows and
// columns may be 0, and rows * columns is at most 2^30, so that every index fits an int.
inline constexpr int kBlock = 256;          // threads in a block
inline constexpr int kWarps = kBlock / 32;  // warps in a block
inline constexpr int kEach = 16;            // elements that a thread of softmax_block keeps
// The most columns that softmax_block keeps.
inline constexpr int kColumnsInBlock = kBlock * kEach;

// One thread for each row, in three passes: the maximum, the sum, the quotients.
template <typename T> __global__ void softmax_three_passes(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x * kBlock + threadIdx.x;
  if (row >= rows) return;
  const T* const from = in + row * columns;

  Running seen = kNothingSeen;
  for (int i = 0; i < columns; ++i) seen.most = fmaxf(seen.most, to_float(from[i]));
  for (int i = 0; i < columns; ++i) seen.sum += exponential(to_float(from[i]) - seen.shift());
  for (int i = 0; i < columns; ++i)
    out[row * columns + i] = from_float<T>(exponential(to_float(from[i]) - seen.shift()) / seen.sum);
}

// One thread for each row. Maximum and sum in one pass: when the maximum grows, the sum so far is scaled.
template <typename T> __global__ void softmax_online(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x * kBlock + threadIdx.x;
  if (row >= rows) return;
  const T* const from = in + row * columns;

  Running seen = kNothingSeen;
  for (int i = 0; i < columns; ++i) seen = merge(seen, {to_float(from[i]), 1.0f});

  for (int i = 0; i < columns; ++i)
    out[row * columns + i] = from_float<T>(exponential(to_float(from[i]) - seen.shift()) / seen.sum);
}

// Returns to each lane what all 32 lanes of its warp have seen. All lanes call it, in a block of at most
// kBlock threads.
__device__ inline Running merge_warp(Running mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    const Running other = {__shfl_xor_sync(kWholeWarp, mine.most, distance),
                           __shfl_xor_sync(kWholeWarp, mine.sum, distance)};
    mine = merge(mine, other);
  }
  return mine;
}

// One warp for each row: neighbouring lanes take neighbouring elements.
template <typename T> __global__ void softmax_warp(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const T* const from = in + row * columns;

  Running seen = kNothingSeen;
  for (int i = lane; i < columns; i += 32) seen = merge(seen, {to_float(from[i]), 1.0f});
  seen = merge_warp(seen);
  for (int i = lane; i < columns; i += 32)
    out[row * columns + i] = from_float<T>(exponential(to_float(from[i]) - seen.shift()) / seen.sum);
}

// Returns to each thread what all threads of its block have seen. All threads call it, once.
__device__ inline Running merge_block(Running mine) {
  __shared__ Running slots[kWarps];  // one for each warp
  mine = merge_warp(mine);
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = mine;
  __syncthreads();  // every slot is written before any thread reads one
  Running all = kNothingSeen;
  for (int warp = 0; warp < kWarps; ++warp) all = merge(all, slots[warp]);
  return all;
}

// One block for each row of at most kColumnsInBlock elements, which are read once.
template <typename T> __global__ void softmax_block(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x;
  const T* const from = in + row * columns;
  T* const to = out + row * columns;

  const int rounds = columns / kBlock;               // in which every thread has an element
  const int last = rounds * kBlock + threadIdx.x;    // after them only some threads have one
  float x[kEach];
#pragma unroll
  for (int k = 0; k < kEach; ++k) x[k] = k < rounds ? to_float(from[threadIdx.x + k * kBlock]) : kMinusInfinity;
  Running mine = kNothingSeen;
#pragma unroll
  for (int k = 0; k < kEach; ++k) mine.most = fmaxf(mine.most, x[k]);
#pragma unroll
  for (int k = 0; k < kEach; ++k) mine.sum += exponential(x[k] - mine.shift());
  if (last < columns) mine = merge(mine, {to_float(from[last]), 1.0f});

  const Running seen = merge_block(mine);
#pragma unroll
  for (int k = 0; k < kEach; ++k)
    if (k < rounds) to[threadIdx.x + k * kBlock] = from_float<T>(exponential(x[k] - seen.shift()) / seen.sum);
  if (last < columns) to[last] = from_float<T>(exponential(to_float(from[last]) - seen.shift()) / seen.sum);
}

// Any number of rows and columns.
template <typename T> void launch_three_passes(const T* in, T* out, int rows, int columns) {
  if (rows > 0) softmax_three_passes<<<(rows - 1) / kBlock + 1, kBlock>>>(in, out, rows, columns);
}
template <typename T> void launch_online(const T* in, T* out, int rows, int columns) {
  if (rows > 0) softmax_online<<<(rows - 1) / kBlock + 1, kBlock>>>(in, out, rows, columns);
}
template <typename T> void launch_warp(const T* in, T* out, int rows, int columns) {
  if (rows > 0) softmax_warp<<<(rows - 1) / kWarps + 1, kBlock>>>(in, out, rows, columns);
}
template <typename T> void launch_block(const T* in, T* out, int rows, int columns) {
  if (columns > kColumnsInBlock) return launch_warp(in, out, rows, columns);
  if (rows > 0) softmax_block<<<rows, kBlock>>>(in, out, rows, columns);
}
// SPDX-License-Identifier: MIT
