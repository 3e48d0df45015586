// Kernels that are about global memory: streams, strides, random places, neighbours, sparse rows.
#pragma once

#include "rows.cuh"

namespace outside {

__device__ inline unsigned thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }
__device__ inline u32 hash(u32 x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}

__global__ void saxpy(float a, const float* x, float* y, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void saxpy_vector(float a, const float4* x, float4* y, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float4 u = x[i], v = y[i];
  y[i] = {a * u.x + v.x, a * u.y + v.y, a * u.z + v.z, a * u.w + v.w};
}
__global__ void triad(const float* a, const float* b, float* c, unsigned n) {  // a stride of the whole grid
  for (unsigned i = thread_number(); i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + 3.0f * b[i];
}
__global__ void fill(float* x, float value, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) x[i] = value;
}
__global__ void copy_every(const float* from, float* to, unsigned n, unsigned stride) {
  const unsigned i = thread_number();
  if (i < n) to[i] = from[std::size_t(i) * stride];
}
__global__ void grey(const unsigned char* rgb, unsigned char* out, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) out[i] = (unsigned char)((rgb[3 * i] * 77 + rgb[3 * i + 1] * 151 + rgb[3 * i + 2] * 28) >> 8);
}
struct Particle {
  float x, y, z, vx, vy, vz, mass, charge;
};
__global__ void move(Particle* particles, unsigned n, float dt) {
  const unsigned i = thread_number();
  if (i >= n) return;
  Particle& p = particles[i];
  p.x += dt * p.vx, p.y += dt * p.vy, p.z += dt * p.vz;
}
__global__ void gather(const float* table, float* out, unsigned n, unsigned mask) {
  const unsigned i = thread_number();
  if (i < n) out[i] = table[hash(i) & mask];
}
__global__ void scatter(float* table, unsigned n, unsigned mask) {
  const unsigned i = thread_number();
  if (i < n) table[hash(i) & mask] = float(i);
}
__global__ void chase(const u32* next, u32* out, unsigned steps) {
  u32 at = thread_number() * 977;
  for (unsigned k = 0; k < steps; ++k) at = next[at];
  out[thread_number()] = at;
}
__global__ void stencil_5(const float* in, float* out, int width, int height) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}
__global__ void stencil_7(const float* in, float* out, int side) {  // a column of the volume each
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x == 0 || y == 0 || x >= side - 1 || y >= side - 1) return;
  const int plane = side * side;
  for (int z = 1; z < side - 1; ++z) {
    const int i = z * plane + y * side + x;
    out[i] =
        in[i] + 0.1f * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side] + in[i - plane] + in[i + plane]);
  }
}
__global__ void matvec_warp(const float* a, const float* x, float* y,
                            unsigned columns) {  // a row for each warp
  const unsigned row_number = thread_number() / 32, lane = threadIdx.x % 32;
  float sum = 0;
  for (unsigned c = lane; c < columns; c += 32) sum += a[std::size_t(row_number) * columns + c] * x[c];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) y[row_number] = sum;
}
__global__ void matvec_thread(const float* a, const float* x, float* y,
                              unsigned columns) {  // for each thread
  const unsigned row_number = thread_number();
  float sum = 0;
  for (unsigned c = 0; c < columns; ++c) sum += a[std::size_t(row_number) * columns + c] * x[c];
  y[row_number] = sum;
}
__global__ void sparse_rows(const u32* begin, const u32* column, const float* value, const float* x, float* y,
                            unsigned rows) {
  const unsigned r = thread_number();
  if (r >= rows) return;
  float sum = 0;
  for (u32 k = begin[r]; k < begin[r + 1]; ++k) sum += value[k] * x[column[k]];
  y[r] = sum;
}
__global__ void compact(const u32* in, u32* out, u32* count, unsigned n) {  // keeps the odd ones
  const unsigned i = thread_number(), lane = threadIdx.x % 32;
  const u32 value = i < n ? in[i] : 0;
  const unsigned keep = __ballot_sync(~0u, value & 1);
  unsigned first = 0;
  if (lane == 0) first = atomicAdd(count, unsigned(__popc(keep)));
  first = __shfl_sync(~0u, first, 0);
  const unsigned place = first + unsigned(__popc(keep & ((1u << lane) - 1)));
  if ((value & 1) && place < n) out[place] = value;
}

