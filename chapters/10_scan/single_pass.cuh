// The single-pass scan with decoupled look-back (Merrill and Garland, "Single-pass Parallel Prefix Scan with
// Decoupled Look-back", 2016): each tile is read once, and written once.
//
// A block takes a tile, adds it up and publishes that aggregate. Then it looks back at the tiles before it
// (kernels.cuh) until it knows what they add up to, and publishes its own prefix. Blocks wait for earlier
// blocks, but never for long: an aggregate does not depend on other blocks.
//
// A float sum is right within its error bound, but on a GPU its last bits may vary: which prefix a block
// finds when it looks back, and so the order of additions, depends on how far the other blocks have come.
#pragma once

#include <kernels.cuh>

#include <cstdint>

template <typename T>
struct alignas(16) Four {  // one 128-bit access
  T at[4];
};

// The hint (streaming: not needed again) leaves the L2 cache to the tile states.
template <typename T>
__device__ Four<T> load_four(const T* p) {
  const int4 bits = __ldcs(reinterpret_cast<const int4*>(p));
  Four<T> four;
  memcpy(&four, &bits, sizeof four);
  return four;
}
template <typename T>
__device__ void store_four(T* p, const Four<T>& four) {
  int4 bits;
  memcpy(&bits, &four, sizeof bits);
  __stcs(reinterpret_cast<int4*>(p), bits);
}

// Whether 128-bit accesses are possible.
template <typename T>
__device__ bool is_aligned(const T* p) {
  return reinterpret_cast<std::uintptr_t>(p) % sizeof(Four<T>) == 0;
}

// Inclusive scan over the lanes of a warp, without shared memory. All 32 lanes call it.
// ANCHOR: warp_scan
template <typename T>
__device__ T warp_scan(T value) {
  const int lane = threadIdx.x % 32;
  for (int distance = 1; distance < 32; distance *= 2) {
    const T other = __shfl_up_sync(kAllLanes, value, distance);
    if (lane >= distance) value = other + value;
  }
  return value;
}
// ANCHOR_END: warp_scan

// Words that a scan of n elements needs: a counter, and a state for each tile. They are 0 at the start.
template <int kThreads, int kRows>
constexpr int words_of(int n) {
  constexpr int kTile = kThreads * 4 * kRows;
  return n == 0 ? 1 : 1 + ((n - 1) / kTile + 1);
}

// A tile is kThreads × kRows × 4 elements. Warp w has a contiguous part of it, kRows rows of 128 elements;
// lane l has 4 neighbours in each row, so that a warp reads and writes 512 contiguous bytes at a time.
template <typename T, Scan kScan, int kThreads, int kRows>
__global__ void __launch_bounds__(kThreads) single_pass(const T* in, T* out, TileWord* words, int n) {
  constexpr int kWarps = kThreads / 32, kRow = 32 * 4, kTile = kWarps * kRows * kRow;
  static_assert(kThreads % 32 == 0 && kWarps <= 32, "whole warps, and one warp scans their totals");
  TileWord* const states = words + 1;
  __shared__ int my_tile;
  __shared__ T warp_totals[kWarps];
  __shared__ T tiles_before;  // the sum of all tiles before mine
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  // Tiles are numbered in the order in which blocks start: CUDA does not promise to start block 3 before 4.
  if (threadIdx.x == 0) my_tile = int(atomicAdd(&words[0], TileWord(1)));
  __syncthreads();  // the number is there before any thread reads it
  const int tile = my_tile;
  const int first = tile * kTile + warp * kRows * kRow + lane * 4;  // my first element; less than 2^31
  const bool whole = is_aligned(in) && is_aligned(out) && n - tile * kTile >= kTile;  // else one by one

  Four<T> rows[kRows];
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int i = first + r * kRow;
    if (whole) {
      rows[r] = load_four(in + i);
    } else {
      for (int k = 0; k < 4; ++k) rows[r].at[k] = i + k < n ? in[i + k] : T{};
    }
  }

  // Each thread scans its fours now. So the warp's total is known before its rows are scanned.
  T total{};
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    for (int k = 1; k < 4; ++k) rows[r].at[k] = rows[r].at[k - 1] + rows[r].at[k];
    total = total + rows[r].at[3];
  }
  for (int distance = 16; distance > 0; distance /= 2)
    total = total + __shfl_xor_sync(kAllLanes, total, distance);
  if (lane == 0) warp_totals[warp] = total;
  __syncthreads();  // all totals are written before any warp scans them

  const T totals = warp_scan(lane < kWarps ? warp_totals[lane] : T{});
  const T aggregate = __shfl_sync(kAllLanes, totals, 31);
  const T warps_before = __shfl_sync(kAllLanes, totals, (warp + 31) % 32);  // used by all warps but the first
  if (warp == 0) {
    if (lane == 0) publish(states, tile, tile == 0 ? TileStatus::prefix : TileStatus::aggregate, aggregate);
    const T before = tile == 0 ? T{} : look_back<T>(states, tile);
    if (lane == 0 && tile != 0) publish(states, tile, TileStatus::prefix, before + aggregate);
    if (lane == 0) tiles_before = before;
  }

  // While the first warp waits, the others add up what precedes each of their fours within the tile.
  T carry = warp == 0 ? T{} : warps_before;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const T fours = warp_scan(rows[r].at[3]);
    const T four_before = __shfl_up_sync(kAllLanes, fours, 1);
    const T before = lane == 0 ? carry : carry + four_before;
    carry = carry + __shfl_sync(kAllLanes, fours, 31);
    if (kScan == Scan::exclusive)
      for (int k = 3; k > 0; --k) rows[r].at[k] = before + rows[r].at[k - 1];
    else
      for (int k = 3; k > 0; --k) rows[r].at[k] = before + rows[r].at[k];
    rows[r].at[0] = kScan == Scan::exclusive ? before : before + rows[r].at[0];
  }

  __syncthreads();  // tiles_before is written before any warp reads it
  const T before = tiles_before;
#pragma unroll
  for (int r = 0; r < kRows; ++r) {
    const int i = first + r * kRow;
    for (int k = 0; k < 4; ++k) rows[r].at[k] = before + rows[r].at[k];
    if (whole) {
      store_four(out + i, rows[r]);
    } else {
      for (int k = 0; k < 4; ++k)
        if (i + k < n) out[i + k] = rows[r].at[k];
    }
  }
}

// Scans n elements. d_words has room for words_of<kThreads, kRows>(n); what they hold before does not matter.
template <typename T, Scan kScan, int kThreads, int kRows>
cudaError_t scan_single_pass(const T* d_in, T* d_out, TileWord* d_words, int n) {
  const int words = words_of<kThreads, kRows>(n);
  const cudaError_t status = cudaMemsetAsync(d_words, 0, words * sizeof(TileWord));
  if (status != cudaSuccess || n == 0) return status;
  single_pass<T, kScan, kThreads, kRows><<<words - 1, kThreads>>>(d_in, d_out, d_words, n);
  return cudaGetLastError();
}
// SPDX-License-Identifier: MIT
