// Norms, soft maxima, losses and likenesses along rows or columns.
#pragma once

#include "homework_common.cuh"

#include <cuda_fp16.h>

namespace outside {

// Layer norm of rows of halves: a warp per row, which merges the lanes' means and variances as Welford does.
__global__ void layer_norm_welford(const __half* in, const float* scale, const float* shift, __half* out,
                                   int rows, int columns) {
  const int line = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x, pairs = columns / 2;
  if (line >= rows) return;
  const __half2* const x = reinterpret_cast<const __half2*>(in + std::size_t(line) * columns);
  __half2* const y = reinterpret_cast<__half2*>(out + std::size_t(line) * columns);
  float count = 0, mean = 0, squares = 0;
  for (int c = lane; c < pairs; c += 32) {
    const float2 v = __half22float2(x[c]);
    count += 1.0f;
    float change = v.x - mean;
    mean += change / count;
    squares += change * (v.x - mean);
    count += 1.0f;
    change = v.y - mean;
    mean += change / count;
    squares += change * (v.y - mean);
  }
  for (int offset = 16; offset > 0; offset >>= 1) {
    const float other_count = __shfl_xor_sync(kFullWarp, count, offset);
    const float other_mean = __shfl_xor_sync(kFullWarp, mean, offset);
    const float other_squares = __shfl_xor_sync(kFullWarp, squares, offset);
    const float total = count + other_count, change = other_mean - mean;
    mean = (count * mean + other_count * other_mean) / total;
    squares += other_squares + change * change * count * other_count / total;
    count = total;
  }
  const float inverse = rsqrtf(squares / columns + 1e-5f);
  for (int c = lane; c < pairs; c += 32) {
    const float2 v = __half22float2(x[c]);
    const float a = (v.x - mean) * inverse * scale[2 * c] + shift[2 * c];
    const float b = (v.y - mean) * inverse * scale[2 * c + 1] + shift[2 * c + 1];
    y[c] = __floats2half2_rn(a, b);
  }
}

// Softmax of rows as long as a vocabulary: a block of 1024 per row, whose threads keep a maximum and a sum
// that belongs to it, and merge both in a tree.
__global__ void softmax_vocabulary(const float* in, float* out, int columns) {
  __shared__ float maxima[1024], sums[1024];
  const float* const x = in + std::size_t(blockIdx.x) * columns;
  float* const y = out + std::size_t(blockIdx.x) * columns;
  const int tid = threadIdx.x;
  float most = -1e30f, sum = 0;
  for (int c = tid; c < columns; c += 1024) {
    const float value = x[c], larger = fmaxf(most, value);
    sum = sum * __expf(most - larger) + __expf(value - larger);
    most = larger;
  }
  maxima[tid] = most;
  sums[tid] = sum;
  __syncthreads();
  for (int half = 512; half > 0; half >>= 1) {
    if (tid < half) {
      const float a = maxima[tid], b = maxima[tid + half], larger = fmaxf(a, b);
      sums[tid] = sums[tid] * __expf(a - larger) + sums[tid + half] * __expf(b - larger);
      maxima[tid] = larger;
    }
    __syncthreads();
  }
  most = maxima[0];
  const float inverse = 1.0f / sums[0];
  for (int c = tid; c < columns; c += 1024) y[c] = __expf(x[c] - most) * inverse;
}

// Softmax over the channels of pictures: a thread per pixel goes three times through its channels.
__global__ void softmax_channels(const float* in, float* out, int channels, int pixels) {
  const int pixel = blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= pixels) return;
  const std::size_t start = std::size_t(blockIdx.y) * channels * pixels + pixel;
  float most = in[start], sum = 0;
  for (int c = 1; c < channels; ++c) most = fmaxf(most, in[start + std::size_t(c) * pixels]);
  for (int c = 0; c < channels; ++c) sum += expf(in[start + std::size_t(c) * pixels] - most);
  for (int c = 0; c < channels; ++c)
    out[start + std::size_t(c) * pixels] = expf(in[start + std::size_t(c) * pixels] - most) / sum;
}

// Group norm: a block of 512 per picture and group of channels, the mean first and then the variance.
__global__ void group_norm(const float* in, const float* scale, const float* shift, float* out, int groups,
                           int channels_of_group, int pixels) {
  const int count = channels_of_group * pixels, first_channel = blockIdx.x % groups * channels_of_group;
  const float* const x = in + std::size_t(blockIdx.x) * count;
  float* const y = out + std::size_t(blockIdx.x) * count;
  float sum = 0, squares = 0;
  for (int i = threadIdx.x; i < count; i += 512) sum += x[i];
  const float mean = tree_sum<512>(sum) / count;
  for (int i = threadIdx.x; i < count; i += 512) squares += (x[i] - mean) * (x[i] - mean);
  const float inverse = rsqrtf(tree_sum<512>(squares) / count + 1e-5f);
  for (int i = threadIdx.x; i < count; i += 512) {
    const int channel = first_channel + i / pixels;
    y[i] = (x[i] - mean) * inverse * scale[channel] + shift[channel];
  }
}

