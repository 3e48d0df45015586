// Kernels of kinds that public samples have: images and grids.
#pragma once

#include "memory.cuh"

namespace outside {

using u8 = unsigned char;
struct Place {
  int x, y;
};
__device__ inline Place place() {
  return {int(blockIdx.x * blockDim.x + threadIdx.x), int(blockIdx.y * blockDim.y + threadIdx.y)};
}

__global__ void grey_of_four(const uchar4* in, u8* out, int width, int height) {
  const Place at = place();
  if (at.x >= width || at.y >= height) return;
  const uchar4 p = in[at.y * width + at.x];
  out[at.y * width + at.x] = u8(0.299f * p.x + 0.587f * p.y + 0.114f * p.z);
}
__global__ void sobel(const u8* in, u8* out, int width, int height) {
  const Place at = place();
  if (at.x < 1 || at.y < 1 || at.x >= width - 1 || at.y >= height - 1) return;
  const u8* p = in + at.y * width + at.x;
  const int across = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[width - 1];
  const int down = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[1 - width];
  const float length = sqrtf(float(across * across + down * down));
  out[at.y * width + at.x] = u8(fminf(length, 255.0f));
}
constexpr int kReach = 8;
__constant__ float taps[2 * kReach + 1];
__global__ void convolve_rows(const float* in, float* out, int width) {  // 16 x 16 threads, edges are left
  __shared__ float tile[16][16 + 2 * kReach];
  const Place at = place();
  const float* line = in + at.y * width;
  tile[threadIdx.y][threadIdx.x + kReach] = line[at.x];
  if (threadIdx.x < kReach) {
    tile[threadIdx.y][threadIdx.x] = at.x >= kReach ? line[at.x - kReach] : 0.0f;
    tile[threadIdx.y][threadIdx.x + 16 + kReach] = at.x + 16 < width ? line[at.x + 16] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = -kReach; k <= kReach; ++k)
    sum += taps[kReach + k] * tile[threadIdx.y][threadIdx.x + kReach + k];
  out[at.y * width + at.x] = sum;
}
__global__ void convolve_columns(const float* in, float* out, int width, int height) {  // from global memory
  const Place at = place();
  float sum = 0;
  for (int k = -kReach; k <= kReach; ++k) {
    const int y = min(max(at.y + k, 0), height - 1);
    sum += taps[kReach + k] * in[y * width + at.x];
  }
  out[at.y * width + at.x] = sum;
}
__global__ void bilateral(const float* in, float* out, int width, int height, float scale) {
  const Place at = place();
  if (at.x < 3 || at.y < 3 || at.x >= width - 3 || at.y >= height - 3) return;
  const float middle = in[at.y * width + at.x];
  float sum = 0, weight = 0;
  for (int v = -3; v <= 3; ++v)
    for (int u = -3; u <= 3; ++u) {
      const float value = in[(at.y + v) * width + at.x + u], apart = value - middle;
      const float w = __expf(-0.05f * float(u * u + v * v) - apart * apart * scale);
      sum += w * value, weight += w;
    }
  out[at.y * width + at.x] = sum / weight;
}
__global__ void median_of_nine(const u8* in, u8* out, int width, int height) {
  const Place at = place();
  if (at.x < 1 || at.y < 1 || at.x >= width - 1 || at.y >= height - 1) return;
  u8 v[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) v[k] = in[(at.y + k / 3 - 1) * width + at.x + k % 3 - 1];
#pragma unroll
  for (int k = 0; k < 5; ++k)
#pragma unroll
    for (int j = k + 1; j < 9; ++j) {
      const u8 low = min(v[k], v[j]), high = max(v[k], v[j]);
      v[k] = low, v[j] = high;
    }
  out[at.y * width + at.x] = v[4];
}
__global__ void life(const u8* in, u8* out, int width, int height) {  // the edges meet
  const Place at = place();
  const int left = (at.x + width - 1) % width, right = (at.x + 1) % width;
  const int up = (at.y + height - 1) % height, down = (at.y + 1) % height;
  const int around = in[up * width + left] + in[up * width + at.x] + in[up * width + right] +
                     in[at.y * width + left] + in[at.y * width + right] + in[down * width + left] +
                     in[down * width + at.x] + in[down * width + right];
  out[at.y * width + at.x] = around == 3 || (around == 2 && in[at.y * width + at.x]);
}
__global__ void julia(uchar4* out, int width, int height) {
  const Place at = place();
  float u = 3.0f * at.x / width - 1.5f, v = 3.0f * at.y / height - 1.5f;
  int k = 0;
  for (; k < 200 && u * u + v * v < 4.0f; ++k) {
    const float next = u * u - v * v - 0.8f;
    v = 2.0f * u * v + 0.156f;
    u = next;
  }
  out[at.y * width + at.x] = make_uchar4(u8(k), u8(3 * k), u8(7 * k), 255);
}
__global__ void rotate(const float* in, float* out, int side, float sine, float cosine) {  // bilinear
  const Place at = place();
  const float x = cosine * (at.x - side / 2) - sine * (at.y - side / 2) + side / 2;
  const float y = sine * (at.x - side / 2) + cosine * (at.y - side / 2) + side / 2;
  float value = 0;
  if (x >= 0 && y >= 0 && x < side - 1 && y < side - 1) {
    const int i = int(y) * side + int(x);
    const float u = x - floorf(x), v = y - floorf(y);
    value = (1 - v) * ((1 - u) * in[i] + u * in[i + 1]) + v * ((1 - u) * in[i + side] + u * in[i + side + 1]);
  }
  out[at.y * side + at.x] = value;
}
__global__ void stencil_27(const float* in, float* out, int side) {  // a point of a volume each
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y),
            z = int(blockIdx.z);
  if (x < 1 || y < 1 || z < 1 || x >= side - 1 || y >= side - 1 || z >= side - 1) return;
  float sum = 0;
  for (int c = -1; c <= 1; ++c)
    for (int b = -1; b <= 1; ++b)
      for (int a = -1; a <= 1; ++a) sum += in[((z + c) * side + y + b) * side + x + a];
  out[(z * side + y) * side + x] = sum / 27.0f;
}
__global__ void heat_shared(const float* in, float* out, int width,
                            int height) {  // 32 x 8 threads with their rim
  __shared__ float tile[10][34];
  const Place at = place();
  const auto value = [&](int x, int y) {
    return in[min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)];
  };
  const int tx = int(threadIdx.x) + 1, ty = int(threadIdx.y) + 1;
  tile[ty][tx] = value(at.x, at.y);
  if (tx == 1) tile[ty][0] = value(at.x - 1, at.y);
  if (tx == 32) tile[ty][33] = value(at.x + 1, at.y);
  if (ty == 1) tile[0][tx] = value(at.x, at.y - 1);
  if (ty == 8) tile[9][tx] = value(at.x, at.y + 1);
  __syncthreads();
  const float here = tile[ty][tx];
  out[at.y * width + at.x] =
      here + 0.2f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx] - 4 * here);
}

