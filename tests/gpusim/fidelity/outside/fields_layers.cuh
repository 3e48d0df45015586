// Layers of networks for images: convolutions, pooling, statistics and an activation.
#pragma once

#include "fields_common.cuh"

namespace outside {

// A convolution of one pixel: a thread has a pixel and eight channels, whose weights are in shared memory.
namespace conv1x1_nchw {

const int C = 64, K = 64, P = 3136, B = 16;

__global__ void conv1x1_nchw(const float* __restrict__ x, const float* __restrict__ w,
                             float* __restrict__ y) {
  __shared__ float sw[C][8];
  for (int i = threadIdx.x; i < C * 8; i += blockDim.x)
    sw[i / 8][i % 8] = w[(blockIdx.y * 8 + i % 8) * C + i / 8];
  __syncthreads();
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  if (p >= P) return;
  const float* xp = x + size_t(blockIdx.z) * C * P + p;
  float acc[8] = {};
#pragma unroll 4
  for (int c = 0; c < C; ++c) {
    float v = xp[c * P];
#pragma unroll
    for (int k = 0; k < 8; ++k) acc[k] += v * sw[c][k];
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) y[(size_t(blockIdx.z) * K + blockIdx.y * 8 + k) * P + p] = fmaxf(acc[k], 0.0f);
}

inline void add_row() {
  const Array<float> dx(host_f32(size_t(B) * C * P, 100, -1, 1));
  const Array<float> dw(host_f32(K * C, 101, -1, 1));
  const Array<float> out(size_t(B) * K * P);
  row("conv1x1_nchw", [&] { conv1x1_nchw<<<dim3((P + 127) / 128, K / 8, B), 128>>>(dx, dw, out); });
}

}  // namespace conv1x1_nchw

// A convolution of 5 by 5 pixels for each channel on its own: two channels of halves a thread.
namespace depthwise5_nhwc_f16 {

const int C = 128, W = 64, H = 64, B = 6;

__global__ void depthwise5_nhwc_f16(const __half2* __restrict__ x, const __half2* __restrict__ w,
                                    __half2* __restrict__ y) {
  int c = threadIdx.x, px = blockIdx.x * 4 + threadIdx.y, py = blockIdx.y, b = blockIdx.z;
  float sx = 0, sy = 0;
  for (int j = 0; j < 5; ++j) {
    int yy = py + j - 2;
    if (yy < 0 || yy >= H) continue;
    __half2 acc = __float2half2_rn(0.0f);
#pragma unroll
    for (int i = 0; i < 5; ++i) {
      int xx = px + i - 2;
      if (xx >= 0 && xx < W)
        acc = __hfma2(x[((b * H + yy) * W + xx) * (C / 2) + c], w[(j * 5 + i) * (C / 2) + c], acc);
    }
    float2 f = __half22float2(acc);
    sx += f.x, sy += f.y;
  }
  y[((b * H + py) * W + px) * (C / 2) + c] = __floats2half2_rn(sx, sy);
}

inline void add_row() {
  std::vector<__half> hx(size_t(B) * H * W * C);
  std::vector<__half> hw(25 * C);
  Rng r(102);
  for (auto& v : hx) v = __float2half(r.uni() - 0.5f);
  for (auto& v : hw) v = __float2half(r.uni() - 0.5f);
  const Array<__half> dx(hx);
  const Array<__half> dw(hw);
  const Array<__half> out(hx.size());
  row("depthwise5_nhwc_f16", [&] {
    depthwise5_nhwc_f16<<<dim3(W / 4, H, B), dim3(C / 2, 4)>>>(as<__half2>(dx), as<__half2>(dw),
                                                               as<__half2>(out));
  });
}

}  // namespace depthwise5_nhwc_f16

// The largest of 3 by 3 pixels and its place, for every second pixel.
namespace maxpool3s2_argmax {

const int W = 112, H = 112, OW = 56, OH = 56, P = 768;

__device__ __forceinline__ float pool(const float* s, int x, int y, int* a) {
  float m = -1e30f;
  int k = 0;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) {
      int xx = 2 * x + i - 1, yy = 2 * y + j - 1;
      if (xx < 0 || yy < 0 || xx >= W || yy >= H) continue;
      float v = s[yy * W + xx];
      if (v > m) m = v, k = yy * W + xx;
    }
  *a = k;
  return m;
}

__global__ void maxpool3s2_argmax(const float* __restrict__ s, float* __restrict__ d, int* __restrict__ a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= OW * OH * P) return;
  int p = i / (OW * OH), q = i % (OW * OH), k;
  d[i] = pool(s + size_t(p) * W * H, q % OW, q / OW, &k);
  a[i] = k;
}