inline void memory_rows() {
  constexpr unsigned n = 1u << 25, few = 1u << 18;
  const Array<float> x(n), y(n), z(n);
  row("saxpy", [&] { saxpy<<<n / 256, 256>>>(2.0f, x, y, n); });
  row("saxpy of 2^18", [&] { saxpy<<<few / 256, 256>>>(2.0f, x, y, few); });
  row("saxpy, blocks of 64", [&] { saxpy<<<n / 64, 64>>>(2.0f, x, y, n); });
  row("saxpy_vector", [&] {
    saxpy_vector<<<n / 4 / 256, 256>>>(2.0f, reinterpret_cast<float4*>((float*)x),
                                       reinterpret_cast<float4*>((float*)y), n / 4);
  });
  row("triad", [&] { triad<<<1056, 256>>>(x, y, z, n); });
  row("fill", [&] { fill<<<n / 512, 512>>>(x, 1.0f, n); });
  row("copy_every 2", [&] { copy_every<<<n / 4 / 256, 256>>>(x, y, n / 4, 2); });
  row("copy_every 8", [&] { copy_every<<<n / 8 / 256, 256>>>(x, y, n / 8, 8); });
  row("copy_every 32", [&] { copy_every<<<n / 32 / 256, 256>>>(x, y, n / 32, 32); });
  row("grey", [&] { grey<<<n / 256, 256>>>((unsigned char*)(float*)x, (unsigned char*)(float*)y, n); });
  row("move", [&] { move<<<(n / 8) / 256, 256>>>(reinterpret_cast<Particle*>((float*)x), n / 8, 0.1f); });
  row("gather from 64 MiB", [&] { gather<<<n / 4 / 256, 256>>>(x, y, n / 4, (1u << 24) - 1); });
  row("gather from 4 MiB", [&] { gather<<<n / 4 / 256, 256>>>(x, y, n / 4, (1u << 20) - 1); });
  row("gather from 64 KiB", [&] { gather<<<n / 4 / 256, 256>>>(x, y, n / 4, (1u << 14) - 1); });
  row("scatter to 64 MiB", [&] { scatter<<<n / 4 / 256, 256>>>(x, n / 4, (1u << 24) - 1); });
  row("stencil_5", [&] { stencil_5<<<dim3(4096 / 32, 4096 / 8), dim3(32, 8)>>>(x, y, 4096, 4096); });
  row("stencil_7", [&] { stencil_7<<<dim3(256 / 32, 256 / 4), dim3(32, 4)>>>(x, y, 256); });
  row("matvec_warp", [&] { matvec_warp<<<4096 / 8, 256>>>(x, y, z, 8192); });
  row("matvec_thread", [&] { matvec_thread<<<4096 / 64, 64>>>(x, y, z, 4096); });

  std::vector<u32> ring(1u << 22);
  for (u32 i = 0; i < ring.size(); ++i) ring[i] = (i * 1664525u + 1013904223u) & u32(ring.size() - 1);
  const Array<u32> next(ring), noise(1u << 23, 1u << 20), out(1u << 23), count(1);
  row("chase, 132 warps", [&] { chase<<<132, 32>>>(next, out, 500); });
  row("chase, 4 blocks of 256", [&] { chase<<<4, 256>>>(next, out, 500); });

  constexpr unsigned rows = 1u << 18;
  std::vector<u32> begin(rows + 1);
  for (u32 r = 0; r < rows; ++r) begin[r + 1] = begin[r] + 8 + r * 2654435761u % 17;  // 8 to 24 in a row
  const Array<u32> starts(begin);
  row("sparse_rows", [&] { sparse_rows<<<rows / 128, 128>>>(starts, noise, x, y, z, rows); });
  row("compact", [&] { compact<<<(1u << 23) / 256, 256>>>(noise, out, count, 1u << 23); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
