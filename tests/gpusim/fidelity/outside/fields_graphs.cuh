// Graphs, and products at the places of a sparse matrix.
#pragma once

#include "fields_common.cuh"

#include <algorithm>

namespace outside {

// A random graph: the neighbours of a vertex are sorted, and most of them have numbers close to its own.
struct FieldGraph {
  std::vector<int> row, col;
  FieldGraph(int n, int deg, uint64_t seed) {
    Rng r(seed);
    row.push_back(0);
    for (int v = 0; v < n; ++v) {
      int d = int(r.below(deg) * r.below(deg)) / deg * 2;
      std::vector<int> e;
      for (int k = 0; k < d; ++k) e.push_back(int(r.below(4) ? (v + r.below(300)) % n : r.below(n)));
      std::sort(e.begin(), e.end());
      e.erase(std::unique(e.begin(), e.end()), e.end());
      col.insert(col.end(), e.begin(), e.end());
      row.push_back(int(col.size()));
    }
  }
};

// Products of rows of two matrices at given places: a warp takes a place.
namespace sddmm_warp {

const int ROWS = 8192, K = 64, NNZ = 65536;

__global__ void sddmm_warp(const float2* __restrict__ a, const float2* __restrict__ b,
                           const int2* __restrict__ ij, float* __restrict__ o) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int2 p = ij[w];
  float2 u = a[p.x * 32 + lane], v = b[p.y * 32 + lane];
  float s = u.x * v.x + u.y * v.y;
#pragma unroll
  for (int k = 16; k; k /= 2) s += __shfl_xor_sync(0xffffffffu, s, k);
  if (lane == 0) o[w] = s;
}

inline void add_row() {
  std::vector<int2> hi(NNZ);
  Rng r(92);
  for (int i = 0; i < NNZ; ++i) hi[i] = make_int2(i / (NNZ / ROWS), int(r.below(ROWS)));
  const Array<float> da(host_f32(size_t(ROWS) * K, 90, -1, 1));
  const Array<float> db(host_f32(size_t(ROWS) * K, 91, -1, 1));
  const Array<int2> di(hi);
  const Array<float> out(NNZ);
  row("sddmm_warp", [&] { sddmm_warp<<<NNZ / 8, 256>>>(as<float2>(da), as<float2>(db), di, out); });
}

}  // namespace sddmm_warp

// Triangles over each edge: a thread goes through both sorted lists of neighbours at once.
namespace triangle_count_edges {

const int N = 12000;

__device__ __forceinline__ int common(const int* row, const int* col, int u, int v) {
  int i = row[u], j = row[v], n = 0;
  while (i < row[u + 1] && j < row[v + 1]) {
    int a = col[i], b = col[j];
    n += a == b;
    i += a <= b, j += b <= a;
  }
  return n;
}

__global__ void triangle_count_edges(const int* __restrict__ row, const int* __restrict__ col,
                                     const int* __restrict__ src, int* __restrict__ o, int m) {
  int e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e < m) o[e] = common(row, col, src[e], col[e]);
}

inline void add_row() {
  FieldGraph g(N, 40, 93);
  std::vector<int> hrow = g.row;
  std::vector<int> hs;
  for (int v = 0; v < N; ++v) hs.insert(hs.end(), hrow[v + 1] - hrow[v], v);
  const Array<int> row(hrow);
  const Array<int> col(g.col);
  const Array<int> src(hs);
  const Array<int> out(hs.size());
  outside::row("triangle_count_edges", [&] {
    triangle_count_edges<<<(int(hs.size()) + 127) / 128, 128>>>(row, col, src, out, int(hs.size()));
  });
}

}  // namespace triangle_count_edges

// The most frequent label of the neighbours of a vertex; of equally frequent ones the smallest.
namespace label_mode_propagation {

const int N = 60000;

__device__ __forceinline__ int mode(const int* row, const int* col, const int* lab, int v) {
  int best = lab[v], bn = 0;
  for (int i = row[v]; i < row[v + 1]; ++i) {
    int l = lab[col[i]], n = 0;
    for (int j = row[v]; j < row[v + 1]; ++j) n += lab[col[j]] == l;
    if (n > bn || (n == bn && l < best)) bn = n, best = l;
  }
  return best;
}

__global__ void label_mode_propagation(const int* __restrict__ row, const int* __restrict__ col,
                                       const int* __restrict__ lab, int* __restrict__ o) {
  for (int v = blockIdx.x * blockDim.x + threadIdx.x; v < N; v += gridDim.x * blockDim.x)
    o[v] = mode(row, col, lab, v);
}

inline void add_row() {
  FieldGraph g(N, 24, 94);
  std::vector<int> hl(N);
  Rng r(95);
  for (auto& v : hl) v = int(r.below(12));
  const Array<int> row(g.row);
  const Array<int> col(g.col);
  const Array<int> lab(hl);
  const Array<int> out(N);
  outside::row("label_mode_propagation", [&] { label_mode_propagation<<<264, 96>>>(row, col, lab, out); });
}

}  // namespace label_mode_propagation

// A step of page rank: eight lanes give the share of a vertex to its neighbours, by atomic additions.
namespace pagerank_push_warp {

const int N = 100000;

__global__ void pagerank_push_warp(const int* __restrict__ row, const int* __restrict__ col,
                                   const float* __restrict__ rank, float* next) {
  int v = (blockIdx.x * blockDim.x + threadIdx.x) / 8, sub = threadIdx.x % 8;
  if (v >= N) return;
  int b = row[v], e = row[v + 1];
  float share = 0.85f * rank[v] / float(e - b > 0 ? e - b : 1);
  for (int i = b + sub; i < e; i += 8) atomicAdd(&next[col[i]], share);
}

inline void add_row() {
  FieldGraph g(N, 30, 96);
  const Array<int> row(g.row);
  const Array<int> col(g.col);
  const Array<float> rank(host_f32(N, 97, 0, 1));
  const Array<float> next(N);
  outside::row("pagerank_push_warp",
               [&] { pagerank_push_warp<<<(N * 8 + 255) / 256, 256>>>(row, col, rank, next); });
}

}  // namespace pagerank_push_warp

inline void field_graph_rows() {
  sddmm_warp::add_row();
  triangle_count_edges::add_row();
  label_mode_propagation::add_row();
  pagerank_push_warp::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
