// Filters and measures of images, which are stored line by line.
#pragma once

#include "practice_sums.cuh"

namespace outside {

// Three interleaved bytes of colour become three of brightness and colour differences.
__global__ void rgb_to_yuv(const unsigned char* in, unsigned char* out, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const float r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
  out[3 * i] = static_cast<unsigned char>(0.299f * r + 0.587f * g + 0.114f * b);
  out[3 * i + 1] = static_cast<unsigned char>(128.0f - 0.169f * r - 0.331f * g + 0.499f * b);
  out[3 * i + 2] = static_cast<unsigned char>(128.0f + 0.499f * r - 0.418f * g - 0.081f * b);
}

// The largest byte in the 7 x 7 around each pixel, from a tile in shared memory.
__global__ void dilate(const unsigned char* in, unsigned char* out, int width, int height) {
  __shared__ unsigned char tile[14][38];
  const int left = blockIdx.x * 32 - 3, top = blockIdx.y * 8 - 3;
  for (int k = threadIdx.y * 32 + threadIdx.x; k < 14 * 38; k += 256) {
    const int x = min(max(left + k % 38, 0), width - 1), y = min(max(top + k / 38, 0), height - 1);
    tile[k / 38][k % 38] = in[y * width + x];
  }
  __syncthreads();
  int most = 0;
  for (int dy = 0; dy < 7; ++dy)
    for (int dx = 0; dx < 7; ++dx) most = max(most, int(tile[threadIdx.y + dy][threadIdx.x + dx]));
  out[(top + 3 + threadIdx.y) * width + left + 3 + threadIdx.x] = static_cast<unsigned char>(most);
}

// Running sums along the lines, half of an integral image: a block of 256 threads per line.
__global__ void integrate_lines(const float* in, float* out, int width) {
  __shared__ float of_warp[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float carry = 0;
  for (int start = 0; start < width; start += 256) {
    const int x = start + threadIdx.x;
    float sum = x < width ? in[blockIdx.x * width + x] : 0.0f;
    for (int distance = 1; distance < 32; distance *= 2) {
      const float other = __shfl_up_sync(kAllLanes, sum, distance);
      if (lane >= distance) sum += other;
    }
    if (lane == 31) of_warp[warp] = sum;
    __syncthreads();
    for (int k = 0; k < warp; ++k) sum += of_warp[k];
    if (x < width) out[blockIdx.x * width + x] = carry + sum;
    for (int k = 0; k < 8; ++k) carry += of_warp[k];
    __syncthreads();
  }
}

// Running sums down the columns, the other half: a thread per column.
__global__ void integrate_columns(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (int y = 0; y < height; ++y) {
    sum += in[y * width + x];
    out[y * width + x] = sum;
  }
}

// Resizes with weights of the four nearest pixels.
__global__ void resize(const float* in, float* out, int width, int height, int new_width, int new_height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= new_width || y >= new_height) return;
  const float from_x = fmaxf((x + 0.5f) * width / new_width - 0.5f, 0.0f);
  const float from_y = fmaxf((y + 0.5f) * height / new_height - 0.5f, 0.0f);
  const int x0 = int(from_x), y0 = int(from_y), x1 = min(x0 + 1, width - 1), y1 = min(y0 + 1, height - 1);
  const float a = from_x - x0, b = from_y - y0;
  const float upper = (1 - a) * in[y0 * width + x0] + a * in[y0 * width + x1];
  const float lower = (1 - a) * in[y1 * width + x0] + a * in[y1 * width + x1];
  out[y * new_width + x] = (1 - b) * upper + b * lower;
}

__constant__ unsigned char kBayer[64] = {0,  32, 8,  40, 2,  34, 10, 42, 48, 16, 56, 24, 50, 18, 58, 26,
                                         12, 44, 4,  36, 14, 46, 6,  38, 60, 28, 52, 20, 62, 30, 54, 22,
                                         3,  35, 11, 43, 1,  33, 9,  41, 51, 19, 59, 27, 49, 17, 57, 25,
                                         15, 47, 7,  39, 13, 45, 5,  37, 63, 31, 55, 23, 61, 29, 53, 21};

// Black or white by a threshold from an 8 x 8 pattern in constant memory, where the lanes read eight places.
__global__ void dither(const unsigned char* in, unsigned char* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int threshold = 4 * kBayer[y % 8 * 8 + x % 8] + 2;
  out[y * width + x] = in[y * width + x] > threshold ? 255 : 0;
}

// The mean of a window that slides down each column: a thread per column.
__global__ void blur_columns(const float* in, float* out, int width, int height, int radius) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0;
  for (int y = -radius; y <= radius; ++y) sum += in[max(y, 0) * width + x];
  for (int y = 0; y < height; ++y) {
    out[y * width + x] = sum / (2 * radius + 1);
    sum += in[min(y + radius + 1, height - 1) * width + x] - in[max(y - radius, 0) * width + x];
  }
}

