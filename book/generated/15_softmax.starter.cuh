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
// ANCHOR: three_passes
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
// ANCHOR_END: three_passes

// One thread for each row. Maximum and sum in one pass: when the maximum grows, the sum so far is scaled.
// ANCHOR: online
template <typename T> __global__ void softmax_online(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x * kBlock + threadIdx.x;
  if (row >= rows) return;
  const T* const from = in + row * columns;

  // TODO(you): this still reads the row three times. One pass is enough for both: merge() puts two maxima and
  // their sums together, and a thread that has seen only x has the maximum x and the sum 1.
  Running seen = kNothingSeen;
  for (int i = 0; i < columns; ++i) seen.most = fmaxf(seen.most, to_float(from[i]));
  for (int i = 0; i < columns; ++i) seen.sum += exponential(to_float(from[i]) - seen.shift());

  for (int i = 0; i < columns; ++i)
    out[row * columns + i] = from_float<T>(exponential(to_float(from[i]) - seen.shift()) / seen.sum);
}
// ANCHOR_END: online

// Returns to each lane what all 32 lanes of its warp have seen. All lanes call it, in a block of at most
// kBlock threads.
// ANCHOR: merge_warp
__device__ inline Running merge_warp(Running mine) {
  // TODO(you): the lanes exchange through shared memory, and each of them merges all 32. Let them exchange maximum
  // and sum by __shfl_xor_sync instead, five times, as in chapter 09.
  __shared__ Running seen[kBlock];
  seen[threadIdx.x] = mine;
  __syncwarp();  // all lanes have stored theirs before any lane reads one
  mine = kNothingSeen;
  for (int lane = 0; lane < 32; ++lane) mine = merge(mine, seen[threadIdx.x / 32 * 32 + lane]);
  return mine;
}
// ANCHOR_END: merge_warp

// One warp for each row: neighbouring lanes take neighbouring elements.
// ANCHOR: warp
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
// ANCHOR_END: warp

// Returns to each thread what all threads of its block have seen. All threads call it, once.
// ANCHOR: merge_block
__device__ inline Running merge_block(Running mine) {
  __shared__ Running slots[kWarps];  // one for each warp
  mine = merge_warp(mine);
  if (threadIdx.x % 32 == 0) slots[threadIdx.x / 32] = mine;
  __syncthreads();  // every slot is written before any thread reads one
  Running all = kNothingSeen;
  for (int warp = 0; warp < kWarps; ++warp) all = merge(all, slots[warp]);
  return all;
}
// ANCHOR_END: merge_block

// One block for each row of at most kColumnsInBlock elements, which are read once.
// ANCHOR: block
template <typename T> __global__ void softmax_block(const T* in, T* out, int rows, int columns) {
  const int row = blockIdx.x;
  const T* const from = in + row * columns;

  // TODO(you): the block reads its row twice. Keep it: a thread has at most kEach elements, threadIdx.x + k *
  // kBlock for k = 0, 1, 2 …, and an array of them stays in registers if the compiler knows every index. Once
  // they are there, take their maximum, and then their sum.
  Running seen = kNothingSeen;
  for (int i = threadIdx.x; i < columns; i += kBlock) seen = merge(seen, {to_float(from[i]), 1.0f});
  seen = merge_block(seen);
  for (int i = threadIdx.x; i < columns; i += kBlock)
    out[row * columns + i] = from_float<T>(exponential(to_float(from[i]) - seen.shift()) / seen.sum);
}
// ANCHOR_END: block

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
