// Small systems of equations, eigenvalues, transposes, kernels of PolyBench, and products with sparse
// matrices.
#pragma once

#include "homework_common.cuh"

namespace outside {

// Inverses of 3 x 3 matrices of doubles, which follow each other in memory: a thread each.
__global__ void invert_3x3(const double* in, double* out, int matrices) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= matrices) return;
  const double* const m = in + 9 * i;
  double* const r = out + 9 * i;
  const double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
  const double inverse = 1.0 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
  r[0] = c0 * inverse;
  r[1] = (m[2] * m[7] - m[1] * m[8]) * inverse;
  r[2] = (m[1] * m[5] - m[2] * m[4]) * inverse;
  r[3] = c1 * inverse;
  r[4] = (m[0] * m[8] - m[2] * m[6]) * inverse;
  r[5] = (m[2] * m[3] - m[0] * m[5]) * inverse;
  r[6] = c2 * inverse;
  r[7] = (m[1] * m[6] - m[0] * m[7]) * inverse;
  r[8] = (m[0] * m[4] - m[1] * m[3]) * inverse;
}

// Factors L and U of 16 x 16 matrices without pivots: a block of 16 x 16 threads for each, in shared memory.
__global__ void lu_small(const float* in, float* out) {
  __shared__ float m[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, place = blockIdx.x * 256 + ty * 16 + tx;
  m[ty][tx] = in[place];
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    if (tx == k && ty > k) m[ty][k] /= m[k][k];
    __syncthreads();
    if (tx > k && ty > k) m[ty][tx] -= m[ty][k] * m[k][tx];
    __syncthreads();
  }
  out[place] = m[ty][tx];
}

// Solves lower triangular systems of 64 unknowns, stored by columns: a block of 64 threads for each, which
// takes one unknown after another out of the rows below it.
__global__ void forward_substitution(const float* lower, const float* right, float* solution) {
  __shared__ float known;
  const int tid = threadIdx.x;
  const float* const columns = lower + std::size_t(blockIdx.x) * 64 * 64;
  float rest = right[blockIdx.x * 64 + tid];
  for (int k = 0; k < 64; ++k) {
    if (tid == k) known = rest = rest / columns[k * 64 + k];
    __syncthreads();
    if (tid > k) rest -= columns[k * 64 + tid] * known;
    __syncthreads();
  }
  solution[blockIdx.x * 64 + tid] = rest;
}

// Eigenvalues of symmetric 3 x 3 matrices by five sweeps of Jacobi's rotations, in doubles.
__global__ void eigenvalues_3x3(const double* in, double* out, int matrices) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= matrices) return;
  double m[3][3];
  m[0][0] = in[i], m[0][1] = m[1][0] = in[matrices + i], m[0][2] = m[2][0] = in[2 * matrices + i];
  m[1][1] = in[3 * matrices + i], m[1][2] = m[2][1] = in[4 * matrices + i], m[2][2] = in[5 * matrices + i];
  for (int sweep = 0; sweep < 5; ++sweep) {
#pragma unroll
    for (int pair = 0; pair < 3; ++pair) {
      const int p = pair == 2 ? 1 : 0, q = pair == 0 ? 1 : 2, r = 3 - p - q;
      const double theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q] + 1e-300);
      const double t = (theta >= 0 ? 1.0 : -1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
      const double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
      const double pq = m[p][q], pr = m[p][r], qr = m[q][r];
      m[p][p] -= t * pq;
      m[q][q] += t * pq;
      m[p][q] = m[q][p] = 0.0;
      m[p][r] = m[r][p] = c * pr - s * qr;
      m[q][r] = m[r][q] = s * pr + c * qr;
    }
  }
  for (int k = 0; k < 3; ++k) out[k * matrices + i] = m[k][k];
}

// A transpose through a tile without padding: columns of the tile are exchanged by an exclusive or with the
// row.
__global__ void transpose_swizzled(const int* in, int* out, int side) {
  __shared__ int tile[32][32];
  const int tx = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int ty = threadIdx.y; ty < 32; ty += 8) tile[ty][tx ^ ty] = in[(top + ty) * side + left + tx];
  __syncthreads();
  for (int ty = threadIdx.y; ty < 32; ty += 8) out[(left + ty) * side + top + tx] = tile[tx][ty ^ tx];
}

// Covariances of columns as PolyBench has them: a thread per column goes over that and all later ones.
__global__ void covariance(const float* data, float* out, int columns, int samples) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns) return;
  for (int other = j; other < columns; ++other) {
    float sum = 0;
    for (int i = 0; i < samples; ++i) sum += data[i * columns + j] * data[i * columns + other];
    out[j * columns + other] = out[other * columns + j] = sum / (samples - 1);
  }
}

// A tensor's last dimension times a matrix, as PolyBench's multiresolution kernel does it.
__global__ void doitgen(const float* a, const float* c4, float* out, int q_count, int p_count) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x, q = blockIdx.y * blockDim.y + threadIdx.y,
            r = blockIdx.z;
  if (p >= p_count || q >= q_count) return;
  const int start = (r * q_count + q) * p_count;
  float sum = 0;
  for (int s = 0; s < p_count; ++s) sum += a[start + s] * c4[s * p_count + p];
  out[start + p] = sum;
}

