// Images: sizes, filters, sums over rectangles, colours and distances.
#pragma once

#include "fields_common.cuh"

#include <cstring>

namespace outside {

// Enlarges an image of four bytes a pixel: each new pixel is a weighted mean of four old ones.
namespace resize_bilinear_rgba {

const int SW = 2560, SH = 1440, DW = 3840, DH = 2160;

__device__ __forceinline__ uchar4 pixel(const uchar4* s, int x, int y) {
  float fx = (x + 0.5f) * (float(SW) / DW) - 0.5f, fy = (y + 0.5f) * (float(SH) / DH) - 0.5f;
  float flx = floorf(fx), fly = floorf(fy);
  float ax = fx - flx, ay = fy - fly;
  int x0 = clampi(int(flx), 0, SW - 1), x1 = clampi(int(flx) + 1, 0, SW - 1);
  int y0 = clampi(int(fly), 0, SH - 1), y1 = clampi(int(fly) + 1, 0, SH - 1);
  uchar4 a = s[y0 * SW + x0], b = s[y0 * SW + x1], c = s[y1 * SW + x0], d = s[y1 * SW + x1];
  float w00 = (1 - ax) * (1 - ay), w10 = ax * (1 - ay), w01 = (1 - ax) * ay, w11 = ax * ay;
  uchar4 o;
  o.x = (unsigned char)(a.x * w00 + b.x * w10 + c.x * w01 + d.x * w11 + 0.5f);
  o.y = (unsigned char)(a.y * w00 + b.y * w10 + c.y * w01 + d.y * w11 + 0.5f);
  o.z = (unsigned char)(a.z * w00 + b.z * w10 + c.z * w01 + d.z * w11 + 0.5f);
  o.w = (unsigned char)(a.w * w00 + b.w * w10 + c.w * w01 + d.w * w11 + 0.5f);
  return o;
}

__global__ void resize_bilinear_rgba(const uchar4* __restrict__ s, uchar4* __restrict__ d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < DW && y < DH) d[y * DW + x] = pixel(s, x, y);
}

inline void add_row() {
  auto b = host_u8(size_t(SW) * SH * 4, 1);
  std::vector<uchar4> h(size_t(SW) * SH);
  memcpy(h.data(), b.data(), b.size());
  const Array<uchar4> in(h);
  const Array<uchar4> out(size_t(DW) * DH);
  row("resize_bilinear_rgba",
      [&] { resize_bilinear_rgba<<<dim3((DW + 15) / 16, (DH + 15) / 16), dim3(16, 16)>>>(in, out); });
}

}  // namespace resize_bilinear_rgba

// Enlarges an image of floats: each new pixel is a weighted sum of sixteen old ones.
namespace resize_bicubic_f32 {

const int SW = 640, SH = 480, DW = 2560, DH = 1440;

__device__ __forceinline__ void weights(float t, float* w) {
  const float a = -0.5f;
  float u = 1 + t, v = 1 - t, z = 2 - t;
  w[0] = ((a * u - 5 * a) * u + 8 * a) * u - 4 * a;
  w[1] = ((a + 2) * t - (a + 3)) * t * t + 1;
  w[2] = ((a + 2) * v - (a + 3)) * v * v + 1;
  w[3] = ((a * z - 5 * a) * z + 8 * a) * z - 4 * a;
}

__device__ __forceinline__ float pixel(const float* s, int x, int y) {
  float fx = x * (float(SW) / DW), fy = y * (float(SH) / DH);
  int ix = int(fx), iy = int(fy);
  float wx[4], wy[4];
  weights(fx - ix, wx);
  weights(fy - iy, wy);
  float sum = 0;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    const float* row = s + clampi(iy + j - 1, 0, SH - 1) * SW;
    float r = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) r += wx[i] * row[clampi(ix + i - 1, 0, SW - 1)];
    sum += wy[j] * r;
  }
  return sum;
}

__global__ void resize_bicubic_f32(const float* __restrict__ s, float* __restrict__ d) {
  int x = blockIdx.x * 64 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  d[y * DW + x] = pixel(s, x, y);
}