// Motion of a 16 x 16 block of a film: each of 17 x 17 threads compares it with the last picture at one
// offset.
__global__ void match_blocks(const unsigned char* now, const unsigned char* before, unsigned* best, int width,
                             int height) {
  __shared__ unsigned char block[16][16], window[32][32];
  __shared__ unsigned least;
  const int left = blockIdx.x * 16, top = blockIdx.y * 16, thread = threadIdx.y * 17 + threadIdx.x;
  for (int k = thread; k < 256; k += 289) block[k / 16][k % 16] = now[(top + k / 16) * width + left + k % 16];
  for (int k = thread; k < 1024; k += 289) {
    const int x = min(max(left - 8 + k % 32, 0), width - 1), y = min(max(top - 8 + k / 32, 0), height - 1);
    window[k / 32][k % 32] = before[y * width + x];
  }
  if (thread == 0) least = 0xffffffffu;
  __syncthreads();
  int differences = 0;
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 16; ++x)
      differences += abs(int(block[y][x]) - int(window[threadIdx.y + y][threadIdx.x + x]));
  atomicMin(&least, unsigned(differences * 512 + thread));
  __syncthreads();
  if (thread == 0) best[blockIdx.y * gridDim.x + blockIdx.x] = least;
}

__device__ inline unsigned char blended(int a, int b, int alpha) {
  return static_cast<unsigned char>((a * alpha + b * (255 - alpha)) / 255);
}

// Lays one picture over another by its alpha.
__global__ void blend(const uchar4* front, const uchar4* back, uchar4* out, int pixels) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels) return;
  const uchar4 a = front[i], b = back[i];
  out[i] = make_uchar4(blended(a.x, b.x, a.w), blended(a.y, b.y, a.w), blended(a.z, b.z, a.w), 255);
}

// Non-local means: each pixel becomes a mean of the 49 around it, weighted by how alike their 3 x 3 pixels
// are.
__global__ void denoise(const float* in, float* out, int width, int height, float strength) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float* const here = in + y * width + x;
  if (x < 4 || y < 4 || x >= width - 4 || y >= height - 4) {
    out[y * width + x] = *here;
    return;
  }
  float sum = 0, weights = 0;
  for (int dy = -3; dy <= 3; ++dy) {
    for (int dx = -3; dx <= 3; ++dx) {
      const float* const there = here + dy * width + dx;
      float unlike = 0;
      for (int line = -1; line <= 1; ++line) {
        for (int column = -1; column <= 1; ++column) {
          const float difference = here[line * width + column] - there[line * width + column];
          unlike += difference * difference;
        }
      }
      const float weight = __expf(-strength * unlike);
      sum += weight * *there;
      weights += weight;
    }
  }
  out[y * width + x] = sum / weights;
}

inline void rgb_row(const char* name, int pixels) {
  const Filled<unsigned char> in(std::size_t(3) * pixels, scrambled), out(std::size_t(3) * pixels);
  row(name, [&] { rgb_to_yuv<<<blocks_over(pixels, 256), 256>>>(in, out, pixels); });
}

inline void byte_image_rows() {
  rgb_row("rgb_to_yuv 1280x720", 1280 * 720);
  rgb_row("rgb_to_yuv 3840x2160", 3840 * 2160);
  const dim3 threads(32, 8);
  const Filled<unsigned char> in(4096 * 4096, scrambled), out(4096 * 4096);
  row("dilate", [&] { dilate<<<dim3(2048 / 32, 2048 / 8), threads>>>(in, out, 2048, 2048); });
  row("dither", [&] { dither<<<dim3(4096 / 32, 4096 / 8), threads>>>(in, out, 4096); });
  constexpr int kPixels = 1920 * 1080;
  const Filled<uchar4> mixed(kPixels);
  const uchar4* const front = in.as<uchar4>();
  row("blend", [&] { blend<<<blocks_over(kPixels, 256), 256>>>(front, front + kPixels, mixed, kPixels); });
  const unsigned char* const before = in + 1920 * 1088;
  const Filled<unsigned> best(120 * 68);
  row("match_blocks", [&] { match_blocks<<<dim3(120, 68), dim3(17, 17)>>>(in, before, best, 1920, 1088); });
}

inline void float_image_rows() {
  const Filled<float> in(4096 * 1024, fraction), out(4096 * 1024);
  const dim3 threads(32, 8);
  row("integrate_lines", [&] { integrate_lines<<<1080, 256>>>(in, out, 1920); });
  row("integrate_columns", [&] { integrate_columns<<<15, 128>>>(in, out, 1920, 1080); });
  row("resize", [&] { resize<<<dim3(40, 90), threads>>>(in, out, 1920, 1080, 1280, 720); });
  row("blur_columns", [&] { blur_columns<<<4096 / 128, 128>>>(in, out, 4096, 1024, 8); });
  row("denoise", [&] { denoise<<<dim3(2048 / 32, 1024 / 8), threads>>>(in, out, 2048, 1024, 10.0f); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
