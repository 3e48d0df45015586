// How fast is the simulated GPU? Warp instructions per second on one core, for three kinds of kernel: with the counters
// on, then with all checks on as well.
// Run by `meson test -C build --benchmark`. It prints; it never fails for being slow.
#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "gpusim/check.h"
#include "gpusim/report.h"

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

template <class Launch> void measure(const char* name, Launch launch) {
  launch();  // warm-up: page faults, caches
  double best = 1e30;
  for (int sample = 0; sample < 5; ++sample) {
    gpusim::clear_reports();
    const auto begin = std::chrono::steady_clock::now();
    launch();
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    if (seconds.count() < best) best = seconds.count();
  }
  const double instructions = double(gpusim::last_report().total.warp_instructions);
  std::printf("%-18s %12.0f warp instructions %8.1f ms %8.1f million per second\n", name, instructions,
              best * 1e3, instructions / best / 1e6);
}

}  // namespace

int main() {
  gpusim::enable_reports();
  float *d_in = nullptr, *d_out = nullptr;
  if (cudaMalloc(&d_in, kElements * sizeof(float)) || cudaMalloc(&d_out, kElements * sizeof(float))) return 1;
  const std::vector<float> input(kElements, 0.25f);
  if (cudaMemcpy(d_in, input.data(), kElements * sizeof(float), cudaMemcpyHostToDevice)) return 1;

  for (const char* checks : {"none", "all"}) {
    gpusim::enable_checks(checks);
    std::printf("counters on, checks: %s\n", checks);
    measure("arithmetic loop", [&] { arithmetic_loop<<<1024, kBlock>>>(d_out); });
    measure("shared reduction", [&] { shared_reduction<<<kElements / kBlock, kBlock>>>(d_in, d_out); });
    measure("global copy", [&] { global_copy<<<1024, kBlock>>>(d_in, d_out); });
  }

  if (const cudaError_t error = cudaDeviceSynchronize()) {
    std::fprintf(stderr, "bench: %s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaFree(d_in);
  cudaFree(d_out);
}