inline void add_row() {
  const Array<float> in(host_f32(size_t(SW) * SH, 2, 0, 1));
  const Array<float> out(size_t(DW) * DH);
  row("resize_bicubic_f32", [&] { resize_bicubic_f32<<<dim3(DW / 64, DH / 4), dim3(64, 4)>>>(in, out); });
}

}  // namespace resize_bicubic_f32

// The largest of 7 by 7 pixels: a tile in shared memory, first along the rows, then along the columns.
namespace dilate7_u8_shared {

const int W = 4096, H = 2048, R = 3;

__global__ void dilate7_u8_shared(const uint8_t* __restrict__ s, uint8_t* __restrict__ d) {
  __shared__ uint8_t tile[16 + 2 * R][32 + 2 * R + 2];
  __shared__ uint8_t rowmax[16 + 2 * R][32];
  int bx = blockIdx.x * 32, by = blockIdx.y * 16, t = threadIdx.y * 32 + threadIdx.x;
  for (int k = t; k < (16 + 2 * R) * (32 + 2 * R); k += 512) {
    int ty = k / (32 + 2 * R), tx = k % (32 + 2 * R);
    tile[ty][tx] = s[clampi(by + ty - R, 0, H - 1) * W + clampi(bx + tx - R, 0, W - 1)];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 16 + 2 * R; r += 16) {
    int m = 0;
    for (int i = 0; i <= 2 * R; ++i) m = max(m, int(tile[r][threadIdx.x + i]));
    rowmax[r][threadIdx.x] = uint8_t(m);
  }
  __syncthreads();
  int m = 0;
  for (int i = 0; i <= 2 * R; ++i) m = max(m, int(rowmax[threadIdx.y + i][threadIdx.x]));
  d[(by + threadIdx.y) * W + bx + threadIdx.x] = uint8_t(m);
}

inline void add_row() {
  std::vector<uint8_t> h = host_u8(size_t(W) * H, 3);
  for (auto& v : h) v = uint8_t(v * v / 255);
  const Array<uint8_t> in(h);
  const Array<uint8_t> out(size_t(W) * H);
  row("dilate7_u8_shared", [&] { dilate7_u8_shared<<<dim3(W / 32, H / 16), dim3(32, 16)>>>(in, out); });
}

}  // namespace dilate7_u8_shared

// Sums of a row of pixels up to each of them: a block of 256 threads takes a row, a thread eight pixels.
namespace integral_rows {

const int W = 2048, H = 2048;

__global__ void integral_rows(const uint8_t* __restrict__ s, uint32_t* __restrict__ d) {
  __shared__ uint32_t part[8];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  uint2 v = reinterpret_cast<const uint2*>(s + size_t(blockIdx.x) * W)[t];
  uint32_t p[8], sum = 0;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    sum += ((i < 4 ? v.x : v.y) >> (8 * (i & 3))) & 255;
    p[i] = sum;
  }
  uint32_t inc = sum;
#pragma unroll
  for (int o = 1; o < 32; o *= 2) {
    uint32_t u = __shfl_up_sync(0xffffffffu, inc, o);
    if (lane >= o) inc += u;
  }
  if (lane == 31) part[w] = inc;
  __syncthreads();
  uint32_t base = inc - sum;
  for (int i = 0; i < w; ++i) base += part[i];
  uint4* o4 = reinterpret_cast<uint4*>(d + size_t(blockIdx.x) * W) + 2 * t;
  o4[0] = make_uint4(base + p[0], base + p[1], base + p[2], base + p[3]);
  o4[1] = make_uint4(base + p[4], base + p[5], base + p[6], base + p[7]);
}

inline void add_row() {
  const Array<uint8_t> in(host_u8(size_t(W) * H, 4));
  const Array<uint32_t> out(size_t(W) * H);
  row("integral_rows", [&] { integral_rows<<<H, 256>>>(in, out); });
}

}  // namespace integral_rows

// Sums of a column up to each of its numbers: a thread takes a column.
namespace integral_cols {

const int W = 4096, H = 1536;

__global__ void integral_cols(const uint32_t* __restrict__ s, uint32_t* __restrict__ d) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t acc = 0;
#pragma unroll 4
  for (int y = 0; y < H; ++y) {
    acc += s[y * W + x];
    d[y * W + x] = acc;
  }
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(size_t(W) * H, 5));
  const Array<uint32_t> out(size_t(W) * H);
  row("integral_cols", [&] { integral_cols<<<W / 64, 64>>>(in, out); });
}

}  // namespace integral_cols

