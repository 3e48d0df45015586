// Chapter 01 · Global memory
// Question  What does a sum cost if every number, even each partial sum, lives in global memory?
// Change    This is the first step. Two sums that everybody tries are given complete. You write the
//           tree of partial sums that chapters 02 to 09 improve: once in place, once in a scratch array.
// Asked     right sums for every length; no access beyond an array, and no more accesses than a tree needs; only
//           sum_in_place may change its input.
#pragma once

#include <cuda_runtime.h>

// n is at most 2^30 in every kernel, so an index fits in an int, even after a step beyond n.
inline constexpr int kBlock = 256;  // threads per block, elements per tile
inline constexpr int kRun = 1024;   // elements that one thread of sum_runs adds
static_assert(kBlock % 32 == 0 && (kBlock & (kBlock - 1)) == 0, "whole warps, and a tree that halves evenly");

// Adds every element of in[0, n) to *sum, which the caller has set to 0. One thread per element.
// ANCHOR: sum_atomic
__global__ void sum_atomic(const float* in, float* sum, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) atomicAdd(sum, in[i]);  // right in any order; but only one lane at a time adds to an address
}
// ANCHOR_END: sum_atomic

// Sums each run of kRun elements of in[0, n) into run_sums. One thread per run, max(1, ceil(n / kRun)) runs.
// ANCHOR: sum_runs
__global__ void sum_runs(const float* in, float* run_sums, int n) {
  const int run = blockIdx.x * kBlock + threadIdx.x;
  const int begin = run * kRun;
  if (begin >= n && run > 0) return;  // an empty input has one run, which sums to 0

  const int end = begin + kRun < n ? begin + kRun : n;
  float sum = 0.0f;
  for (int i = begin; i < end; ++i) sum += in[i];  // neighbouring lanes read kRun elements (4 KiB) apart
  run_sums[run] = sum;
}
// ANCHOR_END: sum_runs

// Sums each tile of kBlock elements of data[0, n) into block_sums[blockIdx.x]. The partial sums overwrite
// data, so the input is lost. One thread per element, max(1, ceil(n / kBlock)) blocks.
// ANCHOR: sum_in_place
__global__ void sum_in_place(float* data, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;  // my element; i >= n in the tail of the last block

  // TODO(you): write the tree, about 4 lines. Loop over len = 1, 2, 4 … below blockDim.x. On each level every
  // 2*len-th thread adds data[i + len] to data[i], unless i + len is n or more. Then the whole block waits.
  // As long as the tree is missing, a block's "sum" is just its first element.

  if (t == 0) block_sums[blockIdx.x] = i < n ? data[i] : 0.0f;
}
// ANCHOR_END: sum_in_place

// The same sums by the same tree, but the tree works in scratch[0, n), and in[0, n) stays as it is.
// ANCHOR: sum_out_of_place
__global__ void sum_out_of_place(const float* in, float* scratch, float* block_sums, int n) {
  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;

  if (i < n) scratch[i] = in[i];
  __syncthreads();  // the tile is copied before any thread reads its neighbour's element

  // TODO(you): write the same tree, in scratch.

  if (t == 0) block_sums[blockIdx.x] = i < n ? scratch[i] : 0.0f;
}
// ANCHOR_END: sum_out_of_place
// SPDX-License-Identifier: MIT
