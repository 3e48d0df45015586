// Products of matrices with tiles of several shapes, of floats, doubles, halves and complex numbers.
#pragma once

#include "homework_common.cuh"

#include <cuda_fp16.h>

namespace outside {

// 64 x 64 places of the product for a block of 256 threads, 4 x 4 each; 16 columns of A at a time, stored
// transposed.
__global__ void gemm_64(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[16][64], of_b[16][64];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const float* const from_a = a + blockIdx.y * 64 * n;
  const float* const from_b = b + blockIdx.x * 64;
  float sums[4][4] = {};
  for (int start = 0; start < n; start += 16) {
    for (int i = tid; i < 1024; i += 256) {
      of_a[i % 16][i / 16] = from_a[i / 16 * n + start + i % 16];
      of_b[i / 64][i % 64] = from_b[(start + i / 64) * n + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) x[j] = of_a[k][ty * 4 + j], y[j] = of_b[k][tx * 4 + j];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j) sums[i][j] += x[i] * y[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j)
      c[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = sums[i][j];
  }
}

// 128 x 128 places for a block of 256 threads, 8 x 8 each; all of memory is read and written by fours.
__global__ void __launch_bounds__(256) gemm_128(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) float of_a[8][128];
  __shared__ __align__(16) float of_b[8][128];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int a_line = tid / 2, a_column = tid % 2 * 4, b_line = tid / 32, b_column = tid % 32 * 4;
  const float* from_a = a + (blockIdx.y * 128 + a_line) * n + a_column;
  const float* from_b = b + b_line * n + blockIdx.x * 128 + b_column;
  float sums[8][8] = {};
  for (int start = 0; start < n; start += 8) {
    const float4 four = *reinterpret_cast<const float4*>(from_a + start);
    of_a[a_column][a_line] = four.x;
    of_a[a_column + 1][a_line] = four.y;
    of_a[a_column + 2][a_line] = four.z;
    of_a[a_column + 3][a_line] = four.w;
    *reinterpret_cast<float4*>(&of_b[b_line][b_column]) =
        *reinterpret_cast<const float4*>(from_b + start * n);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const float4 x0 = *reinterpret_cast<const float4*>(&of_a[k][ty * 8]);
      const float4 x1 = *reinterpret_cast<const float4*>(&of_a[k][ty * 8 + 4]);
      const float4 y0 = *reinterpret_cast<const float4*>(&of_b[k][tx * 8]);
      const float4 y1 = *reinterpret_cast<const float4*>(&of_b[k][tx * 8 + 4]);
      const float x[8] = {x0.x, x0.y, x0.z, x0.w, x1.x, x1.y, x1.z, x1.w};
      const float y[8] = {y0.x, y0.y, y0.z, y0.w, y1.x, y1.y, y1.z, y1.w};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += x[i] * y[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    float* const to = c + (blockIdx.y * 128 + ty * 8 + i) * n + blockIdx.x * 128 + tx * 8;
    *reinterpret_cast<float4*>(to) = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
    *reinterpret_cast<float4*>(to + 4) = make_float4(sums[i][4], sums[i][5], sums[i][6], sums[i][7]);
  }
}

// Doubles in tiles of 16 x 16, a thread per place, with alpha and beta.
__global__ void gemm_double_tile(const double* a, const double* b, double* c, int n, double alpha,
                                 double beta) {
  __shared__ double of_a[16][16], of_b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, line = blockIdx.y * 16 + ty;
  double sum = 0;
  for (int start = 0; start < n; start += 16) {
    of_a[ty][tx] = a[line * n + start + tx];
    of_b[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += of_a[ty][k] * of_b[k][tx];
    __syncthreads();
  }
  c[line * n + column] = alpha * sum + beta * a[line * n + column];
}

// Halves in tiles of 32 x 32, added up as floats.
__global__ void gemm_halves(const __half* a, const __half* b, __half* c, int n) {
  __shared__ __half of_a[32][32], of_b[32][32];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx, line = blockIdx.y * 32 + ty;
  float sum = 0;
  for (int start = 0; start < n; start += 32) {
    of_a[ty][tx] = a[line * n + start + tx];
    of_b[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += __half2float(of_a[ty][k]) * __half2float(of_b[k][tx]);
    __syncthreads();
  }
  c[line * n + column] = __float2half(sum);
}

// Matrices of any size: tiles of 16 x 16 that are filled up with zeros at the edges.
__global__ void gemm_guarded(const float* a, const float* b, float* c, int m, int n, int depth) {
  __shared__ float of_a[16][16], of_b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, line = blockIdx.y * 16 + ty;
  float sum = 0;
  for (int t = 0; t < (depth + 15) / 16; ++t) {
    const int a_column = t * 16 + tx, b_line = t * 16 + ty;
    of_a[ty][tx] = line < m && a_column < depth ? a[line * depth + a_column] : 0.0f;
    of_b[ty][tx] = b_line < depth && column < n ? b[b_line * n + column] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += of_a[ty][k] * of_b[k][tx];
    __syncthreads();
  }
  if (line < m && column < n) c[line * n + column] = sum;
}

// A tall matrix times a small one of 64 x 16, which lies in shared memory: a thread per row.
__global__ void multiply_tall(const float4* a, const float* b, float* c, int rows) {
  __shared__ float small[64][16];
  for (int i = threadIdx.x; i < 64 * 16; i += blockDim.x) small[i / 16][i % 16] = b[i];
  __syncthreads();
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line >= rows) return;
  float sums[16] = {};
  for (int k = 0; k < 16; ++k) {
    const float4 v = a[line * 16 + k];
#pragma unroll
    for (int j = 0; j < 16; ++j)
      sums[j] += v.x * small[4 * k][j] + v.y * small[4 * k + 1][j] + v.z * small[4 * k + 2][j] +
                 v.w * small[4 * k + 3][j];
  }
#pragma unroll
  for (int j = 0; j < 16; ++j) c[line * 16 + j] = sums[j];
}

// Products of many 32 x 32 matrices: a block of 32 x 8 threads for each, four rows for each thread.
__global__ void gemm_batched(const float* a, const float* b, float* c) {
  __shared__ float of_a[32][33], of_b[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y, start = blockIdx.x * 1024;
  for (int line = ty; line < 32; line += 8) {
    of_a[line][tx] = a[start + line * 32 + tx];
    of_b[line][tx] = b[start + line * 32 + tx];
  }
  __syncthreads();
  float sums[4] = {};
#pragma unroll 8
  for (int k = 0; k < 32; ++k) {
#pragma unroll
    for (int j = 0; j < 4; ++j) sums[j] += of_a[ty + 8 * j][k] * of_b[k][tx];
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) c[start + (ty + 8 * j) * 32 + tx] = sums[j];
}

// Complex numbers in tiles of 16 x 16.
__global__ void gemm_complex(const float2* a, const float2* b, float2* c, int n) {
  __shared__ float2 of_a[16][16], of_b[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 16 + tx, line = blockIdx.y * 16 + ty;
  float real = 0, imaginary = 0;
  for (int start = 0; start < n; start += 16) {
    of_a[ty][tx] = a[line * n + start + tx];
    of_b[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      const float2 x = of_a[ty][k], y = of_b[k][tx];
      real += x.x * y.x - x.y * y.y;
      imaginary += x.x * y.y + x.y * y.x;
    }
    __syncthreads();
  }
  c[line * n + column] = make_float2(real, imaginary);
}

inline void square_product_rows() {
  const Filled<float> a(1024 * 1024, fraction), c(1024 * 1024);
  const Filled<float> b(1024 * 1024, [](std::size_t k) { return fraction(k + 3); });
  row("gemm_64 256", [&] { gemm_64<<<dim3(4, 4), 256>>>(a, b, c, 256); });
  row("gemm_64 1024", [&] { gemm_64<<<dim3(16, 16), 256>>>(a, b, c, 1024); });
  row("gemm_128 1024", [&] { gemm_128<<<dim3(8, 8), 256>>>(a, b, c, 1024); });
  row("gemm_guarded", [&] { gemm_guarded<<<dim3(19, 63), dim3(16, 16)>>>(a, b, c, 1000, 300, 777); });
  row("gemm_batched", [&] { gemm_batched<<<1024, dim3(32, 8)>>>(a, b, c); });
  row("gemm_complex", [&] {
    gemm_complex<<<dim3(24, 24), dim3(16, 16)>>>(a.as<float2>(), b.as<float2>(), c.as<float2>(), 384);
  });
}

inline void product_rows() {
  square_product_rows();
  {
    const Filled<double> a(512 * 512, fraction), b(512 * 512, fraction), c(512 * 512);
    row("gemm_double_tile",
        [&] { gemm_double_tile<<<dim3(32, 32), dim3(16, 16)>>>(a, b, c, 512, 1.5, 0.5); });
  }
  {
    const Filled<__half> a(512 * 512, fraction), b(512 * 512, fraction), c(512 * 512);
    row("gemm_halves", [&] { gemm_halves<<<dim3(16, 16), dim3(32, 32)>>>(a, b, c, 512); });
  }
  {
    constexpr int kRows = 1 << 18;
    const Filled<float> a(kRows * 64, fraction), b(64 * 16, fraction), c(kRows * 16);
    row("multiply_tall", [&] { multiply_tall<<<kRows / 256, 256>>>(a.as<float4>(), b, c, kRows); });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