inline void image_rows() {
  constexpr int side = 4096;
  const Array<float> a(side * side), b(side * side);
  const Array<u8> cells(std::size_t(side) * side, 2), pixels(std::size_t(side) * side, 256), out(side * side);
  const dim3 threads(32, 8), blocks(side / 32, side / 8);
  row("grey_of_four",
      [&] { grey_of_four<<<blocks, threads>>>(reinterpret_cast<uchar4*>((float*)a), out, side, side); });
  row("sobel", [&] { sobel<<<blocks, threads>>>(pixels, out, side, side); });
  row("convolve_rows", [&] { convolve_rows<<<dim3(256, 256), dim3(16, 16)>>>(a, b, side); });
  row("convolve_columns", [&] { convolve_columns<<<blocks, threads>>>(a, b, side, side); });
  row("bilateral", [&] { bilateral<<<dim3(64, 256), threads>>>(a, b, 2048, 2048, 0.1f); });
  row("median_of_nine", [&] { median_of_nine<<<blocks, threads>>>(pixels, out, side, side); });
  row("life", [&] { life<<<blocks, threads>>>(cells, out, side, side); });
  row("julia",
      [&] { julia<<<dim3(64, 128), dim3(16, 16)>>>(reinterpret_cast<uchar4*>((float*)b), 1024, 2048); });
  row("rotate", [&] { rotate<<<blocks, threads>>>(a, b, side, 0.5f, 0.8660254f); });
  row("stencil_27", [&] { stencil_27<<<dim3(8, 32, 256), threads>>>(a, b, 256); });
  row("heat_shared", [&] { heat_shared<<<blocks, threads>>>(a, b, side, side); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
