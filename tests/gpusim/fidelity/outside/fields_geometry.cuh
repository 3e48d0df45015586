// Geometry: rays, polygons, neighbours, clusters, trees and volumes.
#pragma once

#include "fields_common.cuh"

#include <algorithm>
#include <cmath>

namespace outside {

// The nearest of 80 boxes in constant memory that a ray hits.
namespace ray_aabb_packets {

const int N = 1 << 18, BOXES = 80;
__constant__ float boxes[BOXES * 6];

__device__ __forceinline__ int hit(const float* b, float ox, float oy, float oz, float dx, float dy,
                                   float dz) {
  float ix = 1 / dx, iy = 1 / dy, iz = 1 / dz, best = 1e30f;
  int id = -1;
  for (int k = 0; k < BOXES; ++k, b += 6) {
    float x0 = (b[0] - ox) * ix, x1 = (b[3] - ox) * ix, y0 = (b[1] - oy) * iy, y1 = (b[4] - oy) * iy,
          z0 = (b[2] - oz) * iz, z1 = (b[5] - oz) * iz;
    float n = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fmaxf(fminf(z0, z1), 0.0f));
    float f = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
    if (n <= f && n < best) best = n, id = k;
  }
  return id;
}

__global__ void ray_aabb_packets(const float* __restrict__ r, int* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = hit(boxes, r[i], r[N + i], r[2 * N + i], r[3 * N + i], r[4 * N + i], r[5 * N + i]);
}

inline void add_row() {
  std::vector<float> hb = host_f32(BOXES * 6, 126, -3, 3);
  for (int k = 0; k < BOXES; ++k)
    for (int c = 0; c < 3; ++c) hb[k * 6 + 3 + c] = hb[k * 6 + c] + 0.1f + 0.1f * fabsf(hb[k * 6 + 3 + c]);
  CALIBRATE_CHECK(cudaMemcpyToSymbol(boxes, hb.data(), hb.size() * 4));
  const Array<float> rays(host_f32(size_t(N) * 6, 125, -1, 1));
  const Array<int> out(N);
  row("ray_aabb_packets", [&] { ray_aabb_packets<<<N / 128, 128>>>(rays, out); });
}

}  // namespace ray_aabb_packets

// Whether points are inside a polygon of 200 corners, in dynamic shared memory.
namespace point_in_polygon {

const int N = 1 << 17, V = 200;

__device__ __forceinline__ bool inside(const float2* v, float2 p) {
  bool in = false;
  float2 a = v[V - 1];
  for (int k = 0; k < V; ++k) {
    float2 b = v[k];
    if ((b.y > p.y) != (a.y > p.y) && p.x < (a.x - b.x) * (p.y - b.y) / (a.y - b.y) + b.x) in = !in;
    a = b;
  }
  return in;
}

__global__ void point_in_polygon(const float2* __restrict__ v, const float2* __restrict__ p,
                                 uint8_t* __restrict__ o) {
  extern __shared__ float2 sv[];
  for (int i = threadIdx.x; i < V; i += blockDim.x) sv[i] = v[i];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = inside(sv, p[i]);
}

inline void add_row() {
  std::vector<float2> h(N);
  std::vector<float2> hv(V);
  Rng r(127);
  for (auto& v : h) v = make_float2(2 * r.uni() - 1, 2 * r.uni() - 1);
  for (int k = 0; k < V; ++k) {
    float q = 0.4f + 0.5f * r.uni();
    hv[k] = make_float2(q * cosf(6.2831853f * k / V), q * sinf(6.2831853f * k / V));
  }
  const Array<float2> pts(h);
  const Array<float2> poly(hv);
  const Array<uint8_t> out(N);
  row("point_in_polygon", [&] { point_in_polygon<<<N / 512, 512, V * sizeof(float2)>>>(poly, pts, out); });
}

}  // namespace point_in_polygon

