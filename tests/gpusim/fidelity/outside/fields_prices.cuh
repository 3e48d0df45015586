// Prices of options and bonds.
#pragma once

#include "fields_common.cuh"

namespace outside {

// Prices of options to buy and to sell, by the formula of Black and Scholes.
namespace black_scholes_call_put {

const int N = 4 << 20;

__device__ __forceinline__ float cnd(float d) {
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  float c = 0.39894228f * expf(-0.5f * d * d) * k *
            (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
  return d > 0 ? 1.0f - c : c;
}

__device__ __forceinline__ float2 price(float s, float k, float t) {
  float q = sqrtf(t), d1 = (logf(s / k) + (0.02f + 0.045f) * t) / (0.3f * q), d2 = d1 - 0.3f * q;
  float e = k * expf(-0.02f * t), c = s * cnd(d1) - e * cnd(d2);
  return make_float2(c, c - s + e);
}

__global__ void black_scholes_call_put(const float* __restrict__ s, const float* __restrict__ k,
                                       const float* __restrict__ t, float* __restrict__ call,
                                       float* __restrict__ put, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 p = price(s[i], k[i], t[i]);
  call[i] = p.x, put[i] = p.y;
}

inline void add_row() {
  const Array<float> ds(host_f32(N, 40, 5, 30));
  const Array<float> dk(host_f32(N, 41, 1, 100));
  const Array<float> dt(host_f32(N, 42, 0.25f, 10));
  const Array<float> call(N);
  const Array<float> put(N);
  row("black_scholes_call_put",
      [&] { black_scholes_call_put<<<(N + 127) / 128, 128>>>(ds, dk, dt, call, put, N); });
}

}  // namespace black_scholes_call_put

// Prices of American options: a block walks back through a tree of 255 steps, with two barriers each.
namespace binomial_american {

const int OPT = 320, STEPS = 255;

__global__ void binomial_american(const float* __restrict__ strike, float* __restrict__ out) {
  __shared__ float v[STEPS + 1];
  int t = threadIdx.x;
  float k = strike[blockIdx.x], dt = 1.0f / STEPS, u = expf(0.3f * sqrtf(dt)), lu = logf(u);
  float a = expf(0.05f * dt), p = (a - 1 / u) / (u - 1 / u), df = 1 / a;
  v[t] = fmaxf(k - 100.0f * expf(lu * (2 * t - STEPS)), 0.0f);
  __syncthreads();
  for (int s = STEPS - 1; s >= 0; --s) {
    float x = 0;
    if (t <= s) {
      x = df * (p * v[t + 1] + (1 - p) * v[t]);
      x = fmaxf(x, k - 100.0f * __expf(lu * (2 * t - s)));
    }
    __syncthreads();
    if (t <= s) v[t] = x;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = v[0];
}

inline void add_row() {
  const Array<float> dk(host_f32(OPT, 43, 60, 140));
  const Array<float> out(OPT);
  row("binomial_american", [&] { binomial_american<<<OPT, STEPS + 1>>>(dk, out); });
}

}  // namespace binomial_american

// Paths of a price whose variance is random as well, in doubles; uniform numbers stand in for normal ones.
namespace heston_paths_f64 {

const int N = 33792, STEPS = 40;

__device__ __forceinline__ uint64_t next64(uint64_t& s) {
  s ^= s << 13, s ^= s >> 7, s ^= s << 17;
  return s;
}

__device__ __forceinline__ double path(int i) {
  uint64_t st = (uint64_t(i) + 1) * 0x9E3779B97F4A7C15ull;
  double x = 0, v = 0.04, dt = 1.0 / STEPS, sd = sqrt(dt);
  for (int k = 0; k < STEPS; ++k) {
    // Sums of three uniforms stand in for normal numbers.
    double z1 = 0, z2 = 0;
    for (int j = 0; j < 3; ++j) {
      uint64_t r = next64(st);
      z1 += double(uint32_t(r >> 32)) * (1.0 / 4294967296.0) - 0.5;
      z2 += double(uint32_t(r)) * (1.0 / 4294967296.0) - 0.5;
    }
    z1 *= 2, z2 = -0.7 * z1 + 0.714142842854285 * 2 * z2;
    double vp = v > 0 ? v : 0, sv = sqrt(vp);
    x += (0.03 - 0.5 * vp) * dt + sv * sd * z1;
    v += 2.0 * (0.04 - vp) * dt + 0.3 * sv * sd * z2;
  }
  double pay = exp(x) - 1.0;
  return pay > 0 ? pay : 0;
}

__global__ void heston_paths_f64(double* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = path(i);
}

inline void add_row() {
  const Array<double> out(N);
  row("heston_paths_f64", [&] { heston_paths_f64<<<N / 128, 128>>>(out); });
}

}  // namespace heston_paths_f64

// Yields of bonds by Newton's method in doubles; how many steps it takes differs from thread to thread.
namespace bond_yield_newton {

const int N = 65536;

__device__ __forceinline__ double solve(double price, double c, int m) {
  double y = 0.05;
  for (int it = 0; it < 20; ++it) {
    double d = 1.0 / (1.0 + y), w = 1, f = -price, g = 0;
    for (int k = 1; k <= m; ++k) {
      w *= d;
      f += c * w, g -= k * c * w * d;
    }
    f += 100 * w, g -= 100 * m * w * d;
    double step = f / g;
    y -= step;
    if (fabs(step) < 1e-10) break;
  }
  return y;
}

__global__ void bond_yield_newton(const float* __restrict__ p, const float* __restrict__ c,
                                  const int* __restrict__ m, double* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) o[i] = solve(p[i], c[i], m[i]);
}

inline void add_row() {
  std::vector<int> hm(N);
  Rng r(46);
  for (auto& v : hm) v = int(2 + r.below(30));
  const Array<float> dp(host_f32(N, 44, 80, 120));
  const Array<float> dc(host_f32(N, 45, 2, 8));
  const Array<int> dm(hm);
  const Array<double> out(N);
  row("bond_yield_newton", [&] { bond_yield_newton<<<N / 256, 256>>>(dp, dc, dm, out); });
}

}  // namespace bond_yield_newton

inline void field_price_rows() {
  black_scholes_call_put::add_row();
  binomial_american::add_row();
  heston_paths_f64::add_row();
  bond_yield_newton::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
