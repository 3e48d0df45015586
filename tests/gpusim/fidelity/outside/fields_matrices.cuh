// Linear algebra: many small systems, products, and a transform.
#pragma once

#include "fields_common.cuh"

#include <mma.h>

namespace outside {

// Cholesky factors of 16 by 16 matrices: four matrices a block, a thread for each row, in shared memory.
namespace cholesky16_batch {

const int M = 16, B = 6336;

__global__ void cholesky16_batch(const float* __restrict__ in, float* __restrict__ o) {
  __shared__ float a[4][M][M + 1];
  int g = threadIdx.x / M, r = threadIdx.x % M;
  size_t b = (size_t(blockIdx.x) * 4 + g) * M * M;
  for (int c = 0; c < M; ++c) a[g][c][r] = in[b + c * M + r];
  __syncwarp();
  for (int k = 0; k < M; ++k) {
    float d = sqrtf(a[g][k][k]);
    __syncwarp();
    if (r == k) a[g][k][k] = d;
    if (r > k) a[g][r][k] /= d;
    __syncwarp();
    if (r > k)
      for (int c = k + 1; c <= r; ++c) a[g][r][c] -= a[g][r][k] * a[g][c][k];
    __syncwarp();
  }
  for (int c = 0; c < M; ++c) o[b + c * M + r] = r <= c ? a[g][c][r] : 0.0f;
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(B) * M * M, 80, -0.5f, 0.5f);
  for (int b = 0; b < B; ++b)
    for (int i = 0; i < M; ++i) {
      for (int j = 0; j < i; ++j) h[(size_t(b) * M + i) * M + j] = h[(size_t(b) * M + j) * M + i];
      h[(size_t(b) * M + i) * M + i] += 12;
    }
  const Array<float> in(h);
  const Array<float> out(h.size());
  row("cholesky16_batch", [&] { cholesky16_batch<<<B / 4, 64>>>(in, out); });
}

}  // namespace cholesky16_batch

// Solves triangular systems of 48 doubles, with 96 right sides each, in dynamic shared memory.
namespace trsm_lower48_f64 {

const int M = 48, R = 96, B = 528;

__global__ void __launch_bounds__(R)
    trsm_lower48_f64(const double* __restrict__ l, const double* __restrict__ b, double* __restrict__ x) {
  extern __shared__ double sm[];
  double *sl = sm, *sx = sm + M * M;
  int t = threadIdx.x;
  for (int i = t; i < M * M; i += R) sl[i] = l[size_t(blockIdx.x) * M * M + i];
  __syncthreads();
  for (int i = 0; i < M; ++i) {
    double v = b[(size_t(blockIdx.x) * M + i) * R + t];
    for (int k = 0; k < i; ++k) v -= sl[i * M + k] * sx[k * R + t];
    v /= sl[i * M + i];
    sx[i * R + t] = v;
    x[(size_t(blockIdx.x) * M + i) * R + t] = v;
  }
}

inline void add_row() {
  std::vector<double> hl(size_t(B) * M * M);
  std::vector<double> hb(size_t(B) * M * R);
  Rng r(81);
  for (auto& v : hl) v = 0.1 * r.uni();
  for (int b = 0; b < B; ++b)
    for (int i = 0; i < M; ++i) hl[(size_t(b) * M + i) * M + i] += 2;
  for (auto& v : hb) v = r.uni();
  const Array<double> dl(hl);
  const Array<double> db(hb);
  const Array<double> out(hb.size());
  CALIBRATE_CHECK(cudaFuncSetAttribute(trsm_lower48_f64, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       (M * M + M * R) * 8));
  row("trsm_lower48_f64", [&] { trsm_lower48_f64<<<B, R, (M * M + M * R) * 8>>>(dl, db, out); });
}

}  // namespace trsm_lower48_f64

// Triangular factors of 6 by 6 matrices by Givens' rotations: a thread keeps a matrix in registers.
namespace qr_givens6_thread {

const int M = 6, N = 270336;

__device__ __forceinline__ void reduce(float* a) {
#pragma unroll
  for (int c = 0; c < M - 1; ++c)
#pragma unroll
    for (int r = c + 1; r < M; ++r) {
      float x = a[c * M + c], y = a[r * M + c], q = rsqrtf(x * x + y * y + 1e-20f), co = x * q, si = y * q;
#pragma unroll
      for (int k = c; k < M; ++k) {
        float u = a[c * M + k], v = a[r * M + k];
        a[c * M + k] = co * u + si * v;
        a[r * M + k] = co * v - si * u;
      }
    }
}

__global__ void qr_givens6_thread(const float* __restrict__ in, float* __restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a[M * M];
#pragma unroll
  for (int k = 0; k < M * M; ++k) a[k] = in[k * N + i];
  reduce(a);
#pragma unroll
  for (int r = 0; r < M; ++r)
#pragma unroll
    for (int c = r; c < M; ++c) o[(r * M + c) * N + i] = a[r * M + c];
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(N) * M * M, 82, -1, 1);
  const Array<float> in(h);
  const Array<float> out(h.size());
  row("qr_givens6_thread", [&] { qr_givens6_thread<<<N / 128, 128>>>(in, out); });
}

}  // namespace qr_givens6_thread

