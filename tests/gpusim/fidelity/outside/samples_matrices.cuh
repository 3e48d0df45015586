// Kernels of kinds that public samples have: matrices and layers of networks.
#pragma once

#include "samples_images.cuh"

namespace outside {

__global__ void gemm_plain(const float* a, const float* b, float* c, int side) {
  const Place at = place();
  float sum = 0;
  for (int k = 0; k < side; ++k) sum += a[at.y * side + k] * b[k * side + at.x];
  c[at.y * side + at.x] = sum;
}
__global__ void gemm_tiles(const float* a, const float* b, float* c, int side) {  // 32 x 32
  __shared__ float p[32][33], q[32][33];
  const Place at = place();
  const int x = int(threadIdx.x), y = int(threadIdx.y);
  float sum = 0;
  for (int first = 0; first < side; first += 32) {
    p[y][x] = a[at.y * side + first + x];
    q[y][x] = b[(first + y) * side + at.x];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 32; ++k) sum += p[y][k] * q[k][x];
    __syncthreads();
  }
  c[at.y * side + at.x] = sum;
}
__global__ void gemm_double(const double* a, const double* b, double* c, int side) {  // four rows a thread
  const int x = int(thread_number() % unsigned(side)), y = int(thread_number() / unsigned(side)) * 4;
  double sum[4] = {};
  for (int k = 0; k < side; ++k) {
    const double right = b[k * side + x];
#pragma unroll
    for (int r = 0; r < 4; ++r) sum[r] += a[(y + r) * side + k] * right;
  }
  for (int r = 0; r < 4; ++r) c[(y + r) * side + x] = sum[r];
}
__global__ void gemv_transposed(const float* a, const float* x, float* y, int rows, int columns) {
  const int c = int(thread_number());
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += a[std::size_t(r) * columns + c] * x[r];
  y[c] = sum;
}
__global__ void eliminate(float* a, int side, int pivot) {  // a step of Gauss's elimination
  const Place at = place();
  const int x = at.x + pivot, y = at.y + pivot + 1;
  if (x >= side || y >= side) return;
  const float factor = a[y * side + pivot] / a[pivot * side + pivot];
  if (at.x > 0) a[y * side + x] -= factor * a[pivot * side + x];
}
__global__ void transpose_plain(const int* in, int* out, int side) {
  const Place at = place();
  out[at.x * side + at.y] = in[at.y * side + at.x];
}
__global__ void add_matrices(const float* a, const float* b, float* c, int width, int height) {
  const Place at = place();
  if (at.x < width && at.y < height) c[at.y * width + at.x] = a[at.y * width + at.x] + b[at.y * width + at.x];
}
__device__ inline float sum_of_warp(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(~0u, v, offset);
  return v;
}
__global__ void layer_norm(const float* in, const float* scale, float* out,
                           int columns) {  // a row a block of 256
  __shared__ float sums[8], squares[8];
  const float* from = in + std::size_t(blockIdx.x) * columns;
  float sum = 0, square = 0;
  for (int c = int(threadIdx.x); c < columns; c += 256) sum += from[c], square += from[c] * from[c];
  sum = sum_of_warp(sum), square = sum_of_warp(square);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum, squares[threadIdx.x / 32] = square;
  __syncthreads();
  sum = square = 0;
  for (int w = 0; w < 8; ++w) sum += sums[w], square += squares[w];
  const float mean = sum / columns, factor = rsqrtf(square / columns - mean * mean + 1e-5f);
  for (int c = int(threadIdx.x); c < columns; c += 256)
    out[std::size_t(blockIdx.x) * columns + c] = (from[c] - mean) * factor * scale[c];
}
__global__ void softmax_warp(const float* in, float* out) {  // rows of 128, a warp each
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  float v[4], most = -1e30f, sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) most = fmaxf(most, v[k] = in[r * 128 + k * 32 + lane]);
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, offset));
#pragma unroll
  for (int k = 0; k < 4; ++k) sum += v[k] = __expf(v[k] - most);
  sum = sum_of_warp(sum);
#pragma unroll
  for (int k = 0; k < 4; ++k) out[r * 128 + k * 32 + lane] = v[k] / sum;
}
__global__ void gelu(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float x = in[i];
  out[i] = 0.5f * x * (1.0f + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}
__global__ void sparse_warps(const u32* begin, const u32* column, const float* value, const float* x,
                             float* y) {
  const unsigned r = thread_number() / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (u32 k = begin[r] + lane; k < begin[r + 1]; k += 32) sum += value[k] * x[column[k]];
  sum = sum_of_warp(sum);
  if (lane == 0) y[r] = sum;
}
__global__ void jacobi_ell(const u32* column, const float* value, const float* x, float* y, unsigned rows) {
  const unsigned r = thread_number();  // eight entries in each row, column by column
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += value[k * rows + r] * x[column[k * rows + r]];
  y[r] = 0.9f * x[r] + 0.1f * sum;
}

inline void matrix_rows() {
  constexpr int side = 4096;
  constexpr unsigned n = side * side;
  const Array<float> a(n), b(n), c(n);
  const auto doubles = [](const Array<float>& each) { return reinterpret_cast<double*>((float*)each); };
  const auto ints = [](const Array<float>& each) { return reinterpret_cast<int*>((float*)each); };
  const dim3 threads(32, 8), blocks(side / 32, side / 8);
  row("gemm_plain", [&] { gemm_plain<<<dim3(32, 128), threads>>>(a, b, c, 1024); });
  row("gemm_tiles", [&] { gemm_tiles<<<dim3(32, 32), dim3(32, 32)>>>(a, b, c, 1024); });
  row("gemm_double", [&] { gemm_double<<<512 * 128 / 128, 128>>>(doubles(a), doubles(b), doubles(c), 512); });
  row("gemv_transposed", [&] { gemv_transposed<<<side / 128, 128>>>(a, b, c, side, side); });
  row("eliminate", [&] { eliminate<<<dim3(64, 256), threads>>>(a, 2048, 0); });
  row("transpose_plain", [&] { transpose_plain<<<blocks, threads>>>(ints(a), ints(b), side); });
  row("add_matrices", [&] { add_matrices<<<dim3(256, 256), dim3(16, 16)>>>(a, b, c, side, side); });
  row("layer_norm", [&] { layer_norm<<<8192, 256>>>(a, b, c, 2048); });
  row("softmax_warp", [&] { softmax_warp<<<n / 128 / 8, 256>>>(a, b); });
  row("gelu", [&] { gelu<<<n / 256, 256>>>(a, b, n); });
  constexpr unsigned rows = 1u << 17;
  std::vector<u32> begin(rows + 1);
  for (u32 r = 0; r < rows; ++r) begin[r + 1] = begin[r] + 32 + r * 2654435761u % 65;  // 32 to 96 in a row
  const Array<u32> starts(begin), anywhere(n, 1u << 19);
  row("sparse_warps", [&] { sparse_warps<<<rows / 8, 256>>>(starts, anywhere, a, b, c); });
  row("jacobi_ell", [&] { jacobi_ell<<<(1u << 20) / 256, 256>>>(anywhere, a, b, c, 1u << 20); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
