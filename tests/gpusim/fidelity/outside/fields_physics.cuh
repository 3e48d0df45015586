// Physics: particles, spins, waves, flows, and a Fourier transform.
#pragma once

#include "fields_common.cuh"

#include <cooperative_groups.h>

#include <algorithm>

namespace outside {

// Densities of particles, which are sorted by cell: each looks through the cells around its own.
namespace sph_density_cells {

const int G = 32, N = G * G * G * 6;

__device__ __forceinline__ float density(const float4* p, const int* start, int i) {
  float4 a = p[i];
  int cx = int(a.x), cy = int(a.y), cz = int(a.z);
  float sum = 0;
  for (int z = cz > 0 ? cz - 1 : 0; z <= cz + 1 && z < G; ++z)
    for (int y = cy > 0 ? cy - 1 : 0; y <= cy + 1 && y < G; ++y) {
      int c0 = (z * G + y) * G + (cx > 0 ? cx - 1 : 0), c1 = (z * G + y) * G + (cx < G - 1 ? cx + 1 : cx);
      for (int k = start[c0]; k < start[c1 + 1]; ++k) {
        float dx = p[k].x - a.x, dy = p[k].y - a.y, dz = p[k].z - a.z;
        float r2 = dx * dx + dy * dy + dz * dz;
        if (r2 < 1.0f) {
          float q = 1.0f - r2;
          sum += p[k].w * q * q * q;
        }
      }
    }
  return sum * 1.5666815f;
}

__global__ void sph_density_cells(const float4* __restrict__ p, const int* __restrict__ start,
                                  float* __restrict__ d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) d[i] = density(p, start, i);
}

inline void add_row() {
  Rng r(20);
  std::vector<float4> h;
  std::vector<int> hs(G * G * G + 1, 0);
  std::vector<int> cell(N);
  for (auto& c : cell) c = int(r.below(G * G * G));
  std::sort(cell.begin(), cell.end());
  for (int c : cell) {
    ++hs[c + 1];
    h.push_back(make_float4(c % G + 0.999f * r.uni(), c / G % G + 0.999f * r.uni(),
                            c / G / G + 0.999f * r.uni(), 0.5f + r.uni()));
  }
  for (int c = 0; c < G * G * G; ++c) hs[c + 1] += hs[c];
  const Array<float4> pos(h);
  const Array<int> start(hs);
  const Array<float> out(N);
  row("sph_density_cells", [&] { sph_density_cells<<<(N + 127) / 128, 128>>>(pos, start, out); });
}

}  // namespace sph_density_cells

// Flips half of the spins, like the black fields of a chessboard; a second array gets the new ones.
namespace ising_checkerboard {

const int W = 8192, H = 2048;

__device__ __forceinline__ uint32_t mix(uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
  return x;
}

__device__ __forceinline__ signed char flip(const signed char* s, int x, int y) {
  int i = y * W + x;
  int nb = s[y * W + ((x + 1) & (W - 1))] + s[y * W + ((x - 1) & (W - 1))] + s[((y + 1) & (H - 1)) * W + x] +
           s[((y - 1) & (H - 1)) * W + x];
  int e = nb * s[i];
  uint32_t r = mix(uint32_t(i) * 2654435761u + 77u);
  uint32_t limit = e <= 0 ? 0xffffffffu : (e == 2 ? 0x69000000u : 0x2b000000u);
  return r <= limit ? -s[i] : s[i];
}

__global__ void ising_checkerboard(const signed char* __restrict__ s, signed char* __restrict__ d) {
  int k = blockIdx.x * blockDim.x + threadIdx.x;
  int y = k / (W / 2), x = (k % (W / 2)) * 2 + (y & 1);
  d[y * W + x] = flip(s, x, y);
}

inline void add_row() {
  std::vector<signed char> h(size_t(W) * H);
  Rng r(21);
  for (auto& v : h) v = r.below(2) ? 1 : -1;
  const Array<signed char> in(h);
  const Array<signed char> out(size_t(W) * H);
  row("ising_checkerboard", [&] { ising_checkerboard<<<W / 2 * H / 256, 256>>>(in, out); });
}

}  // namespace ising_checkerboard