// The distances of the four nearest of 1024 points, in tiles of shared memory.
namespace knn4_brute_tiles {

const int Q = 16896, P = 1024;

__global__ void knn4_brute_tiles(const float4* __restrict__ q, const float4* __restrict__ p,
                                 float* __restrict__ o) {
  __shared__ float4 s[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  float4 a = q[i];
  float d0 = 1e30f, d1 = 1e30f, d2 = 1e30f, d3 = 1e30f;
  for (int t = 0; t < P; t += 128) {
    __syncthreads();
    s[threadIdx.x] = p[t + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      float x = a.x - s[k].x, y = a.y - s[k].y, z = a.z - s[k].z, w = a.w - s[k].w,
            d = x * x + y * y + z * z + w * w;
      if (d < d3) {
        d3 = d;
        if (d3 < d2) d = d2, d2 = d3, d3 = d;
        if (d2 < d1) d = d1, d1 = d2, d2 = d;
        if (d1 < d0) d = d0, d0 = d1, d1 = d;
      }
    }
  }
  o[i] = d0, o[Q + i] = d1, o[2 * Q + i] = d2, o[3 * Q + i] = d3;
}

inline void add_row() {
  std::vector<float4> hq(Q);
  std::vector<float4> hp(P);
  Rng r(128);
  for (auto& v : hq) v = make_float4(r.uni(), r.uni(), r.uni(), r.uni());
  for (auto& v : hp) v = make_float4(r.uni(), r.uni(), r.uni(), r.uni());
  const Array<float4> q(hq);
  const Array<float4> p(hp);
  const Array<float> out(4 * Q);
  row("knn4_brute_tiles", [&] { knn4_brute_tiles<<<Q / 128, 128>>>(q, p, out); });
}

}  // namespace knn4_brute_tiles

// Assigns points to 16 centres, and adds them up by atomics in shared and then in global memory.
namespace kmeans_assign_update {

const int N = 1 << 18, D = 6, K = 16;

__device__ __forceinline__ int nearest(const float* v, const float* c) {
  int b = 0;
  float bd = 1e30f;
  for (int k = 0; k < K; ++k) {
    float d = 0;
#pragma unroll
    for (int j = 0; j < D; ++j) d += (v[j] - c[k * D + j]) * (v[j] - c[k * D + j]);
    if (d < bd) bd = d, b = k;
  }
  return b;
}

__global__ void kmeans_assign_update(const float* __restrict__ x, const float* __restrict__ c,
                                     int* __restrict__ lab, float* sum) {
  __shared__ float sc[K * D], ss[K * D];
  for (int i = threadIdx.x; i < K * D; i += blockDim.x) sc[i] = c[i], ss[i] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v[D];
#pragma unroll
  for (int j = 0; j < D; ++j) v[j] = x[j * N + i];
  int b = nearest(v, sc);
  lab[i] = b;
#pragma unroll
  for (int j = 0; j < D; ++j) atomicAdd(&ss[b * D + j], v[j]);
  __syncthreads();
  for (int k = threadIdx.x; k < K * D; k += blockDim.x) atomicAdd(&sum[k], ss[k]);
}

inline void add_row() {
  const Array<float> x(host_f32(size_t(N) * D, 129, 0, 1));
  const Array<float> c(host_f32(K * D, 130, 0, 1));
  const Array<int> lab(N);
  const Array<float> sum(K * D);
  row("kmeans_assign_update", [&] { kmeans_assign_update<<<N / 256, 256>>>(x, c, lab, sum); });
}

}  // namespace kmeans_assign_update

// Counts the points within a radius in a tree, split by x and y in turn; each thread has a stack.
namespace kdtree_range_stack {

const int DEPTH = 15, NODES = (1 << DEPTH) - 1, Q = 32768;

__device__ __forceinline__ int count(const float2* t, float2 q, float r) {
  int stack[20], n = 0, sp = 0;
  stack[sp++] = 0;
  while (sp) {
    int i = stack[--sp];
    float2 p = t[i];
    float dx = q.x - p.x, dy = q.y - p.y;
    n += dx * dx + dy * dy < r * r;
    if (2 * i + 2 >= NODES) continue;
    int lv = 0;
    for (int k = i + 1; k > 1; k /= 2) ++lv;
    float d = lv & 1 ? dy : dx;
    if (d <= r) stack[sp++] = 2 * i + 1;
    if (d >= -r) stack[sp++] = 2 * i + 2;
  }
  return n;
}

__global__ void kdtree_range_stack(const float2* __restrict__ t, const float2* __restrict__ q,
                                   int* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = count(t, q[i], 0.008f);
}

static void build(std::vector<float2>& h, std::vector<float2>& p, int lo, int hi, int i, int lv) {
  if (lo >= hi) return;
  int m = (lo + hi) / 2;
  std::nth_element(p.begin() + lo, p.begin() + m, p.begin() + hi,
                   [lv](const float2& a, const float2& b) { return lv & 1 ? a.y < b.y : a.x < b.x; });
  h[i] = p[m];
  build(h, p, lo, m, 2 * i + 1, lv + 1), build(h, p, m + 1, hi, 2 * i + 2, lv + 1);
}

inline void add_row() {
  std::vector<float2> h(NODES);
  std::vector<float2> hq(Q);
  std::vector<float2> p(NODES);
  Rng r(131);
  for (auto& v : p) v = make_float2(r.uni(), r.uni());
  for (auto& v : hq) v = make_float2(r.uni(), r.uni());
  build(h, p, 0, NODES, 0, 0);
  const Array<float2> tree(h);
  const Array<float2> qs(hq);
  const Array<int> out(Q);
  row("kdtree_range_stack", [&] { kdtree_range_stack<<<Q / 64, 64>>>(tree, qs, out); });
}

}  // namespace kdtree_range_stack

// Which of the eight corners of a cube are positive, as a byte.
namespace marching_cubes_classify {

const int X = 160, Y = 128, Z = 128;

__device__ __forceinline__ int code(const float* f, int i) {
  return (f[i] > 0) | (f[i + 1] > 0) << 1 | (f[i + X] > 0) << 2 | (f[i + X + 1] > 0) << 3 |
         (f[i + X * Y] > 0) << 4 | (f[i + X * Y + 1] > 0) << 5 | (f[i + X * Y + X] > 0) << 6 |
         (f[i + X * Y + X + 1] > 0) << 7;
}

__global__ void marching_cubes_classify(const float* __restrict__ f, uint8_t* __restrict__ o) {
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, z = blockIdx.z * 8 + threadIdx.z,
      i = (z * Y + y) * X + x;
  o[i] = x < X - 1 && y < Y - 1 && z < Z - 1 ? uint8_t(code(f, i)) : 0;
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(X) * Y * Z, 132, -1, 1);
  const Array<float> in(h);
  const Array<uint8_t> out(h.size());
  row("marching_cubes_classify",
      [&] { marching_cubes_classify<<<dim3(X / 8, Y / 8, Z / 8), dim3(8, 8, 8)>>>(in, out); });
}

}  // namespace marching_cubes_classify

inline void field_geometry_rows() {
  ray_aabb_packets::add_row();
  point_in_polygon::add_row();
  knn4_brute_tiles::add_row();
  kmeans_assign_update::add_row();
  kdtree_range_stack::add_row();
  marching_cubes_classify::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
