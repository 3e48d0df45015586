// Element-wise problems: activations, half precision, copies that weave and permute, and loops until they
// converge.
#pragma once

#include "homework_common.cuh"

#include <cuda_fp16.h>

namespace outside {

// Leaky ReLU: a float for each thread.
__global__ void leaky_relu(const float* in, float* out, float slope, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i] > 0.0f ? in[i] : slope * in[i];
}

// x times the sigmoid of 1.702 x, on pairs of halves that are computed with as floats, by a loop over the
// grid.
__global__ void quick_gelu(const __half2* in, __half2* out, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    const float2 v = __half22float2(in[i]);
    const float a = v.x / (1.0f + __expf(-1.702f * v.x)), b = v.y / (1.0f + __expf(-1.702f * v.y));
    out[i] = __floats2half2_rn(a, b);
  }
}

// Weaves two arrays into one.
__global__ void interleave(const float* a, const float* b, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[2 * i] = a[i];
  out[2 * i + 1] = b[i];
}

// z = a x + y in half precision, eight halves for each thread.
__global__ void half_axpy(const uint4* x, const uint4* y, uint4* z, float a, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const uint4 of_x = x[i], of_y = y[i];
  uint4 result;
  const __half2 scale = __float2half2_rn(a);
  const __half2* const hx = reinterpret_cast<const __half2*>(&of_x);
  const __half2* const hy = reinterpret_cast<const __half2*>(&of_y);
  __half2* const hz = reinterpret_cast<__half2*>(&result);
#pragma unroll
  for (int k = 0; k < 4; ++k) hz[k] = __hfma2(scale, hx[k], hy[k]);
  z[i] = result;
}

// Adds a bias for each column and a residual, then ReLU; the column is a remainder by a number that is not
// known when compiling.
__global__ void bias_residual(const float* in, const float* bias, const float* residual, float* out,
                              int columns, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = fmaxf(in[i] + bias[i % columns] + residual[i], 0.0f);
}

// Copies a tensor of four dimensions with strides of any order into one that is stored in order.
__global__ void copy_strided(const float* in, float* out, int4 sizes, int4 strides, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int rest = i;
  const int x = rest % sizes.x;
  rest /= sizes.x;
  const int y = rest % sizes.y;
  rest /= sizes.y;
  const int z = rest % sizes.z, w = rest / sizes.z;
  out[i] = in[x * strides.x + y * strides.y + z * strides.z + w * strides.w];
}

// Floats become brain floats, rounded to even by integer arithmetic; two for each thread.
__global__ void round_to_bfloat(const float2* in, unsigned* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const unsigned a = __float_as_uint(in[i].x), b = __float_as_uint(in[i].y);
  const unsigned low = (a + 0x7fffu + (a >> 16 & 1u)) >> 16, high = (b + 0x7fffu + (b >> 16 & 1u)) >> 16;
  out[i] = high << 16 | low;
}

// Newton's method for x^3 + a x = b until the step is small; the lanes need different numbers of steps.
__global__ void newton_cubic(const float* a, const float* b, float* roots, int* steps, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float x = 10.0f, change = 1.0f;
  int step = 0;
  while (fabsf(change) > 1e-5f * fabsf(x) + 1e-6f && step < 60) {
    change = (x * x * x + a[i] * x - b[i]) / (3.0f * x * x + a[i]);
    x -= change;
    ++step;
  }
  roots[i] = x;
  steps[i] = step;
}

// Euclid's greatest common divisors of pairs.
__global__ void gcd_pairs(const uint2* pairs, unsigned* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned a = pairs[i].x, b = pairs[i].y;
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  out[i] = a;
}

inline void leaky_relu_row(const char* name, int count) {
  const Filled<float> in(count, [](std::size_t k) { return fraction(k) - 0.5f; }), out(count);
  row(name, [&] { leaky_relu<<<blocks_over(count, 256), 256>>>(in, out, 0.01f, count); });
}

inline void half_rows() {
  constexpr int kHalves = 1 << 25;
  const Filled<__half> x(kHalves, [](std::size_t k) { return 4.0f * fraction(k) - 2.0f; });
  const Filled<__half> y(kHalves, fraction), z(kHalves);
  row("quick_gelu", [&] { quick_gelu<<<1056, 256>>>(x.as<__half2>(), z.as<__half2>(), kHalves / 2); });
  row("half_axpy", [&] {
    half_axpy<<<kHalves / 8 / 128, 128>>>(x.as<uint4>(), y.as<uint4>(), z.as<uint4>(), 0.5f, kHalves / 8);
  });
}

inline void copy_strided_row() {
  constexpr int kBatch = 4, kHeads = 16, kPositions = 1024, kSize = 64;
  constexpr int kCount = kBatch * kHeads * kPositions * kSize;
  const Filled<float> in(kCount, fraction), out(kCount);
  const int4 sizes = make_int4(kSize, kHeads, kPositions, kBatch);
  const int4 strides = make_int4(1, kPositions * kSize, kSize, kHeads * kPositions * kSize);
  row("copy_strided", [&] { copy_strided<<<kCount / 256, 256>>>(in, out, sizes, strides, kCount); });
}

inline void element_rows() {
  leaky_relu_row("leaky_relu 2^17", 1 << 17);
  leaky_relu_row("leaky_relu 2^25", 1 << 25);
  half_rows();
  copy_strided_row();
  {
    constexpr int kCount = 1 << 16;
    const Filled<float> a(kCount, fraction), b(kCount, fraction), out(2 * kCount);
    row("interleave", [&] { interleave<<<kCount / 256, 256>>>(a, b, out, kCount); });
  }
  {
    constexpr int kColumns = 1600, kCount = 6000 * kColumns;
    const Filled<float> in(kCount, fraction), bias(kColumns, fraction), residual(kCount, fraction),
        out(kCount);
    row("bias_residual",
        [&] { bias_residual<<<kCount / 512, 512>>>(in, bias, residual, out, kColumns, kCount); });
  }
  {
    constexpr int kPairs = 1 << 21;
    const auto pair_at = [](std::size_t k) { return make_float2(fraction(2 * k), fraction(2 * k + 1)); };
    const Filled<float2> in(kPairs, pair_at);
    const Filled<unsigned> out(kPairs);
    row("round_to_bfloat", [&] { round_to_bfloat<<<kPairs / 256, 256>>>(in, out, kPairs); });
  }
  {
    constexpr int kCount = 1 << 20;
    const Filled<float> a(kCount, [](std::size_t k) { return 0.01f + 20.0f * fraction(k); }), roots(kCount);
    const Filled<float> b(kCount, [](std::size_t k) { return 100.0f * fraction(k + 17) * fraction(k + 90); });
    const Filled<int> steps(kCount);
    row("newton_cubic", [&] { newton_cubic<<<kCount / 128, 128>>>(a, b, roots, steps, kCount); });
  }
  {
    constexpr int kPairs = 1 << 20;
    const auto pair_at = [](std::size_t k) { return make_uint2(scrambled(2 * k), scrambled(2 * k + 1)); };
    const Filled<uint2> pairs(kPairs, pair_at);
    const Filled<unsigned> out(kPairs);
    row("gcd_pairs", [&] { gcd_pairs<<<kPairs / 256, 256>>>(pairs, out, kPairs); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