// A step of a flow on a grid: nine flows come into a cell, collide and are stored.
namespace lbm_d2q9 {

const int W = 1024, H = 1536, N = W * H;

__device__ __forceinline__ void cell(const float* f, int x, int y, float* o) {
  const int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float w[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
  float g[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    int sx = x - ex[k], sy = y - ey[k];
    sx = sx < 0 ? W - 1 : (sx == W ? 0 : sx);
    sy = sy < 0 ? H - 1 : (sy == H ? 0 : sy);
    g[k] = f[k * N + sy * W + sx];
    rho += g[k], ux += ex[k] * g[k], uy += ey[k] * g[k];
  }
  ux /= rho, uy /= rho;
  float u2 = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    float eu = 3 * (ex[k] * ux + ey[k] * uy);
    o[k] = g[k] + 0.6f * (w[k] * rho * (1 + eu + 0.5f * eu * eu - u2) - g[k]);
  }
}

__global__ void lbm_d2q9(const float* __restrict__ f, float* __restrict__ d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  float o[9];
  cell(f, x, y, o);
#pragma unroll
  for (int k = 0; k < 9; ++k) d[k * N + y * W + x] = o[k];
}

inline void add_row() {
  const Array<float> in(host_f32(size_t(9) * N, 22, 0.05f, 0.15f));
  const Array<float> out(size_t(9) * N);
  row("lbm_d2q9", [&] { lbm_d2q9<<<dim3(W / 128, H), 128>>>(in, out); });
}

}  // namespace lbm_d2q9

// A step of the magnetic field from the electric one, in three dimensions.
namespace fdtd3d_h_update {

const int X = 192, Y = 128, Z = 128, N = X * Y * Z;

__global__ void fdtd3d_h_update(const float* __restrict__ ex, const float* __restrict__ ey,
                                const float* __restrict__ ez, float* __restrict__ hx, float* __restrict__ hy,
                                float* __restrict__ hz) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y, z = blockIdx.z * 2 + threadIdx.z;
  if (x >= X - 1 || y >= Y - 1 || z >= Z - 1) return;
  int i = (z * Y + y) * X + x;
  hx[i] = 0.5f * ((ey[i + X * Y] - ey[i]) - (ez[i + X] - ez[i]));
  hy[i] = 0.5f * ((ez[i + 1] - ez[i]) - (ex[i + X * Y] - ex[i]));
  hz[i] = 0.5f * ((ex[i + X] - ex[i]) - (ey[i + 1] - ey[i]));
}

inline void add_row() {
  const Array<float> ex(host_f32(N, 23, -1, 1));
  const Array<float> ey(host_f32(N, 24, -1, 1));
  const Array<float> ez(host_f32(N, 25, -1, 1));
  const Array<float> hx(N);
  const Array<float> hy(N);
  const Array<float> hz(N);
  row("fdtd3d_h_update",
      [&] { fdtd3d_h_update<<<dim3(X / 32, Y / 4, Z / 2), dim3(32, 4, 2)>>>(ex, ey, ez, hx, hy, hz); });
}

}  // namespace fdtd3d_h_update