// Products of matrices, stored by columns in halves, with vectors: a block a matrix, a thread a row.
namespace gemv_batched_f16 {

const int M = 96, K = 128, B = 2048;

__global__ void gemv_batched_f16(const __half* __restrict__ a, const __half* __restrict__ x,
                                 float* __restrict__ y) {
  __shared__ float sx[K];
  for (int k = threadIdx.x; k < K; k += M) sx[k] = __half2float(x[size_t(blockIdx.x) * K + k]);
  __syncthreads();
  const __half* p = a + size_t(blockIdx.x) * M * K + threadIdx.x;
  float s = 0;
#pragma unroll 8
  for (int k = 0; k < K; ++k) s += __half2float(p[k * M]) * sx[k];
  y[size_t(blockIdx.x) * M + threadIdx.x] = s;
}

inline void add_row() {
  std::vector<__half> ha(size_t(B) * M * K);
  std::vector<__half> hx(size_t(B) * K);
  Rng r(83);
  for (auto& v : ha) v = __float2half(r.uni() - 0.5f);
  for (auto& v : hx) v = __float2half(r.uni() - 0.5f);
  const Array<__half> da(ha);
  const Array<__half> dx(hx);
  const Array<float> out(size_t(B) * M);
  row("gemv_batched_f16", [&] { gemv_batched_f16<<<B, M>>>(da, dx, out); });
}

}  // namespace gemv_batched_f16

// C = A B' of bytes, four at a time: tiles of 32 by 32 in shared memory, four results a thread.
namespace gemm_s8_dp4a {

const int M = 1024, N = 768, K = 768;

__global__ void gemm_s8_dp4a(const int* __restrict__ a, const int* __restrict__ b, int* __restrict__ c) {
  __shared__ int sa[32][17], sb[32][17];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx, acc[4] = {0, 0, 0, 0};
  for (int k0 = 0; k0 < K / 4; k0 += 16) {
#pragma unroll
    for (int i = t; i < 512; i += 256) {
      sa[i / 16][i % 16] = a[(blockIdx.y * 32 + i / 16) * (K / 4) + k0 + i % 16];
      sb[i / 16][i % 16] = b[(blockIdx.x * 32 + i / 16) * (K / 4) + k0 + i % 16];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      int v = sb[tx][k];
#pragma unroll
      for (int j = 0; j < 4; ++j) acc[j] = __dp4a(sa[ty + 8 * j][k], v, acc[j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) c[(blockIdx.y * 32 + ty + 8 * j) * N + blockIdx.x * 32 + tx] = acc[j];
}

inline void add_row() {
  auto u = host_u8(size_t(M) * K, 84), v = host_u8(size_t(N) * K, 85);
  std::vector<signed char> ha(u.begin(), u.end());
  std::vector<signed char> hb(v.begin(), v.end());
  const Array<signed char> da(ha);
  const Array<signed char> db(hb);
  const Array<int> out(size_t(M) * N);
  row("gemm_s8_dp4a",
      [&] { gemm_s8_dp4a<<<dim3(N / 32, M / 32), dim3(32, 8)>>>(as<int>(da), as<int>(db), out); });
}

}  // namespace gemm_s8_dp4a

// A product by tensor cores: each of four warps has one fragment, loaded from global memory.
namespace gemm_wmma_f16 {

const int M = 512, N = 512, K = 512;

__global__ void gemm_wmma_f16(const __half* __restrict__ a, const __half* __restrict__ b,
                              float* __restrict__ c) {
  using namespace nvcuda;
  int w = threadIdx.x / 32, r = (blockIdx.y * 2 + w / 2) * 16, q = (blockIdx.x * 2 + w % 2) * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(fa, a + r * K + k, K);
    wmma::load_matrix_sync(fb, b + q * K + k, K);
    wmma::mma_sync(fc, fa, fb, fc);
  }
  wmma::store_matrix_sync(c + r * N + q, fc, N, wmma::mem_row_major);
}

inline void add_row() {
  std::vector<__half> ha(size_t(M) * K);
  std::vector<__half> hb(size_t(N) * K);
  Rng r(86);
  for (auto& v : ha) v = __float2half(r.uni() - 0.5f);
  for (auto& v : hb) v = __float2half(r.uni() - 0.5f);
  const Array<__half> da(ha);
  const Array<__half> db(hb);
  const Array<float> out(size_t(M) * N);
  row("gemm_wmma_f16", [&] { gemm_wmma_f16<<<dim3(N / 32, M / 32), 128>>>(da, db, out); });
}

}  // namespace gemm_wmma_f16

// A sum of two vectors of doubles, and the square of its length in the same launch.
namespace axpby_norm2_f64 {

const int N = 3 << 20;

__global__ void axpby_norm2_f64(const double2* __restrict__ x, const double2* __restrict__ y,
                                double2* __restrict__ z, double* norm, int n) {
  __shared__ double part[16];
  double s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double2 a = x[i], b = y[i], r;
    r.x = 1.5 * a.x - 0.25 * b.x, r.y = 1.5 * a.y - 0.25 * b.y;
    z[i] = r;
    s += r.x * r.x + r.y * r.y;
  }
  for (int o = 16; o; o /= 2) s += __shfl_down_sync(0xffffffffu, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int i = 1; i < 16; ++i) s += part[i];
    atomicAdd(norm, s);
  }
}

inline void add_row() {
  std::vector<double> hx(N);
  std::vector<double> hy(N);
  Rng r(87);
  for (auto& v : hx) v = r.uni();
  for (auto& v : hy) v = r.uni();
  const Array<double> dx(hx);
  const Array<double> dy(hy);
  const Array<double> dz(N);
  const Array<double> norm(1);
  row("axpby_norm2_f64", [&] {
    axpby_norm2_f64<<<132 * 4, 512>>>(as<double2>(dx), as<double2>(dy), as<double2>(dz), norm, N / 2);
  });
}

}  // namespace axpby_norm2_f64