// Kullback and Leibler's divergence of each row of probabilities: a block of 128 per row.
__global__ void kl_divergence(const float* p, const float* q, float* out, int columns) {
  const std::size_t start = std::size_t(blockIdx.x) * columns;
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += 128) {
    const float here = p[start + c];
    if (here > 0) sum += here * (logf(here) - logf(q[start + c] + 1e-10f));
  }
  sum = tree_sum<128>(sum);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// The eight largest numbers of each row, sorted in registers: a thread per row, so that lanes read far apart.
__global__ void top_eight(const float* in, float* out, int rows, int columns) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= rows) return;
  float best[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) best[k] = -1e30f;
  for (int c = 0; c < columns; ++c) {
    const float value = in[std::size_t(line) * columns + c];
    if (value <= best[7]) continue;
    best[7] = value;
#pragma unroll
    for (int k = 7; k > 0; --k) {
      const float a = best[k - 1], b = best[k];
      best[k - 1] = fmaxf(a, b);
      best[k] = fminf(a, b);
    }
  }
#pragma unroll
  for (int k = 0; k < 8; ++k) out[line * 8 + k] = best[k];
}

// The cosines between rows of two matrices: a warp per pair of rows, which reads four floats for each lane.
__global__ void cosine_rows(const float4* a, const float4* b, float* out, int rows, int quads) {
  const int line = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (line >= rows) return;
  float both = 0, of_a = 0, of_b = 0;
  for (int c = lane; c < quads; c += 32) {
    const float4 u = a[std::size_t(line) * quads + c], v = b[std::size_t(line) * quads + c];
    both += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    of_a += u.x * u.x + u.y * u.y + u.z * u.z + u.w * u.w;
    of_b += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
  both = add_down(both);
  of_a = add_down(of_a);
  of_b = add_down(of_b);
  if (lane == 0) out[line] = both / fmaxf(sqrtf(of_a) * sqrtf(of_b), 1e-8f);
}

inline void layer_norm_welford_row(int rows, int columns) {
  const std::size_t count = std::size_t(rows) * columns;
  const Filled<__half> in(count, fraction), out(count);
  const Filled<float> scale(columns, fraction), shift(columns, fraction);
  const dim3 threads(32, 4);
  row("layer_norm_welford " + std::to_string(rows) + "x" + std::to_string(columns),
      [&] { layer_norm_welford<<<blocks_over(rows, 4), threads>>>(in, scale, shift, out, rows, columns); });
}

inline void softmax_vocabulary_row() {
  constexpr int kRows = 256, kColumns = 50257;
  const Filled<float> in(kRows * kColumns, [](std::size_t k) { return 20.0f * fraction(k) - 10.0f; });
  const Filled<float> out(kRows * kColumns);
  row("softmax_vocabulary", [&] { softmax_vocabulary<<<kRows, 1024>>>(in, out, kColumns); });
}

inline void group_norm_row() {
  constexpr int kImages = 16, kGroups = 32, kChannels = 320, kPixels = 64 * 64;
  constexpr int kCount = kImages * kChannels * kPixels;
  const Filled<float> in(kCount, fraction), out(kCount), scale(kChannels, fraction),
      shift(kChannels, fraction);
  row("group_norm", [&] {
    group_norm<<<kImages * kGroups, 512>>>(in, scale, shift, out, kGroups, kChannels / kGroups, kPixels);
  });
}

inline void norm_rows() {
  layer_norm_welford_row(512, 768);
  layer_norm_welford_row(8192, 1024);
  softmax_vocabulary_row();
  group_norm_row();
  {
    constexpr int kImages = 32, kChannels = 64, kPixels = 4096, kCount = kImages * kChannels * kPixels;
    const Filled<float> in(kCount, fraction), out(kCount);
    row("softmax_channels",
        [&] { softmax_channels<<<dim3(kPixels / 128, kImages), 128>>>(in, out, kChannels, kPixels); });
  }
  {
    constexpr int kRows = 4096, kColumns = 1000;
    const Filled<float> p(kRows * kColumns, fraction), out(kRows);
    const Filled<float> q(kRows * kColumns, [](std::size_t k) { return fraction(k + 5); });
    row("kl_divergence", [&] { kl_divergence<<<kRows, 128>>>(p, q, out, kColumns); });
  }
  {
    constexpr int kRows = 32768, kColumns = 100;
    const Filled<float> in(kRows * kColumns, fraction), out(kRows * 8);
    row("top_eight", [&] { top_eight<<<kRows / 128, 128>>>(in, out, kRows, kColumns); });
  }
  {
    constexpr int kRows = 32768, kColumns = 384;
    const Filled<float> a(kRows * kColumns, fraction), out(kRows);
    const Filled<float> b(kRows * kColumns, [](std::size_t k) { return fraction(k + 11); });
    row("cosine_rows",
        [&] { cosine_rows<<<kRows / 4, 128>>>(a.as<float4>(), b.as<float4>(), out, kRows, kColumns / 4); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