// Replaces three bytes of each pixel by those of tables in shared memory.
namespace equalize_lut_rgba {

const int N = 12 << 20;

__global__ void equalize_lut_rgba(const uint32_t* __restrict__ s, uint32_t* __restrict__ d,
                                  const uint8_t* __restrict__ lut, int n) {
  __shared__ uint8_t l[768];
  for (int i = threadIdx.x; i < 768; i += blockDim.x) l[i] = lut[i];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    uint32_t p = s[i];
    d[i] = l[p & 255] | l[256 + ((p >> 8) & 255)] << 8 | l[512 + ((p >> 16) & 255)] << 16 | (p & 0xff000000u);
  }
}

inline void add_row() {
  const Array<uint32_t> in(host_u32(N, 6));
  const Array<uint8_t> dl(host_u8(768, 7));
  const Array<uint32_t> out(N);
  row("equalize_lut_rgba", [&] { equalize_lut_rgba<<<132 * 4, 512>>>(in, out, dl, N); });
}

}  // namespace equalize_lut_rgba

// Turns an image by 30 degrees, with a weighted mean of four pixels.
namespace warp_affine_rot {

const int W = 4096, H = 2048;

__device__ __forceinline__ float pixel(const float* s, int x, int y) {
  float fx = 0.8660254f * (x - W / 2) - 0.5f * (y - H / 2) + W / 2 + 0.3f;
  float fy = 0.5f * (x - W / 2) + 0.8660254f * (y - H / 2) + H / 2 + 0.3f;
  if (fx < 0 || fy < 0 || fx >= W - 1 || fy >= H - 1) return 0.0f;
  int ix = int(fx), iy = int(fy);
  float ax = fx - ix, ay = fy - iy;
  const float* p = s + iy * W + ix;
  float top = p[0] + ax * (p[1] - p[0]), bot = p[W] + ax * (p[W + 1] - p[W]);
  return top + ay * (bot - top);
}

__global__ void warp_affine_rot(const float* __restrict__ s, float* __restrict__ d) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  d[y * W + x] = pixel(s, x, y);
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(W) * H, 8, 0, 1);
  for (int y = 0; y < H; ++y)
    for (int x = 0; x < W; ++x) h[size_t(y) * W + x] = x * 0.001f + y * 0.002f + 0.01f * h[size_t(y) * W + x];
  const Array<float> in(h);
  const Array<float> out(size_t(W) * H);
  row("warp_affine_rot", [&] { warp_affine_rot<<<dim3(W / 32, H / 8), dim3(32, 8)>>>(in, out); });
}

}  // namespace warp_affine_rot

// Splits colours into brightness and, for each 2 by 2 pixels, two numbers of colour.
namespace rgb_to_yuv420 {

const int W = 3840, H = 2160;

__device__ __forceinline__ int luma(int r, int g, int b) { return (66 * r + 129 * g + 25 * b + 4224) >> 8; }

__global__ void rgb_to_yuv420(const uint8_t* __restrict__ s, uint8_t* __restrict__ yp,
                              uint8_t* __restrict__ up, uint8_t* __restrict__ vp) {
  int cx = blockIdx.x * blockDim.x + threadIdx.x, cy = blockIdx.y;
  if (cx >= W / 2) return;
  int r = 0, g = 0, b = 0;
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    uchar2 yy;
    const uchar2* p = reinterpret_cast<const uchar2*>(s + (size_t(2 * cy + j) * W + 2 * cx) * 3);
    uchar2 a = p[0], c = p[1], e = p[2];
    yy.x = (unsigned char)luma(a.x, a.y, c.x);
    yy.y = (unsigned char)luma(c.y, e.x, e.y);
    r += a.x + c.y, g += a.y + e.x, b += c.x + e.y;
    reinterpret_cast<uchar2*>(yp + size_t(2 * cy + j) * W)[cx] = yy;
  }
  up[size_t(cy) * (W / 2) + cx] = uint8_t((-38 * r - 74 * g + 112 * b + 131584) >> 10);
  vp[size_t(cy) * (W / 2) + cx] = uint8_t((112 * r - 94 * g - 18 * b + 131584) >> 10);
}