// Forces between atoms: each atom has a list of 96 neighbours.
namespace lj_verlet_list {

const int N = 24576, K = 96;

__device__ __forceinline__ float4 total(const float4* p, const int* nb, int i) {
  float4 a = p[i], f = make_float4(0, 0, 0, 0);
  for (int k = 0; k < K; ++k) {
    float4 q = p[nb[k * N + i]];
    float dx = a.x - q.x, dy = a.y - q.y, dz = a.z - q.z;
    float r2 = dx * dx + dy * dy + dz * dz + 0.5f;
    if (r2 < 40.0f) {
      float ir2 = 1.0f / r2, ir6 = ir2 * ir2 * ir2, s = 24.0f * ir2 * ir6 * (2.0f * ir6 - 1.0f);
      f.x += s * dx, f.y += s * dy, f.z += s * dz, f.w += 4.0f * ir6 * (ir6 - 1.0f);
    }
  }
  return f;
}

__global__ void __launch_bounds__(96)
    lj_verlet_list(const float4* __restrict__ p, const int* __restrict__ nb, float4* __restrict__ f) {
  int i = blockIdx.x * 96 + threadIdx.x;
  if (i < N) f[i] = total(p, nb, i);
}

inline void add_row() {
  std::vector<float4> h(N);
  std::vector<int> hn(size_t(N) * K);
  Rng r(26);
  for (auto& v : h) v = make_float4(10 * r.uni(), 10 * r.uni(), 10 * r.uni(), 0);
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < N; ++i) hn[k * N + i] = int((i + 1 + r.below(2000)) % N);
  const Array<float4> pos(h);
  const Array<int> nb(hn);
  const Array<float4> force(N);
  row("lj_verlet_list", [&] { lj_verlet_list<<<(N + 95) / 96, 96>>>(pos, nb, force); });
}

}  // namespace lj_verlet_list

// A step of over-relaxation in doubles: every second point of a grid, like the red fields of a chessboard.
namespace sor_redblack_f64 {

const int W = 4096, H = 2048;

__global__ void sor_redblack_f64(const double* __restrict__ u, const double* __restrict__ f,
                                 double* __restrict__ o) {
  int y = blockIdx.y * 8 + threadIdx.y + 1, x = (blockIdx.x * 32 + threadIdx.x) * 2 + 1 + (y & 1);
  if (x >= W - 1 || y >= H - 1) return;
  int i = y * W + x;
  double r = (u[i - 1] + u[i + 1] + u[i - W] + u[i + W] - f[i]) * 0.25;
  o[i] = u[i] + 1.7 * (r - u[i]);
}

inline void add_row() {
  std::vector<double> h(size_t(W) * H);
  Rng r(27);
  for (auto& v : h) v = r.uni();
  const Array<double> u(h);
  const Array<double> rhs(std::vector<double>(h.size(), 0.125));
  const Array<double> out(h.size());
  row("sor_redblack_f64", [&] { sor_redblack_f64<<<dim3(W / 64, H / 8), dim3(32, 8)>>>(u, rhs, out); });
}

}  // namespace sor_redblack_f64

// Smooths a line of numbers 24 times in one launch: all blocks of the grid meet after each step.
namespace wave1d_grid_sync {

const int T = 256, B = 128, N = T * B * 2, STEPS = 24;

__global__ void wave1d_grid_sync(const float* __restrict__ init, float* p, float* q, int n, int steps) {
  cooperative_groups::grid_group g = cooperative_groups::this_grid();
  int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  for (int i = t; i < n; i += all) p[i] = init[i];
  g.sync();
  for (int s = 0; s < steps; ++s) {
    for (int i = t; i < n; i += all) {
      float l = p[i == 0 ? n - 1 : i - 1], r = p[i == n - 1 ? 0 : i + 1];
      q[i] = 0.5f * p[i] + 0.25f * (l + r);
    }
    g.sync();
    float* x = p;
    p = q, q = x;
  }
}

inline void add_row() {
  const Array<float> a(host_f32(N, 28, 0, 1)), b(N), c(N);
  row("wave1d_grid_sync", [&] {
    float *init = a, *p = b, *q = c;
    int n = N, steps = STEPS;
    void* args[] = {&init, &p, &q, &n, &steps};
    CALIBRATE_CHECK(cudaLaunchCooperativeKernel((const void*)wave1d_grid_sync, dim3(B), dim3(T), args, 0, 0));
  });
}

}  // namespace wave1d_grid_sync

