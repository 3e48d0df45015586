// Kernels that are about shared memory, barriers and atomics.
#pragma once

#include "memory.cuh"

namespace outside {

constexpr int kBins = 256;

__global__ void histogram_shared(const u32* in, u32* bins, unsigned n) {
  __shared__ u32 mine[kBins];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i] % kBins], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}
__global__ void histogram_global(const u32* in, u32* bins, unsigned n, unsigned among) {
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i] % among], 1u);
}
template <int padding>
__global__ void transpose_32(const float* in, float* out, int side) {  // 32 x 8 threads
  __shared__ float tile[32][32 + padding];
  const int x = int(blockIdx.x * 32 + threadIdx.x), y = int(blockIdx.y * 32 + threadIdx.y);
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * side + x];
  __syncthreads();
  const int u = int(blockIdx.y * 32 + threadIdx.x), v = int(blockIdx.x * 32 + threadIdx.y);
  for (int k = 0; k < 32; k += 8) out[(v + k) * side + u] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void stencil_shared(const float* in, float* out, int n) {  // the mean of nine neighbours
  __shared__ float tile[256 + 8];
  const int i = int(thread_number()), t = int(threadIdx.x);
  tile[t + 4] = in[i];
  if (t < 4) tile[t] = i >= 4 ? in[i - 4] : 0.0f;
  if (t >= 252) tile[t + 8] = i + 4 < n ? in[i + 4] : 0.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += tile[t + k];
  out[i] = sum / 9.0f;
}
template <int threads>
__global__ void scan_hillis_steele(const float* in, float* out) {  // two barriers a level
  __shared__ float values[threads];
  const int t = int(threadIdx.x);
  values[t] = in[blockIdx.x * threads + t];
  __syncthreads();
  for (int offset = 1; offset < threads; offset *= 2) {
    const float left = t >= offset ? values[t - offset] : 0.0f;
    __syncthreads();
    values[t] += left;
    __syncthreads();
  }
  out[blockIdx.x * threads + t] = values[t];
}
__global__ void scan_blelloch(const float* in,
                              float* out) {  // 512 elements, 256 threads, with its bank conflicts
  __shared__ float values[512];
  const int t = int(threadIdx.x), base = int(blockIdx.x) * 512;
  values[2 * t] = in[base + 2 * t];
  values[2 * t + 1] = in[base + 2 * t + 1];
  int offset = 1;
  for (int d = 256; d > 0; d /= 2, offset *= 2) {
    __syncthreads();
    if (t < d) values[offset * (2 * t + 2) - 1] += values[offset * (2 * t + 1) - 1];
  }
  if (t == 0) values[511] = 0;
  for (int d = 1; d < 512; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t >= d) continue;
    const int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1;
    const float sum = values[left];
    values[left] = values[right];
    values[right] += sum;
  }
  __syncthreads();
  out[base + 2 * t] = values[2 * t];
  out[base + 2 * t + 1] = values[2 * t + 1];
}
__global__ void sort_bitonic(const u32* in, u32* out) {  // 1024 elements a block, 55 rounds
  __shared__ u32 values[1024];
  const unsigned t = threadIdx.x;
  values[t] = in[blockIdx.x * 1024 + t];
  for (unsigned size = 2; size <= 1024; size *= 2) {
    for (unsigned apart = size / 2; apart > 0; apart /= 2) {
      __syncthreads();
      const unsigned other = t ^ apart;
      if (other < t) continue;
      const u32 a = values[t], b = values[other];
      if ((a > b) == ((t & size) == 0)) values[t] = b, values[other] = a;
    }
  }
  __syncthreads();
  out[blockIdx.x * 1024 + t] = values[t];
}
__global__ void softmax(const float* in, float* out, int columns) {  // a row for each block
  __shared__ float parts[256];
  const int t = int(threadIdx.x);
  const float* from = in + std::size_t(blockIdx.x) * columns;
  float most = -1e30f, sum = 0;
  for (int c = t; c < columns; c += 256) most = fmaxf(most, from[c]);
  parts[t] = most;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) parts[t] = fmaxf(parts[t], parts[t + half]);
    __syncthreads();
  }
  most = parts[0];
  __syncthreads();
  for (int c = t; c < columns; c += 256) sum += expf(from[c] - most);
  parts[t] = sum;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) parts[t] += parts[t + half];
    __syncthreads();
  }
  sum = parts[0];
  for (int c = t; c < columns; c += 256)
    out[std::size_t(blockIdx.x) * columns + c] = expf(from[c] - most) / sum;
}
__global__ void one_block_sum(const float* in, float* out, int n) {
  __shared__ float parts[32];
  float sum = 0;
  for (int i = int(threadIdx.x); i < n; i += 1024) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = parts[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (threadIdx.x == 0) *out = sum;
}
__global__ void matmul_16(const float* a, const float* b, float* c, int side) {
  __shared__ float p[16][16], q[16][16];
  const int x = int(threadIdx.x), y = int(threadIdx.y), r = int(blockIdx.y) * 16 + y,
            k = int(blockIdx.x) * 16 + x;
  float sum = 0;
  for (int first = 0; first < side; first += 16) {
    p[y][x] = a[r * side + first + x];
    q[y][x] = b[(first + y) * side + k];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += p[y][i] * q[i][x];
    __syncthreads();
  }
  c[r * side + k] = sum;
}

inline void shared_rows() {
  constexpr unsigned n = 1u << 24;
  const Array<u32> noise(n, 1u << 30), bins(1u << 16), sorted(n);
  const Array<float> x(n), y(n);
  row("histogram_shared", [&] { histogram_shared<<<1056, kBins>>>(noise, bins, n); });
  row("histogram_shared of zeros", [&] { histogram_shared<<<1056, kBins>>>(sorted, bins, n / 8); });
  row("histogram_global, 256 bins", [&] { histogram_global<<<1056, 256>>>(noise, bins, n / 8, 256); });
  row("histogram_global, 65536 bins", [&] { histogram_global<<<1056, 256>>>(noise, bins, n / 8, 65536); });
  row("transpose_32", [&] { transpose_32<0><<<dim3(128, 128), dim3(32, 8)>>>(x, y, 4096); });
  row("transpose_32, padded", [&] { transpose_32<1><<<dim3(128, 128), dim3(32, 8)>>>(x, y, 4096); });
  row("stencil_shared", [&] { stencil_shared<<<n / 256, 256>>>(x, y, n); });
  row("scan_hillis_steele<256>", [&] { scan_hillis_steele<256><<<n / 256, 256>>>(x, y); });
  row("scan_hillis_steele<1024>", [&] { scan_hillis_steele<1024><<<n / 1024, 1024>>>(x, y); });
  row("scan_blelloch", [&] { scan_blelloch<<<n / 512, 256>>>(x, y); });
  row("sort_bitonic", [&] { sort_bitonic<<<n / 8 / 1024, 1024>>>(noise, sorted); });
  row("softmax", [&] { softmax<<<4096, 256>>>(x, y, 4096); });
  row("one_block_sum", [&] { one_block_sum<<<1, 1024>>>(x, y, 1 << 16); });
  row("matmul_16", [&] { matmul_16<<<dim3(32, 32), dim3(16, 16)>>>(x, y, x, 512); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