// Solves tridiagonal systems of 64 doubles, a thread each. Element k of system i is at k * N + i.
namespace thomas_batched_f64 {

const int N = 16896, M = 64;

__global__ void thomas_batched_f64(const double* __restrict__ b, const double* __restrict__ d,
                                   double* __restrict__ cp, double* __restrict__ x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  double c = 0, y = 0;
  for (int k = 0; k < M; ++k) {
    double m = 1.0 / (b[k * N + i] + c);
    c = -m;
    y = (d[k * N + i] + y) * m;
    cp[k * N + i] = c, x[k * N + i] = y;
  }
  for (int k = M - 2; k >= 0; --k) {
    y = x[k * N + i] - cp[k * N + i] * y;
    x[k * N + i] = y;
  }
}

inline void add_row() {
  std::vector<double> hb(size_t(N) * M);
  std::vector<double> hd(size_t(N) * M);
  Rng r(88);
  for (auto& v : hb) v = 2.5 + r.uni();
  for (auto& v : hd) v = r.uni();
  const Array<double> db(hb);
  const Array<double> dd(hd);
  const Array<double> cp(hb.size());
  const Array<double> out(hb.size());
  row("thomas_batched_f64", [&] { thomas_batched_f64<<<N / 64, 64>>>(db, dd, cp, out); });
}

}  // namespace thomas_batched_f64

// Walsh and Hadamard transforms of 2048 floats in dynamic shared memory.
namespace walsh_hadamard2048 {

const int N = 2048, B = 1536;

__global__ void walsh_hadamard2048(const float* __restrict__ in, float* __restrict__ o) {
  extern __shared__ float s[];
  int t = threadIdx.x;
  for (int i = t; i < N; i += 256) s[i] = in[size_t(blockIdx.x) * N + i];
  for (int half = 1; half < N; half *= 2) {
    __syncthreads();
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      int j = t + q * 256, a = ((j & ~(half - 1)) << 1) | (j & (half - 1));
      float u = s[a], v = s[a + half];
      s[a] = u + v, s[a + half] = u - v;
    }
  }
  __syncthreads();
  for (int i = t; i < N; i += 256) o[size_t(blockIdx.x) * N + i] = s[i] * 0.022097087f;
}

inline void add_row() {
  std::vector<float> h = host_f32(size_t(N) * B, 89, -1, 1);
  const Array<float> in(h);
  const Array<float> out(h.size());
  row("walsh_hadamard2048", [&] { walsh_hadamard2048<<<B, 256, N * 4>>>(in, out); });
}

}  // namespace walsh_hadamard2048

inline void field_matrix_rows() {
  cholesky16_batch::add_row();
  trsm_lower48_f64::add_row();
  qr_givens6_thread::add_row();
  gemv_batched_f16::add_row();
  gemm_s8_dp4a::add_row();
  gemm_wmma_f16::add_row();
  axpby_norm2_f64::add_row();
  thomas_batched_f64::add_row();
  walsh_hadamard2048::add_row();
}

}  // namespace outside
// SPDX-License-Identifier: MIT