// A step of two substances that spread and react; a point has nine neighbours, itself included.
namespace gray_scott_float2 {

const int W = 1024, H = 1024;

__device__ __forceinline__ float2 cell(const float2* s, int x, int y) {
  int xm = (x - 1) & (W - 1), xp = (x + 1) & (W - 1), ym = (y - 1) & (H - 1), yp = (y + 1) & (H - 1);
  float2 c = s[y * W + x];
  float2 n = s[ym * W + x], o = s[yp * W + x], w = s[y * W + xm], e = s[y * W + xp];
  float2 a = s[ym * W + xm], b = s[ym * W + xp], d = s[yp * W + xm], f = s[yp * W + xp];
  float lu = 0.2f * (n.x + o.x + w.x + e.x) + 0.05f * (a.x + b.x + d.x + f.x) - c.x;
  float lv = 0.2f * (n.y + o.y + w.y + e.y) + 0.05f * (a.y + b.y + d.y + f.y) - c.y;
  float r = c.x * c.y * c.y;
  return make_float2(c.x + lu - r + 0.055f * (1 - c.x), c.y + 0.5f * lv + r - 0.117f * c.y);
}

__global__ void gray_scott_float2(const float2* __restrict__ s, float2* __restrict__ d) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  d[y * W + x] = cell(s, x, y);
}

inline void add_row() {
  std::vector<float2> h(size_t(W) * H);
  Rng r(29);
  for (auto& v : h) v = make_float2(r.uni(), r.uni());
  const Array<float2> in(h);
  const Array<float2> out(h.size());
  row("gray_scott_float2", [&] { gray_scott_float2<<<dim3(W / 64, H / 16), dim3(64, 16)>>>(in, out); });
}

}  // namespace gray_scott_float2

// Fourier transforms of 1024 points by Stockham: 256 threads take two butterflies each, in shared memory.
namespace fft1024_shared {

const int N = 1024, B = 2304;

__global__ void fft1024_shared(const float2* __restrict__ s, float2* __restrict__ d) {
  __shared__ float2 buf[2][N];
  int t = threadIdx.x;
  for (int i = t; i < N; i += 256) buf[0][i] = s[size_t(blockIdx.x) * N + i];
  __syncthreads();
  int cur = 0;
  for (int half = 1; half < N; half *= 2) {
#pragma unroll
    for (int q = 0; q < 2; ++q) {
      int j = t + q * 256, k = j & (half - 1);
      float si, co;
      __sincosf(-3.14159265f * k / half, &si, &co);
      float2 u = buf[cur][j], v = buf[cur][j + N / 2];
      float2 w = make_float2(v.x * co - v.y * si, v.x * si + v.y * co);
      int o = ((j - k) << 1) + k;
      buf[cur ^ 1][o] = make_float2(u.x + w.x, u.y + w.y);
      buf[cur ^ 1][o + half] = make_float2(u.x - w.x, u.y - w.y);
    }
    cur ^= 1;
    __syncthreads();
  }
  for (int i = t; i < N; i += 256) d[size_t(blockIdx.x) * N + i] = buf[cur][i];
}

inline void add_row() {
  std::vector<float2> h(size_t(N) * B);
  Rng r(30);
  for (auto& v : h) v = make_float2(r.uni() - 0.5f, r.uni() - 0.5f);
  const Array<float2> in(h);
  const Array<float2> out(h.size());
  row("fft1024_shared", [&] { fft1024_shared<<<B, 256>>>(in, out); });
}

}  // namespace fft1024_shared

inline void field_physics_rows() {
  sph_density_cells::add_row();
  ising_checkerboard::add_row();
  lbm_d2q9::add_row();
  fdtd3d_h_update::add_row();
  lj_verlet_list::add_row();
  sor_redblack_f64::add_row();
  wave1d_grid_sync::add_row();
  gray_scott_float2::add_row();
  fft1024_shared::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
