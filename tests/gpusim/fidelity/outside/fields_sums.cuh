// Reductions of long arrays, and a filter.
#pragma once

#include "fields_common.cuh"

#include <algorithm>

namespace outside {

// Mean and squared differences of doubles by Welford's method, in each block.
namespace welford_f64_blocks {

const int N = 4 << 20, B = 264;
struct W {
  double n, m, s;
};

__device__ static W join(W a, W b) {
  double n = a.n + b.n;
  if (n == 0) return a;
  double d = b.m - a.m, f = b.n / n;
  W r = {n, a.m + d * f, a.s + b.s + d * d * a.n * f};
  return r;
}

__global__ void welford_f64_blocks(const double* __restrict__ x, double* __restrict__ o, int n) {
  __shared__ W sh[256];
  W w = {0, 0, 0};
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
    w.n += 1;
    double d = x[i] - w.m;
    w.m += d / w.n;
    w.s += d * (x[i] - w.m);
  }
  sh[threadIdx.x] = w;
  for (int k = 128; k; k /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < k) sh[threadIdx.x] = join(sh[threadIdx.x], sh[threadIdx.x + k]);
  }
  if (threadIdx.x == 0) o[blockIdx.x * 2] = sh[0].m, o[blockIdx.x * 2 + 1] = sh[0].s / sh[0].n;
}

inline void add_row() {
  std::vector<double> h(N);
  Rng r(133);
  for (auto& v : h) v = 1000 + r.uni();
  const Array<double> in(h);
  const Array<double> out(B * 2);
  row("welford_f64_blocks", [&] { welford_f64_blocks<<<B, 256>>>(in, out, N); });
}

}  // namespace welford_f64_blocks

// The smallest and the largest of 16-bit numbers; the last block joins the results of all.
namespace minmax_u16_last_block {

const int N = 48 << 20, B = 132 * 3;

__global__ void minmax_u16_last_block(const uint4* __restrict__ x, int n, uint32_t* part, unsigned* ticket,
                                      uint32_t* out) {
  __shared__ uint32_t sh[12];
  __shared__ bool last;
  uint32_t lo = 0xffff, hi = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint4 v = x[i];
    uint32_t w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      lo = min(lo, min(w[k] & 0xffff, w[k] >> 16));
      hi = max(hi, max(w[k] & 0xffff, w[k] >> 16));
    }
  }
  for (int round = 0; round < 2; ++round) {
    lo = __reduce_min_sync(0xffffffffu, lo), hi = __reduce_max_sync(0xffffffffu, hi);
    if (threadIdx.x % 32 == 0) sh[threadIdx.x / 32] = hi << 16 | lo;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int i = 0; i < 12; ++i) lo = min(lo, sh[i] & 0xffff), hi = max(hi, sh[i] >> 16);
      if (round == 0) {
        part[blockIdx.x] = hi << 16 | lo;
        __threadfence();
        last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
      } else {
        *out = hi << 16 | lo;
      }
    }
    __syncthreads();
    if (round == 1 || !last) return;
    __threadfence();
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x) {
      uint32_t p = __ldcg(part + i);
      lo = min(lo, p & 0xffff), hi = max(hi, p >> 16);
    }
  }
}

inline void add_row() {
  std::vector<uint32_t> h = host_u32(N / 2, 134);
  for (auto& v : h) v = (v & 0x7fff7fff) + 0x00110011;
  const Array<uint32_t> in(h);
  const Array<uint32_t> part(B);
  const Array<uint32_t> out(1);
  const Array<unsigned> ticket(1);
  row("minmax_u16_last_block",
      [&] { minmax_u16_last_block<<<B, 384>>>(as<uint4>(in), N / 8, part, ticket, out); });
}

}  // namespace minmax_u16_last_block

// Sums of runs of equal keys: a scan in the warp, and an atomic addition at the end of each run.
namespace segmented_sum_warp_keys {

const int N = 3 << 20, K = 1 << 17;

__global__ void segmented_sum_warp_keys(const int* __restrict__ key, const float* __restrict__ val,
                                        float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, k = key[i];
  float v = val[i];
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    float u = __shfl_up_sync(0xffffffffu, v, o);
    int kk = __shfl_up_sync(0xffffffffu, k, o);
    if (lane >= o && kk == k) v += u;
  }
  int next = __shfl_down_sync(0xffffffffu, k, 1);
  if (lane == 31 || next != k) atomicAdd(&out[k], v);
}

