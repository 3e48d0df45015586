// Sorting, merging and compacting.
#pragma once

#include "fields_common.cuh"

#include <cooperative_groups.h>

#include <algorithm>

namespace outside {

// Counts digits of eight bits: a histogram in shared memory for each of eight warps.
namespace radix_hist_warp {

const int N = 6 << 20, B = 132 * 2;

__global__ void radix_hist_warp(const uint32_t* __restrict__ k, uint32_t* __restrict__ o, int n) {
  __shared__ uint32_t c[8][256];
  for (int i = threadIdx.x; i < 2048; i += 256) c[i / 256][i % 256] = 0;
  __syncthreads();
  int per = (n + gridDim.x - 1) / gridDim.x, b = blockIdx.x * per, e = min(n, b + per);
  for (int i = b + threadIdx.x; i < e; i += 256) atomicAdd(&c[threadIdx.x / 32][(k[i] >> 8) & 255], 1u);
  __syncthreads();
  uint32_t s = 0;
  for (int w = 0; w < 8; ++w) s += c[w][threadIdx.x];
  o[threadIdx.x * gridDim.x + blockIdx.x] = s;
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(N, 120));
  const Array<uint32_t> out(256 * B);
  row("radix_hist_warp", [&] { radix_hist_warp<<<B, 256>>>(in, out, N); });
}

}  // namespace radix_hist_warp

// Moves numbers to their places by four bits: lanes with the same digit find each other.
namespace radix_scatter_match {

const int TILE = 256, B = 8192, N = TILE * B;

__global__ void radix_scatter_match(const uint32_t* __restrict__ in, const uint32_t* __restrict__ offs,
                                    uint32_t* __restrict__ o) {
  __shared__ uint32_t cnt[8][16];
  int t = threadIdx.x, w = t / 32, lane = t % 32;
  if (t < 128) cnt[t / 16][t % 16] = 0;
  __syncthreads();
  uint32_t k = in[blockIdx.x * TILE + t], d = k & 15, m = __match_any_sync(0xffffffffu, d);
  uint32_t rank = __popc(m & ((1u << lane) - 1));
  if (rank == 0) cnt[w][d] = __popc(m);
  __syncthreads();
  for (int i = 0; i < w; ++i) rank += cnt[i][d];
  o[offs[d * gridDim.x + blockIdx.x] + rank] = k;
}

inline void add_row() {
  std::vector<uint32_t> h = host_u32(N, 121);
  std::vector<uint32_t> ho(16 * B, 0);
  for (int i = 0; i < N; ++i) ++ho[(h[i] & 15) * B + i / TILE];
  uint32_t s = 0;
  for (auto& v : ho) {
    uint32_t c = v;
    v = s, s += c;
  }
  const Array<uint32_t> in(h);
  const Array<uint32_t> offs(ho);
  const Array<uint32_t> out(N);
  row("radix_scatter_match", [&] { radix_scatter_match<<<B, TILE>>>(in, offs, out); });
}

}  // namespace radix_scatter_match

// Merges two sorted arrays: each thread searches where its eight results begin.
namespace merge_path_serial8 {

const int N = 1 << 20, PER = 8;

__global__ void merge_path_serial8(const int* __restrict__ a, const int* __restrict__ b,
                                   int* __restrict__ o) {
  int d = (blockIdx.x * blockDim.x + threadIdx.x) * PER;
  int lo = max(0, d - N), hi = min(d, N);
  while (lo < hi) {
    int m = (lo + hi) / 2;
    if (a[m] <= b[d - 1 - m]) lo = m + 1;
    else hi = m;
  }
  int i = lo, j = d - lo;
#pragma unroll
  for (int k = 0; k < PER; ++k) {
    bool left = j >= N || (i < N && a[i] <= b[j]);
    o[d + k] = left ? a[i++] : b[j++];
  }
}

inline void add_row() {
  std::vector<int> ha(N);
  std::vector<int> hb(N);
  Rng r(122);
  for (auto& v : ha) v = int(r.next() >> 2);
  for (auto& v : hb) v = int(r.next() >> 3);
  std::sort(ha.begin(), ha.end()), std::sort(hb.begin(), hb.end());
  const Array<int> da(ha);
  const Array<int> db(hb);
  const Array<int> out(2 * N);
  row("merge_path_serial8", [&] { merge_path_serial8<<<2 * N / PER / 256, 256>>>(da, db, out); });
}

}  // namespace merge_path_serial8

// Sorts 512 numbers by 512 rounds of exchanges between neighbours, with a barrier each.
namespace odd_even_sort512 {

const int N = 512, B = 132;

__global__ void odd_even_sort512(const int* __restrict__ in, int* __restrict__ o) {
  __shared__ int s[N];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * N + t], s[t + 256] = in[blockIdx.x * N + t + 256];
  __syncthreads();
  for (int r = 0; r < N; ++r) {
    int i = 2 * t + (r & 1);
    if (i + 1 < N) {
      int a = s[i], b = s[i + 1];
      if (a > b) s[i] = b, s[i + 1] = a;
    }
    __syncthreads();
  }
  o[blockIdx.x * N + t] = s[t], o[blockIdx.x * N + t + 256] = s[t + 256];
}

inline void add_row() {
  std::vector<int> h(size_t(N) * B);
  Rng r(123);
  for (auto& v : h) v = int(r.next());
  const Array<int> in(h);
  const Array<int> out(h.size());
  row("odd_even_sort512", [&] { odd_even_sort512<<<B, N / 2>>>(in, out); });
}

}  // namespace odd_even_sort512

// Keeps what is larger than 0.3: the lanes that keep a number share one atomic addition.
namespace compact_coalesced_group {

const int N = 4 << 20;

__global__ void compact_coalesced_group(const float* __restrict__ in, float* __restrict__ o,
                                        unsigned* count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  if (v > 0.3f) {
    cooperative_groups::coalesced_group g = cooperative_groups::coalesced_threads();
    unsigned b = 0;
    if (g.thread_rank() == 0) b = atomicAdd(count, g.size());
    b = g.shfl(b, 0);
    o[(b + g.thread_rank()) & (N - 1)] = v;
  }
}

inline void add_row() {
  const Array<float> in(host_f32(N, 124, -1, 1));
  const Array<float> out(N);
  const Array<unsigned> count(1);
  row("compact_coalesced_group", [&] { compact_coalesced_group<<<N / 256, 256>>>(in, out, count); });
}

}  // namespace compact_coalesced_group

inline void field_order_rows() {
  radix_hist_warp::add_row();
  radix_scatter_match::add_row();
  merge_path_serial8::add_row();
  odd_even_sort512::add_row();
  compact_coalesced_group::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