// Gram and Schmidt: takes column k out of all the later ones, a thread per column. In place, for one k.
__global__ void orthogonalise(float* a, int rows, int columns, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j <= k || j >= columns) return;
  float along = 0, length = 0;
  for (int i = 0; i < rows; ++i) {
    along += a[i * columns + k] * a[i * columns + j];
    length += a[i * columns + k] * a[i * columns + k];
  }
  along /= length;
  for (int i = 0; i < rows; ++i) a[i * columns + j] -= a[i * columns + k] * along;
}

// A sparse matrix of dense 4 x 4 blocks times a vector: a thread per row.
__global__ void multiply_blocks(const int* begin, const int* columns, const float4* values, const float4* x,
                                float* y, int rows) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (int k = begin[i / 4]; k < begin[i / 4 + 1]; ++k) {
    const float4 v = values[4 * k + i % 4], u = x[columns[k]];
    sum += v.x * u.x + v.y * u.y + v.z * u.z + v.w * u.w;
  }
  y[i] = sum;
}

// Products of rows of two dense matrices at the places that a sparse one has: a warp per place, 64 numbers.
__global__ void sampled_products(const int* lines, const int* columns, const float2* a, const float2* b,
                                 float* out, int places) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (i >= places) return;
  const float2 u = a[lines[i] * 32 + lane], v = b[columns[i] * 32 + lane];
  const float sum = add_down(u.x * v.x + u.y * v.y);
  if (lane == 0) out[i] = sum;
}

inline void small_system_rows() {
  {
    constexpr int kMatrices = 1 << 18;
    const Filled<double> in(9 * kMatrices,
                            [](std::size_t k) { return fraction(k) + (k % 9 % 4 == 0 ? 3 : 0); });
    const Filled<double> out(9 * kMatrices);
    row("invert_3x3", [&] { invert_3x3<<<kMatrices / 256, 256>>>(in, out, kMatrices); });
  }
  {
    constexpr int kMatrices = 16384;
    const auto element = [](std::size_t k) { return fraction(k) + (k % 256 % 17 == 0 ? 16.0f : 0.0f); };
    const Filled<float> in(kMatrices * 256, element), out(kMatrices * 256);
    row("lu_small", [&] { lu_small<<<kMatrices, dim3(16, 16)>>>(in, out); });
  }
  {
    constexpr int kSystems = 2048;
    const auto element = [](std::size_t k) { return k % 4096 % 65 == 0 ? 8.0f : fraction(k) / 8; };
    const Filled<float> lower(kSystems * 4096, element), right(kSystems * 64, fraction),
        solution(kSystems * 64);
    row("forward_substitution", [&] { forward_substitution<<<kSystems, 64>>>(lower, right, solution); });
  }
  {
    constexpr int kMatrices = 1 << 17;
    const Filled<double> in(6 * kMatrices, fraction), out(3 * kMatrices);
    row("eigenvalues_3x3", [&] { eigenvalues_3x3<<<kMatrices / 128, 128>>>(in, out, kMatrices); });
  }
}

inline void transpose_swizzled_row(int side) {
  const std::size_t count = std::size_t(side) * side;
  const Filled<int> in(count, scrambled), out(count);
  row("transpose_swizzled " + std::to_string(side),
      [&] { transpose_swizzled<<<dim3(side / 32, side / 32), dim3(32, 8)>>>(in, out, side); });
}

inline void algebra_rows() {
  small_system_rows();
  transpose_swizzled_row(1024);
  transpose_swizzled_row(8192);
  {
    const Filled<float> data(128 * 128, fraction), out(128 * 128);
    row("covariance", [&] { covariance<<<1, 128>>>(data, out, 128, 128); });
  }
  {
    const Filled<float> a(64 * 64 * 128, fraction), c4(128 * 128, fraction), out(64 * 64 * 128);
    row("doitgen", [&] { doitgen<<<dim3(4, 8, 64), dim3(32, 8)>>>(a, c4, out, 64, 128); });
  }
  {
    const Filled<float> a(512 * 2048, fraction);
    row("orthogonalise", [&] { orthogonalise<<<2048 / 256, 256>>>(a, 512, 2048, 5); });
  }
  {
    constexpr int kBlockRows = 65536, kBlocksOfRow = 8, kBlocks = kBlockRows * kBlocksOfRow;
    const Filled<int> begin(kBlockRows + 1, [](std::size_t k) { return k * kBlocksOfRow; });
    const auto column = [](std::size_t k) { return (k / kBlocksOfRow + scrambled(k) % 1000) % kBlockRows; };
    const Filled<int> columns(kBlocks, column);
    const Filled<float> values(kBlocks * 16, fraction), x(kBlockRows * 4, fraction), y(kBlockRows * 4);
    row("multiply_blocks", [&] {
      multiply_blocks<<<kBlockRows * 4 / 128, 128>>>(begin, columns, values.as<float4>(), x.as<float4>(), y,
                                                     kBlockRows * 4);
    });
  }
  {
    constexpr int kPlaces = 1 << 18, kRows = 8192;
    const Filled<int> lines(kPlaces, [](std::size_t k) { return k / (kPlaces / kRows); });
    const Filled<int> columns(kPlaces, [](std::size_t k) { return scrambled(k) % kRows; });
    const Filled<float> a(kRows * 64, fraction), b(kRows * 64, fraction), out(kPlaces);
    row("sampled_products", [&] {
      sampled_products<<<kPlaces / 8, 256>>>(lines, columns, a.as<float2>(), b.as<float2>(), out, kPlaces);
    });
  }
}

}  // namespace outside
// SPDX-License-Identifier: MIT