inline void add_row() {
  std::vector<int> hk(N);
  Rng r(136);
  for (auto& v : hk) v = int(r.below(K));
  std::sort(hk.begin(), hk.end());
  const Array<int> key(hk);
  const Array<float> val(host_f32(N, 135, 0, 1));
  const Array<float> out(K);
  row("segmented_sum_warp_keys", [&] { segmented_sum_warp_keys<<<N / 256, 256>>>(key, val, out); });
}

}  // namespace segmented_sum_warp_keys

// A filter of 64 coefficients on 16-bit samples, in dynamic shared memory.
namespace fir64_dynamic_i16 {

const int N = 1 << 20, TAPS = 64, T = 192;

__global__ void fir64_dynamic_i16(const int16_t* __restrict__ x, const int16_t* __restrict__ c,
                                  int16_t* __restrict__ y, int n) {
  extern __shared__ int16_t buf[];
  int16_t* sc = buf + T + TAPS;
  int b = blockIdx.x * T;
  for (int i = threadIdx.x; i < T + TAPS; i += T) buf[i] = b + i < n + TAPS ? x[b + i] : int16_t(0);
  if (threadIdx.x < TAPS) sc[threadIdx.x] = c[threadIdx.x];
  __syncthreads();
  int s = 1 << 14;
#pragma unroll 16
  for (int k = 0; k < TAPS; ++k) s += buf[threadIdx.x + k] * sc[k];
  if (b + int(threadIdx.x) < n) y[b + threadIdx.x] = int16_t(max(-32768, min(32767, s >> 15)));
}

inline void add_row() {
  std::vector<int16_t> h(N + TAPS);
  std::vector<int16_t> hc(TAPS);
  Rng r(137);
  for (auto& v : h) v = int16_t(r.next());
  for (auto& v : hc) v = int16_t(int(r.below(4000)) - 2000);
  const Array<int16_t> in(h);
  const Array<int16_t> coef(hc);
  const Array<int16_t> out(N);
  row("fir64_dynamic_i16",
      [&] { fir64_dynamic_i16<<<(N + T - 1) / T, T, (T + 2 * TAPS) * 2>>>(in, coef, out, N); });
}

}  // namespace fir64_dynamic_i16

// A sum of products of 64-bit integers and their bits over the whole grid.
namespace xor_dot_i64_grid {

const int N = 6 << 20, T = 96;

__global__ void __launch_bounds__(T)
    xor_dot_i64_grid(const longlong2* __restrict__ a, const longlong2* __restrict__ b, unsigned long long* o,
                     int n) {
  long long s = 0;
  for (int i = blockIdx.x * T + threadIdx.x; i < n; i += gridDim.x * T) {
    longlong2 u = a[i], v = b[i];
    s += (u.x ^ v.y) * 3 + (u.y & v.x) * (v.y >> 3);
  }
  for (int k = 16; k; k /= 2) s += __shfl_down_sync(0xffffffffu, s, k);
  __shared__ long long p[3];
  if (threadIdx.x % 32 == 0) p[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(o, (unsigned long long)(p[0] + p[1] + p[2]));
}

inline void add_row() {
  std::vector<long long> ha(N / 2);
  std::vector<long long> hb(N / 2);
  Rng r(138);
  for (auto& v : ha) v = (long long)(uint64_t(r.next()) << 32 | r.next());
  for (auto& v : hb) v = (long long)(uint64_t(r.next()) << 32 | r.next());
  const Array<long long> a(ha);
  const Array<long long> b(hb);
  const Array<unsigned long long> out(1);
  row("xor_dot_i64_grid",
      [&] { xor_dot_i64_grid<<<132 * 10, T>>>(as<longlong2>(a), as<longlong2>(b), out, N / 4); });
}

}  // namespace xor_dot_i64_grid

inline void field_sum_rows() {
  welford_f64_blocks::add_row();
  minmax_u16_last_block::add_row();
  segmented_sum_warp_keys::add_row();
  fir64_dynamic_i16::add_row();
  xor_dot_i64_grid::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