inline void add_row() {
  const Array<uint8_t> in(host_u8(size_t(W) * H * 3, 9));
  const Array<uint8_t> yp(size_t(W) * H);
  const Array<uint8_t> up(size_t(W) * H / 4);
  const Array<uint8_t> vp(size_t(W) * H / 4);
  row("rgb_to_yuv420", [&] { rgb_to_yuv420<<<dim3((W / 2 + 127) / 128, H / 2), 128>>>(in, yp, up, vp); });
}

}  // namespace rgb_to_yuv420

// A step of jump flooding: the nearest of the seeds that nine pixels, 64 apart, know.
namespace jump_flood_step {

const int W = 2048, H = 2048, STEP = 64;

__device__ __forceinline__ int best(const int* s, int x, int y) {
  int b = -1, bd = 0x7fffffff;
  for (int j = -1; j <= 1; ++j)
    for (int i = -1; i <= 1; ++i) {
      int xx = x + i * STEP, yy = y + j * STEP;
      if (xx < 0 || yy < 0 || xx >= W || yy >= H) continue;
      int q = s[yy * W + xx];
      if (q < 0) continue;
      int dx = (q & 0xffff) - x, dy = (q >> 16) - y, d = dx * dx + dy * dy;
      if (d < bd) bd = d, b = q;
    }
  return b;
}

__global__ void jump_flood_step(const int* __restrict__ s, int* __restrict__ d) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  d[y * W + x] = best(s, x, y);
}

inline void add_row() {
  std::vector<int> h(size_t(W) * H, -1);
  Rng r(10);
  for (auto& v : h)
    if (r.below(4) == 0) v = int(r.below(W) | r.below(H) << 16);
  const Array<int> in(h);
  const Array<int> out(size_t(W) * H);
  row("jump_flood_step", [&] { jump_flood_step<<<dim3(W / 16, H / 16), dim3(16, 16)>>>(in, out); });
}

}  // namespace jump_flood_step

// Keeps an edge's pixel only where it is stronger than its two neighbours across the edge.
namespace canny_nms {

const int W = 4096, H = 2048;

__device__ __forceinline__ float mag(const float* gx, const float* gy, int i) {
  return sqrtf(gx[i] * gx[i] + gy[i] * gy[i]);
}

__device__ __forceinline__ float edge(const float* gx, const float* gy, int x, int y) {
  int i = y * W + x;
  float m = mag(gx, gy, i), ax = fabsf(gx[i]), ay = fabsf(gy[i]);
  int o;
  if (ay < 0.41421356f * ax) o = 1;
  else if (ax < 0.41421356f * ay) o = W;
  else if (gx[i] * gy[i] > 0) o = W + 1;
  else o = W - 1;
  return m > mag(gx, gy, i + o) && m > mag(gx, gy, i - o) ? m : 0.0f;
}

__global__ void canny_nms(const float* __restrict__ gx, const float* __restrict__ gy, float* __restrict__ d) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 4 + threadIdx.y;
  float v = 0;
  if (x > 0 && y > 0 && x < W - 1 && y < H - 1) v = edge(gx, gy, x, y);
  d[y * W + x] = v;
}

inline void add_row() {
  const Array<float> gx(host_f32(size_t(W) * H, 11, -1, 1));
  const Array<float> gy(host_f32(size_t(W) * H, 12, -1, 1));
  const Array<float> out(size_t(W) * H);
  row("canny_nms", [&] { canny_nms<<<dim3(W / 32, H / 4), dim3(32, 4)>>>(gx, gy, out); });
}

}  // namespace canny_nms

inline void field_image_rows() {
  resize_bilinear_rgba::add_row();
  resize_bicubic_f32::add_row();
  dilate7_u8_shared::add_row();
  integral_rows::add_row();
  integral_cols::add_row();
  equalize_lut_rgba::add_row();
  warp_affine_rot::add_row();
  rgb_to_yuv420::add_row();
  jump_flood_step::add_row();
  canny_nms::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
