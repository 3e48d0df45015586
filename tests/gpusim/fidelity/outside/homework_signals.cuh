// Pictures and signals: filters, edges, lines, colours, transforms.
#pragma once

#include "homework_common.cuh"

namespace outside {

__constant__ float kGauss[25] = {0.0039f, 0.0156f, 0.0234f, 0.0156f, 0.0039f, 0.0156f, 0.0625f,
                                 0.0938f, 0.0625f, 0.0156f, 0.0234f, 0.0938f, 0.1406f, 0.0938f,
                                 0.0234f, 0.0156f, 0.0625f, 0.0938f, 0.0625f, 0.0156f, 0.0039f,
                                 0.0156f, 0.0234f, 0.0156f, 0.0039f};

// Blurs pixels of four bytes with 5 x 5 weights in constant memory; edges are repeated.
__global__ void blur_rgba(const uchar4* in, uchar4* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float r = 0, g = 0, b = 0;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      const uchar4 p = in[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
      const float weight = kGauss[(dy + 2) * 5 + dx + 2];
      r += weight * p.x, g += weight * p.y, b += weight * p.z;
    }
  }
  out[y * width + x] = make_uchar4(static_cast<unsigned char>(r), static_cast<unsigned char>(g),
                                   static_cast<unsigned char>(b), 255);
}

// Canny's second step: keeps a gradient that is the largest along its own direction, one of four.
__global__ void thin_edges(const float* gx, const float* gy, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  float angle = atan2f(gy[i], gx[i]) * 57.29578f;
  if (angle < 0.0f) angle += 180.0f;
  int step = 1;
  if (angle >= 22.5f && angle < 67.5f) step = width + 1;
  else if (angle >= 67.5f && angle < 112.5f) step = width;
  else if (angle >= 112.5f && angle < 157.5f) step = width - 1;
  const float here = hypotf(gx[i], gy[i]);
  const float before = hypotf(gx[i - step], gy[i - step]), after = hypotf(gx[i + step], gy[i + step]);
  out[i] = here >= before && here >= after ? here : 0.0f;
}

// Hough's transform: each edge point votes for 180 lines, by atomics on a table of angles and distances.
__global__ void hough_lines(const short2* points, const float2* turns, unsigned* votes, int count,
                            int distances) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const short2 p = points[i];
  for (int angle = 0; angle < 180; ++angle) {
    const float2 turn = turns[angle];
    const int distance = __float2int_rn(p.x * turn.x + p.y * turn.y) + distances / 2;
    atomicAdd(votes + angle * distances + distance, 1u);
  }
}

// Maps bytes by a table, which the block copies to shared memory: four bytes for each thread in turn.
__global__ void apply_curve(const uchar4* in, const unsigned char* curve, uchar4* out, int quads) {
  __shared__ unsigned char own[256];
  own[threadIdx.x] = curve[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < quads; i += gridDim.x * 256) {
    const uchar4 v = in[i];
    out[i] = make_uchar4(own[v.x], own[v.y], own[v.z], own[v.w]);
  }
}

// Harris's measure of corners: gradients and their 3 x 3 sums from a tile of 20 x 20 for 16 x 16 threads.
__global__ void corner_response(const float* in, float* out, int width, int height) {
  __shared__ float tile[20][20], gx[18][18], gy[18][18];
  const int left = int(blockIdx.x) * 16 - 2, top = int(blockIdx.y) * 16 - 2;
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  for (int k = tid; k < 400; k += 256) {
    const int x = min(max(left + k % 20, 0), width - 1), y = min(max(top + k / 20, 0), height - 1);
    tile[k / 20][k % 20] = in[y * width + x];
  }
  __syncthreads();
  for (int k = tid; k < 324; k += 256) {
    const int x = k % 18, y = k / 18;
    gx[y][x] = 0.5f * (tile[y + 1][x + 2] - tile[y + 1][x]);
    gy[y][x] = 0.5f * (tile[y + 2][x + 1] - tile[y][x + 1]);
  }
  __syncthreads();
  float xx = 0, xy = 0, yy = 0;
#pragma unroll
  for (int dy = 0; dy < 3; ++dy) {
#pragma unroll
    for (int dx = 0; dx < 3; ++dx) {
      const float a = gx[ty + dy][tx + dx], b = gy[ty + dy][tx + dx];
      xx += a * a, xy += a * b, yy += b * b;
    }
  }
  out[(top + 2 + ty) * width + left + 2 + tx] = xx * yy - xy * xy - 0.04f * (xx + yy) * (xx + yy);
}

