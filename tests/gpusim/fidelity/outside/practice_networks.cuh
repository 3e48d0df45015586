// Layers of networks for images and sequences. Images are stored by image, channel, line and column.
#pragma once

#include "practice_sums.cuh"

namespace outside {

// Mean and variance of each channel over all images: a block per channel.
__global__ void batch_statistics(const float* in, float* means, float* variances, int images, int channels,
                                 int pixels) {
  const int channel = blockIdx.x;
  float sum = 0, squares = 0;
  for (int n = 0; n < images; ++n) {
    const float* const plane = in + (std::size_t(n) * channels + channel) * pixels;
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
      sum += plane[i];
      squares += plane[i] * plane[i];
    }
  }
  const float count = float(images) * pixels;
  const float mean = block_sum(sum) / count;
  const float square = block_sum(squares) / count;
  if (threadIdx.x == 0) {
    means[channel] = mean;
    variances[channel] = square - mean * mean;
  }
}

// A 3 x 3 convolution over all channels, straight from its definition: a thread per output.
__global__ void convolve_channels(const float* in, const float* weights, float* out, int channels,
                                  int filters, int height, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int filter = blockIdx.z % filters, image = blockIdx.z / filters;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int c = 0; c < channels; ++c) {
    for (int dy = 0; dy < 3; ++dy) {
      for (int dx = 0; dx < 3; ++dx) {
        const int from_y = y + dy - 1, from_x = x + dx - 1;
        if (from_y < 0 || from_y >= height || from_x < 0 || from_x >= width) continue;
        sum += in[((image * channels + c) * height + from_y) * width + from_x] *
               weights[((filter * channels + c) * 3 + dy) * 3 + dx];
      }
    }
  }
  out[((image * filters + filter) * height + y) * width + x] = sum;
}

// The largest of each 2 x 2 pixels.
__global__ void max_pool(const float* in, float* out, int width, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int half = width / 2, x = i % half, line = i / half;
  const float* const corner = in + std::size_t(2 * line) * width + 2 * x;
  out[i] = fmaxf(fmaxf(corner[0], corner[1]), fmaxf(corner[width], corner[width + 1]));
}

// The mean of each plane: a warp per plane, whose 49 pixels do not fill the lanes.
__global__ void average_planes(const float* in, float* out, int planes, int pixels) {
  const int plane = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (plane >= planes) return;
  float sum = 0;
  for (int i = lane; i < pixels; i += 32) sum += in[plane * pixels + i];
  sum = warp_sum(sum);
  if (lane == 0) out[plane] = sum / pixels;
}

// Drops a tenth of the numbers, chosen by a hash of their place.
__global__ void dropout(const float* in, float* out, int count, unsigned seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned h = unsigned(i) * 0x9e3779b9u ^ seed;
  h = (h ^ (h >> 16)) * 0x85ebca6bu;
  h = (h ^ (h >> 13)) * 0xc2b2ae35u;
  h ^= h >> 16;
  out[i] = h < 429496730u ? 0.0f : in[i] / 0.9f;
}

__device__ inline float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

// One step of a long short-term memory, after its matrix products: four gates for each unit.
__global__ void lstm_cell(const float* gates, const float* cells, float* new_cells, float* states, int hidden,
                          int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float* const g = gates + i / hidden * 4 * hidden + i % hidden;
  const float cell = sigmoid(g[hidden]) * cells[i] + sigmoid(g[0]) * tanhf(g[2 * hidden]);
  new_cells[i] = cell;
  states[i] = sigmoid(g[3 * hidden]) * tanhf(cell);
}

inline void batch_statistics_row() {
  constexpr int kImages = 16, kChannels = 64, kPixels = 56 * 56;
  const Filled<float> in(kImages * kChannels * kPixels, fraction), means(kChannels), variances(kChannels);
  row("batch_statistics",
      [&] { batch_statistics<<<kChannels, 256>>>(in, means, variances, kImages, kChannels, kPixels); });
}

inline void convolve_channels_row(int channels) {
  constexpr int kImages = 4, kSide = 56;
  const std::size_t count = std::size_t(kImages) * channels * kSide * kSide;
  const Filled<float> in(count, fraction), out(count);
  const Filled<float> weights(std::size_t(channels) * channels * 9, fraction);
  const dim3 blocks(blocks_over(kSide, 32), blocks_over(kSide, 8), kImages * channels), threads(32, 8);
  row("convolve_channels " + std::to_string(channels),
      [&] { convolve_channels<<<blocks, threads>>>(in, weights, out, channels, channels, kSide, kSide); });
}

inline void lstm_row() {
  constexpr int kHidden = 512, kCount = 4096 * kHidden;
  const Filled<float> gates(kCount * 4, fraction), cells(kCount, fraction), new_cells(kCount), states(kCount);
  row("lstm_cell",
      [&] { lstm_cell<<<kCount / 256, 256>>>(gates, cells, new_cells, states, kHidden, kCount); });
}

inline void network_rows() {
  batch_statistics_row();
  convolve_channels_row(32);
  convolve_channels_row(64);
  lstm_row();
  {
    constexpr int kOutputs = 8 * 64 * 56 * 56;
    const Filled<float> in(kOutputs * 4, fraction), out(kOutputs);
    row("max_pool", [&] { max_pool<<<blocks_over(kOutputs, 256), 256>>>(in, out, 112, kOutputs); });
  }
  {
    constexpr int kPlanes = 32 * 2048;
    const Filled<float> in(kPlanes * 49, fraction), out(kPlanes);
    row("average_planes", [&] { average_planes<<<kPlanes / 8, 256>>>(in, out, kPlanes, 49); });
  }
  {
    constexpr int kCount = 1 << 26;
    const Filled<float> in(kCount, fraction), out(kCount);
    row("dropout", [&] { dropout<<<kCount / 256, 256>>>(in, out, kCount, 12345u); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
