// Kernels that are about computing: functions, doubles, integers, ways that part, many bodies.
#pragma once

#include "memory.cuh"

namespace outside {

__global__ void functions(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 8; ++k) v = sinf(v) + expf(-v) + logf(2.0f + v * v);
  out[i] = v;
}
__global__ void functions_fast(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float v = in[i];
  for (int k = 0; k < 16; ++k) v = __sinf(v) + __expf(-v) + rsqrtf(2.0f + v * v);
  out[i] = v;
}
__global__ void black_scholes(const float* price, const float* strike, float* call, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const float s = price[i] + 100.0f, k = strike[i] + 95.0f, t = 1.0f, r = 0.02f, v = 0.3f;
  const float d1 = (logf(s / k) + (r + 0.5f * v * v) * t) / (v * sqrtf(t)), d2 = d1 - v * sqrtf(t);
  const float n1 = 0.5f * (1.0f + erff(d1 * 0.70710678f)), n2 = 0.5f * (1.0f + erff(d2 * 0.70710678f));
  call[i] = s * n1 - k * expf(-r * t) * n2;
}
__global__ void polynomial_double(const double* in, double* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  const double x = in[i];
  double sum = 1.0;
  for (int k = 0; k < 64; ++k) sum = sum * x + 0.5;
  out[i] = sum;
}
__global__ void daxpy(double a, const double* x, double* y, unsigned n) {
  const unsigned i = thread_number();
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void fma_chains(const float* in, float* out) {  // bound by issue slots
  float a = in[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
  for (int k = 0; k < 512; ++k) a = a * a + 0.1f, b = b * b + 0.2f, c = c * c + 0.3f, d = d * d + 0.4f;
  out[thread_number()] = a + b + c + d;
}
__global__ void mix(u32* out, int rounds) {  // integers: multiplications, shifts, xors
  u32 x = thread_number();
  for (int k = 0; k < rounds; ++k) x = hash(x + u32(k));
  out[thread_number()] = x;
}
__global__ void divisors(u32* out, u32 first) {  // remainders by what changes
  const u32 number = first + thread_number();
  u32 found = 0;
  for (u32 d = 2; d < 66; ++d) found += number % d == 0;
  out[thread_number()] = found;
}
__global__ void collatz(u32* out) {  // lanes of a warp go round as often as they like
  u32 x = thread_number() + 1, steps = 0;
  while (x != 1 && steps < 400) x = x & 1 ? 3 * x + 1 : x / 2, ++steps;
  out[thread_number()] = steps;
}
__global__ void eight_ways(const float* in, float* out, unsigned n) {
  const unsigned i = thread_number();
  if (i >= n) return;
  float v = in[i] + float(i);
  for (int k = 0; k < 16; ++k) {
    switch ((i + k) % 8) {
      case 0: v = sqrtf(v); break;
      case 1: v = v * v + 1.0f; break;
      case 2: v = 1.0f / (v + 2.0f); break;
      case 3: v = v - 3.0f * k; break;
      case 4: v = fabsf(v) * 0.3f; break;
      case 5: v = fminf(v, 1000.0f) + k; break;
      case 6: v = v / 3.5f; break;
      default: v = v * 0.25f + 7.0f; break;
    }
  }
  out[i] = v;
}
__global__ void mandelbrot(unsigned char* out, int side) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  const float cx = -2.0f + 3.0f * x / side, cy = -1.5f + 3.0f * y / side;
  float u = 0, v = 0;
  int k = 0;
  while (k < 128 && u * u + v * v < 4.0f) {
    const float next = u * u - v * v + cx;
    v = 2.0f * u * v + cy;
    u = next;
    ++k;
  }
  out[y * side + x] = (unsigned char)k;
}
__global__ void bodies(const float4* at, float4* force, int n) {
  __shared__ float4 tile[128];
  const int i = int(thread_number());
  const float4 me = at[i];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = at[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 128; ++k) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f),
                  w = tile[k].w * inverse * inverse * inverse;
      x += w * dx, y += w * dy, z += w * dz;
    }
    __syncthreads();
  }
  force[i] = {x, y, z, 0};
}
__constant__ float weights[25];
__global__ void convolve_5x5(const float* in, float* out, int side) {
  const int x = int(blockIdx.x * blockDim.x + threadIdx.x), y = int(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < 2 || y < 2 || x >= side - 2 || y >= side - 2) return;
  float sum = 0;
  for (int v = -2; v <= 2; ++v)
    for (int u = -2; u <= 2; ++u) sum += weights[(v + 2) * 5 + u + 2] * in[(y + v) * side + x + u];
  out[y * side + x] = sum;
}
__global__ void sort_sixteen(const u32* in, u32* out,
                             unsigned n) {  // an array of a thread, indexed by what it holds
  const unsigned i = thread_number();
  if (i >= n) return;
  u32 a[16];
  for (int k = 0; k < 16; ++k) a[k] = in[i + k * n];
#pragma unroll 1
  for (int k = 1; k < 16; ++k) {
    const u32 v = a[k];
    int j = k - 1;
    for (; j >= 0 && a[j] > v; --j) a[j + 1] = a[j];
    a[j + 1] = v;
  }
  for (int k = 0; k < 16; ++k) out[i + k * n] = a[k];
}

inline void arithmetic_rows() {
  constexpr unsigned n = 1u << 22;
  const Array<float> x(n * 2), y(n * 2), z(n);
  const Array<u32> noise(n, 1u << 30), out(n);
  const auto doubles = [](const Array<float>& a) { return reinterpret_cast<double*>((float*)a); };
  const auto fours = [](const Array<float>& a) { return reinterpret_cast<float4*>((float*)a); };
  row("functions", [&] { functions<<<n / 256, 256>>>(x, y, n); });
  row("functions_fast", [&] { functions_fast<<<n / 256, 256>>>(x, y, n); });
  row("black_scholes", [&] { black_scholes<<<n / 128, 128>>>(x, y, z, n); });
  row("polynomial_double", [&] { polynomial_double<<<n / 256, 256>>>(doubles(x), doubles(y), n); });
  row("daxpy", [&] { daxpy<<<n / 256, 256>>>(2.0, doubles(x), doubles(y), n); });
  row("fma_chains", [&] { fma_chains<<<2112, 256>>>(x, y); });
  row("mix", [&] { mix<<<n / 256, 256>>>(out, 32); });
  row("divisors", [&] { divisors<<<n / 4 / 256, 256>>>(out, 1000003); });
  row("collatz", [&] { collatz<<<n / 4 / 256, 256>>>(out); });
  row("eight_ways", [&] { eight_ways<<<n / 256, 256>>>(x, y, n); });
  row("mandelbrot", [&] { mandelbrot<<<dim3(32, 128), dim3(32, 8)>>>((unsigned char*)(u32*)out, 1024); });
  row("bodies", [&] { bodies<<<64, 128>>>(fours(x), fours(y), 8192); });
  row("convolve_5x5", [&] { convolve_5x5<<<dim3(64, 256), dim3(32, 8)>>>(x, y, 2048); });
  row("sort_sixteen", [&] { sort_sixteen<<<n / 16 / 256, 256>>>(noise, out, n / 16); });
}

}  // namespace outside
// SPDX-License-Identifier: MIT