// The cosine transform of 8 x 8 pixels, rows and then columns: a block of 64 threads for each.
__global__ void cosine_transform(const float* in, float* out, int width) {
  __shared__ float cosines[8][8], pixels[8][8], half[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y, place = (blockIdx.y * 8 + ty) * width + blockIdx.x * 8 + tx;
  cosines[ty][tx] = cosf((2 * tx + 1) * ty * 0.19634954f) * (ty == 0 ? 0.35355339f : 0.5f);
  pixels[ty][tx] = in[place] - 0.5f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k) sum += pixels[ty][k] * cosines[tx][k];
  half[ty][tx] = sum;
  __syncthreads();
  sum = 0;
  for (int k = 0; k < 8; ++k) sum += half[k][tx] * cosines[ty][k];
  out[place] = sum;
}

struct Taps {
  float at[63];
};

// A filter of 63 weights, which are parameters of the kernel, over a tile in shared memory.
__global__ void fir_filter(const float* in, float* out, Taps taps, int count) {
  __shared__ float tile[256 + 62];
  const int first = blockIdx.x * 256, tid = threadIdx.x;
  for (int k = tid; k < 256 + 62; k += 256) {
    const int from = first + k - 62;
    tile[k] = from >= 0 && from < count ? in[from] : 0.0f;
  }
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 63; ++k) sum += taps.at[k] * tile[tid + 62 - k];
  if (first + tid < count) out[first + tid] = sum;
}

// Fourier transforms of 1024 numbers: a block of 256 threads for each, five stages of four in shared memory.
__global__ void fft_1024(const float2* in, float2* out) {
  __shared__ float2 values[1024];
  const int tid = threadIdx.x, first = blockIdx.x * 1024;
  float2 v[4];
#pragma unroll
  for (int r = 0; r < 4; ++r) v[r] = in[first + r * 256 + tid];
  for (int size = 1; size < 1024; size *= 4) {
    const float angle = -6.2831853f * (tid % size) / (4 * size);
#pragma unroll
    for (int r = 1; r < 4; ++r) {
      float sine, cosine;
      __sincosf(r * angle, &sine, &cosine);
      v[r] = make_float2(v[r].x * cosine - v[r].y * sine, v[r].x * sine + v[r].y * cosine);
    }
    const float2 a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y),
                 b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
    const float2 c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y),
                 d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
    const int place = tid / size * size * 4 + tid % size;
    values[place] = make_float2(a.x + c.x, a.y + c.y);
    values[place + size] = make_float2(b.x + d.x, b.y + d.y);
    values[place + 2 * size] = make_float2(a.x - c.x, a.y - c.y);
    values[place + 3 * size] = make_float2(b.x - d.x, b.y - d.y);
    __syncthreads();
#pragma unroll
    for (int r = 0; r < 4; ++r) v[r] = values[r * 256 + tid];
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) out[first + r * 256 + tid] = v[r];
}

// All levels of Haar's wavelets on 1024 numbers: a block of 512 threads, half as many of which work at each
// level.
__global__ void haar_levels(const float* in, float* out) {
  __shared__ float values[1024];
  const int tid = threadIdx.x, first = blockIdx.x * 1024;
  values[tid] = in[first + tid];
  values[tid + 512] = in[first + tid + 512];
  __syncthreads();
  for (int half = 512; half > 0; half /= 2) {
    float mean = 0;
    if (tid < half) {
      const float a = values[2 * tid], b = values[2 * tid + 1];
      mean = (a + b) * 0.70710678f;
      out[first + half + tid] = (a - b) * 0.70710678f;
    }
    __syncthreads();
    if (tid < half) values[tid] = mean;
    __syncthreads();
  }
  if (tid == 0) out[first] = values[0];
}

// A filter with feedback of second order: a thread per channel goes through time.
__global__ void biquad_channels(const float* in, float* out, int channels, int samples) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  float z1 = 0, z2 = 0;
  for (int t = 0; t < samples; ++t) {
    const float x = in[t * channels + c], y = 0.0675f * x + z1;
    z1 = 0.1349f * x + 1.143f * y + z2;
    z2 = 0.0675f * x - 0.4128f * y;
    out[t * channels + c] = y;
  }
}

// How like a signal is to itself some steps later: a block of 128 for each number of steps.
__global__ void correlate_lags(const float* in, float* out, int count) {
  const int lag = blockIdx.x;
  float sum = 0;
  for (int i = threadIdx.x; i < count - lag; i += 128) sum += in[i] * in[i + lag];
  sum = tree_sum<128>(sum);
  if (threadIdx.x == 0) out[lag] = sum / (count - lag);
}

}  // namespace outside
// SPDX-License-Identifier: MIT
