// Learning from text: embeddings, losses, positions, numbers of few bits, and a step of training.
#pragma once

#include "fields_common.cuh"

#include <cuda_bf16.h>

#include <cstring>

namespace outside {

// Adds up 20 rows of a table for each bag: 16 lanes take a bag, a float4 each.
namespace embedding_bag_sum {

const int V = 200000, D = 64, BAGS = 16384, L = 20;

__global__ void embedding_bag_sum(const float4* __restrict__ tab, const int* __restrict__ idx,
                                  float4* __restrict__ o) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, bag = t / 16, q = t % 16;
  float4 s = make_float4(0, 0, 0, 0);
  for (int k = 0; k < L; ++k) {
    float4 v = tab[size_t(idx[bag * L + k]) * 16 + q];
    s.x += v.x, s.y += v.y, s.z += v.z, s.w += v.w;
  }
  o[t] = s;
}

inline void add_row() {
  std::vector<int> hi(BAGS * L);
  Rng r(107);
  for (auto& v : hi) v = int(r.below(V));
  const Array<float> tab(host_f32(size_t(V) * D, 106, -1, 1));
  const Array<int> idx(hi);
  const Array<float> out(size_t(BAGS) * D);
  row("embedding_bag_sum",
      [&] { embedding_bag_sum<<<BAGS * 16 / 128, 128>>>(as<float4>(tab), idx, as<float4>(out)); });
}

}  // namespace embedding_bag_sum

// Losses of rows of 8000: maximum and sum in a single pass.
namespace cross_entropy_online {

const int ROWS = 1536, V = 8000;

__global__ void cross_entropy_online(const float* __restrict__ x, const int* __restrict__ t,
                                     float* __restrict__ loss) {
  __shared__ float sm[8], ss[8];
  const float* p = x + size_t(blockIdx.x) * V;
  float m = -1e30f, s = 0;
  for (int i = threadIdx.x; i < V; i += 256) {
    float v = p[i], n = fmaxf(m, v);
    s = s * __expf(m - n) + __expf(v - n);
    m = n;
  }
  for (int o = 16; o; o /= 2) {
    float m2 = __shfl_xor_sync(0xffffffffu, m, o), s2 = __shfl_xor_sync(0xffffffffu, s, o), n = fmaxf(m, m2);
    s = s * __expf(m - n) + s2 * __expf(m2 - n);
    m = n;
  }
  if (threadIdx.x % 32 == 0) sm[threadIdx.x / 32] = m, ss[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i) {
      float n = fmaxf(m, sm[i]);
      s = s * __expf(m - n) + ss[i] * __expf(sm[i] - n);
      m = n;
    }
    loss[blockIdx.x] = m + logf(s) - p[t[blockIdx.x]];
  }
}

inline void add_row() {
  std::vector<int> ht(ROWS);
  Rng r(109);
  for (auto& v : ht) v = int(r.below(V));
  const Array<float> in(host_f32(size_t(ROWS) * V, 108, -4, 4));
  const Array<int> target(ht);
  const Array<float> loss(ROWS);
  row("cross_entropy_online", [&] { cross_entropy_online<<<ROWS, 256>>>(in, target, loss); });
}

}  // namespace cross_entropy_online

// The four largest of each row: each thread keeps its own four, which a tree in shared memory joins.
namespace topk4_rows {

const int ROWS = 1056, V = 4096;

__device__ __forceinline__ void put(float* b, float v) {
#pragma unroll
  for (int k = 0; k < 4; ++k)
    if (v > b[k]) {
      float x = b[k];
      b[k] = v, v = x;
    }
}

__global__ void topk4_rows(const float* __restrict__ x, float* __restrict__ o) {
  __shared__ float s[128][5];
  float b[4] = {-1e30f, -1e30f, -1e30f, -1e30f};
  for (int i = threadIdx.x; i < V; i += 128) put(b, x[size_t(blockIdx.x) * V + i]);
  for (int k = 0; k < 4; ++k) s[threadIdx.x][k] = b[k];
  for (int half = 64; half; half /= 2) {
    __syncthreads();
    if (int(threadIdx.x) < half) {
      for (int k = 0; k < 4; ++k) put(b, s[threadIdx.x + half][k]);
      for (int k = 0; k < 4; ++k) s[threadIdx.x][k] = b[k];
    }
  }
  if (threadIdx.x == 0)
    for (int k = 0; k < 4; ++k) o[blockIdx.x * 4 + k] = b[k];
}

inline void add_row() {
  const Array<float> in(host_f32(size_t(ROWS) * V, 110, 0, 1));
  const Array<float> out(ROWS * 4);
  row("topk4_rows", [&] { topk4_rows<<<ROWS, 128>>>(in, out); });
}

}  // namespace topk4_rows

// Rotates pairs of bfloat16 by their position, with sine and cosine.
namespace rope_rotate_bf16 {

const int SEQ = 2048, HEADS = 16, D = 128;

__global__ void rope_rotate_bf16(const __nv_bfloat16* __restrict__ x, __nv_bfloat16* __restrict__ y) {
  int d = threadIdx.x, head = blockIdx.y * 4 + threadIdx.y, pos = blockIdx.x;
  size_t i = (size_t(pos) * HEADS + head) * D + d;
  float a = float(pos) * exp2f(-13.287712f * d / 64.0f), s, c;
  sincosf(a, &s, &c);
  float u = __bfloat162float(x[i]), v = __bfloat162float(x[i + D / 2]);
  y[i] = __float2bfloat16(u * c - v * s);
  y[i + D / 2] = __float2bfloat16(u * s + v * c);
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(SEQ) * HEADS * D, 111, -1, 1);
  std::vector<uint16_t> b(h.size());
  for (size_t i = 0; i < h.size(); ++i) {
    uint32_t u;
    memcpy(&u, &h[i], 4);
    b[i] = uint16_t(u >> 16);
  }
  const Array<uint16_t> in(b);
  const Array<__nv_bfloat16> out(h.size());
  row("rope_rotate_bf16",
      [&] { rope_rotate_bf16<<<dim3(SEQ, HEADS / 4), dim3(D / 2, 4)>>>(as<__nv_bfloat16>(in), out); });
}

}  // namespace rope_rotate_bf16