inline void add_row() {
  const Array<float> in(host_f32(size_t(W) * H * P, 103, -1, 1));
  const Array<float> out(size_t(OW) * OH * P);
  const Array<int> arg(size_t(OW) * OH * P);
  row("maxpool3s2_argmax", [&] { maxpool3s2_argmax<<<(OW * OH * P + 255) / 256, 256>>>(in, out, arg); });
}

}  // namespace maxpool3s2_argmax

// Mean and variance of a channel over all images: a block takes a channel.
namespace batchnorm_stats_channel {

const int B = 16, C = 192, P = 2304;

__global__ void batchnorm_stats_channel(const float* __restrict__ x, float* __restrict__ mean,
                                        float* __restrict__ var) {
  __shared__ float ss[8], sq[8];
  float s = 0, q = 0;
  for (int b = 0; b < B; ++b) {
    const float* p = x + (size_t(b) * C + blockIdx.x) * P;
    for (int i = threadIdx.x; i < P; i += 256) {
      float v = p[i];
      s += v, q += v * v;
    }
  }
  for (int o = 16; o; o /= 2)
    s += __shfl_down_sync(0xffffffffu, s, o), q += __shfl_down_sync(0xffffffffu, q, o);
  if (threadIdx.x % 32 == 0) ss[threadIdx.x / 32] = s, sq[threadIdx.x / 32] = q;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 8; ++i) s += ss[i], q += sq[i];
    float m = s / (B * P);
    mean[blockIdx.x] = m, var[blockIdx.x] = q / (B * P) - m * m;
  }
}

inline void add_row() {
  const Array<float> in(host_f32(size_t(B) * C * P, 104, -1, 2));
  const Array<float> mean(C);
  const Array<float> var(C);
  row("batchnorm_stats_channel", [&] { batchnorm_stats_channel<<<C, 256>>>(in, mean, var); });
}

}  // namespace batchnorm_stats_channel

// Adds a bias and applies GELU to halves, two a thread.
namespace gelu_bias_half2 {

const int N = 12 << 20, C = 1024;

__device__ __forceinline__ float gelu(float x) {
  return 0.5f * x * (1.0f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

__global__ void gelu_bias_half2(const __half2* __restrict__ x, const __half2* __restrict__ b,
                                __half2* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float2 v = __half22float2(x[i]), c = __half22float2(b[i & (C / 2 - 1)]);
  y[i] = __floats2half2_rn(gelu(v.x + c.x), gelu(v.y + c.y));
}

inline void add_row() {
  std::vector<__half> hx(N);
  std::vector<__half> hb(C);
  Rng r(105);
  for (auto& v : hx) v = __float2half(4 * r.uni() - 2);
  for (auto& v : hb) v = __float2half(r.uni() - 0.5f);
  const Array<__half> dx(hx);
  const Array<__half> db(hb);
  const Array<__half> out(N);
  row("gelu_bias_half2", [&] {
    gelu_bias_half2<<<N / 2 / 256, 256>>>(as<__half2>(dx), as<__half2>(db), as<__half2>(out), N / 2);
  });
}

}  // namespace gelu_bias_half2

inline void field_layer_rows() {
  conv1x1_nchw::add_row();
  depthwise5_nhwc_f16::add_row();
  maxpool3s2_argmax::add_row();
  batchnorm_stats_channel::add_row();
  gelu_bias_half2::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
