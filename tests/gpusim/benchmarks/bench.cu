// How fast is the simulated GPU? Warp instructions per second of one core's time, for seven kinds of kernel, and how many times
// as fast all host threads are: with the counters on, then with all checks on as well. `bench NAME CHECKS` measures one kind with one
// choice of checks.
// Run by `meson test -C build --benchmark`. It prints; it never fails for being slow.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <string_view>
#include <thread>
#include <vector>

#include "gpusim/check.h"
#include "gpusim/report.h"
#ifndef ONE_THREAD  // for libraries that know no others (bench_against.py)
#include "gpusim/schedule.h"
#endif

namespace {

constexpr int kBlock = 256;
constexpr int kElements = 1 << 20;

// Registers only: what decoding and dispatch cost.
__global__ void arithmetic_loop(float* out) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  float a = 1.0f + i, b = 0.5f;
  unsigned x = i;
  for (int k = 0; k < 200; ++k) {
    a = a * b + 1.0f;
    x = x * 1664525u + 1013904223u;
    b = b * 0.999f + 0.0001f;
    x ^= x >> 7;
  }
  out[i] = a + float(x & 1);
}

// Chapter 02's kernel: shared memory, divergence and barriers.
__global__ void shared_reduction(const float* in, float* sums) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x;
  tile[t] = in[blockIdx.x * kBlock + t];
  __syncthreads();
  for (int stride = 1; stride < kBlock; stride *= 2) {
    if (t % (2 * stride) == 0) tile[t] += tile[t + stride];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = tile[0];
}

// Global memory: address resolution and sector counting.
__global__ void global_copy(const float* in, float* out) {
  for (int i = blockIdx.x * kBlock + threadIdx.x; i < kElements; i += gridDim.x * kBlock) out[i] = in[i];
}

// A scan of each block by shuffles: between the lanes of a warp, then over the sums of the warps before.
__global__ void block_scan(const float* in, float* out) {
  __shared__ float sums[kBlock / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, i = blockIdx.x * kBlock + threadIdx.x;
  float sum = in[i];
  for (int distance = 1; distance < 32; distance *= 2) {
    const float before = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += before;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp; ++w) sum += sums[w];
  out[i] = sum;
}

// Matrix product by tiles in shared memory: loads of rows and of one element for all lanes.
constexpr int kSide = 256, kTile = 32;
__global__ void matrix_tile(const float* a, const float* b, float* c) {
  __shared__ float a_tile[kTile][kTile], b_tile[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int k = 0; k < kSide; k += kTile) {
    a_tile[y][x] = a[row * kSide + k + x];
    b_tile[y][x] = b[(k + y) * kSide + column];
    __syncthreads();
    for (int j = 0; j < kTile; ++j) sum += a_tile[y][j] * b_tile[j][x];
    __syncthreads();
  }
  c[row * kSide + column] = sum;
}

// The same, an element a thread: loads of global memory only, in the two rows of a warp of 16 × 16 threads.
__global__ void matrix_naive(const float* a, const float* b, float* c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < kSide; ++k) sum += a[row * kSide + k] * b[k * kSide + column];
  c[row * kSide + column] = sum;
}

// A stencil of five points: rows that are not aligned, and threads at the edge that take no part.
__global__ void stencil(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            i = y * width + x;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
  out[i] = 0.2f * (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
}

// The time of this process, which others on the machine do not lengthen much; and that of a clock on the wall.
struct Times {
  double processor = double(std::clock()) / CLOCKS_PER_SEC;
  double wall = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
};

// The best of some launches, each in its own right.
template <class Launch> Times best_of([[maybe_unused]] unsigned threads, Launch launch) {
#ifndef ONE_THREAD
  gpusim::set_host_threads(threads);
#endif
  launch();  // warm-up: page faults, caches
  Times best{1e30, 1e30};
  for (int sample = 0; sample < 5; ++sample) {
    gpusim::clear_reports();
    const Times begin;
    launch();
    const Times end;
    best.processor = std::min(best.processor, end.processor - begin.processor);
    best.wall = std::min(best.wall, end.wall - begin.wall);
  }
  return best;
}

std::string_view only;

template <class Launch> void measure(const char* name, Launch launch) {
  if (!only.empty() && only != name) return;
#ifdef ONE_THREAD
  const unsigned threads = 1;
#else
  const unsigned threads = std::thread::hardware_concurrency();
#endif
  const Times one = best_of(1, launch);
  const double instructions = double(gpusim::last_report().total.warp_instructions);
  std::printf("%-18s %12.0f warp instructions %8.1f ms %8.1f million per second", name, instructions,
              one.processor * 1e3, instructions / one.processor / 1e6);
  if (threads > 1) std::printf(", %u threads %.2f x", threads, one.wall / best_of(threads, launch).wall);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) only = argv[1];
  const std::string_view only_checks = argc > 2 ? argv[2] : "";
  gpusim::enable_reports();
  float *d_in = nullptr, *d_out = nullptr;
  if (cudaMalloc(&d_in, kElements * sizeof(float)) || cudaMalloc(&d_out, kElements * sizeof(float))) return 1;
  const std::vector<float> input(kElements, 0.25f);
  if (cudaMemcpy(d_in, input.data(), kElements * sizeof(float), cudaMemcpyHostToDevice)) return 1;

  for (const char* checks : {"none", "all"}) {
    if (!only_checks.empty() && only_checks != checks) continue;
    gpusim::enable_checks(checks);
    std::printf("counters on, checks: %s\n", checks);
    measure("arithmetic loop", [&] { arithmetic_loop<<<1024, kBlock>>>(d_out); });
    measure("shared reduction", [&] { shared_reduction<<<kElements / kBlock, kBlock>>>(d_in, d_out); });
    measure("global copy", [&] { global_copy<<<1024, kBlock>>>(d_in, d_out); });
    measure("block scan", [&] { block_scan<<<kElements / kBlock, kBlock>>>(d_in, d_out); });
    measure("matrix tile", [&] {
      matrix_tile<<<dim3(kSide / kTile, kSide / kTile), dim3(kTile, kTile)>>>(d_in, d_in, d_out);
    });
    measure("matrix naive",
            [&] { matrix_naive<<<dim3(kSide / 16, kSide / 16), dim3(16, 16)>>>(d_in, d_in, d_out); });
    measure("stencil", [&] { stencil<<<dim3(64, 64), dim3(16, 16)>>>(d_in, d_out, 1024, 1024); });
  }

  if (const cudaError_t error = cudaDeviceSynchronize()) {
    std::fprintf(stderr, "bench: %s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaFree(d_in);
  cudaFree(d_out);
}
// SPDX-License-Identifier: MIT