// Turns rows of floats into bytes by the largest of the row, which stays in registers.
namespace quantize_rows_s8 {

const int ROWS = 4096, D = 2048;

__global__ void quantize_rows_s8(const float4* __restrict__ x, char4* __restrict__ q,
                                 float* __restrict__ scale) {
  __shared__ float sm[8];
  int t = threadIdx.x;
  float4 a = x[size_t(blockIdx.x) * (D / 4) + t], b = x[size_t(blockIdx.x) * (D / 4) + 256 + t];
  float m = fmaxf(fmaxf(fmaxf(fabsf(a.x), fabsf(a.y)), fmaxf(fabsf(a.z), fabsf(a.w))),
                  fmaxf(fmaxf(fabsf(b.x), fabsf(b.y)), fmaxf(fabsf(b.z), fabsf(b.w))));
  for (int o = 16; o; o /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
  if (t % 32 == 0) sm[t / 32] = m;
  __syncthreads();
  for (int i = 0; i < 8; ++i) m = fmaxf(m, sm[i]);
  float r = 127.0f / m;
  q[size_t(blockIdx.x) * (D / 4) + t] = make_char4(__float2int_rn(a.x * r), __float2int_rn(a.y * r),
                                                   __float2int_rn(a.z * r), __float2int_rn(a.w * r));
  q[size_t(blockIdx.x) * (D / 4) + 256 + t] = make_char4(__float2int_rn(b.x * r), __float2int_rn(b.y * r),
                                                         __float2int_rn(b.z * r), __float2int_rn(b.w * r));
  if (t == 0) scale[blockIdx.x] = m / 127.0f;
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(ROWS) * D, 112, -1, 1);
  const Array<float> in(h);
  const Array<signed char> out(h.size());
  const Array<float> scale(ROWS);
  row("quantize_rows_s8", [&] { quantize_rows_s8<<<ROWS, 256>>>(as<float4>(in), as<char4>(out), scale); });
}

}  // namespace quantize_rows_s8

// A product of weights of four bits with a vector: a warp takes a row, a scale is for 128 weights.
namespace dequant_w4_gemv {

const int ROWS = 8192, K = 4096, G = 128;

__global__ void dequant_w4_gemv(const uint32_t* __restrict__ w, const float* __restrict__ s,
                                const float* __restrict__ x, float* __restrict__ y) {
  __shared__ float sx[K];
  for (int i = threadIdx.x; i < K; i += 256) sx[i] = x[i];
  __syncthreads();
  int row = blockIdx.x * 8 + threadIdx.x / 32, lane = threadIdx.x % 32;
  float acc = 0;
  for (int i = lane; i < K / 8; i += 32) {
    uint32_t v = w[size_t(row) * (K / 8) + i];
    float a = 0;
#pragma unroll
    for (int k = 0; k < 8; ++k) a += float(int((v >> (4 * k)) & 15) - 8) * sx[i * 8 + k];
    acc += a * s[row * (K / G) + i / (G / 8)];
  }
  for (int o = 16; o; o /= 2) acc += __shfl_down_sync(0xffffffffu, acc, o);
  if (lane == 0) y[row] = acc;
}

inline void add_row() {
  const Array<uint32_t> dw(host_u32(size_t(ROWS) * K / 8, 113));
  const Array<float> ds(host_f32(size_t(ROWS) * K / G, 114, 0.01f, 0.02f));
  const Array<float> dx(host_f32(K, 115, -1, 1));
  const Array<float> out(ROWS);
  row("dequant_w4_gemv", [&] { dequant_w4_gemv<<<ROWS / 8, 256>>>(dw, ds, dx, out); });
}

}  // namespace dequant_w4_gemv

// A step of training by Adam's rule.
namespace adam_step_f32 {

const int N = 5 << 20;

__device__ __forceinline__ void step(float& p, float g, float& m, float& v) {
  m = 0.9f * m + 0.1f * g, v = 0.999f * v + 0.001f * g * g;
  p -= 0.001f * (m / (sqrtf(v) + 1e-8f) + 0.01f * p);
}

__global__ void adam_step_f32(float* __restrict__ p, const float* __restrict__ g, float* __restrict__ m,
                              float* __restrict__ v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = p[i], b = m[i], c = v[i];
  step(a, g[i], b, c);
  p[i] = a, m[i] = b, v[i] = c;
}

inline void add_row() {
  const Array<float> p(host_f32(N, 116, -1, 1));
  const Array<float> g(host_f32(N, 117, -1, 1));
  const Array<float> m(N);
  const Array<float> v(N);
  row("adam_step_f32", [&] { adam_step_f32<<<N / 512, 512>>>(p, g, m, v); });
}

}  // namespace adam_step_f32

inline void field_learning_rows() {
  embedding_bag_sum::add_row();
  cross_entropy_online::add_row();
  topk4_rows::add_row();
  rope_rotate_bf16::add_row();
  quantize_rows_s8::add_row();
  dequant_w4_gemv::add_row();
  adam_step_f32::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
