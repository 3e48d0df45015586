// Chapter 12, experiment: asynchronous copies to shared memory, compared with loads into registers. Needs a GPU of
// compute capability 9.0 or later.
#include <kernels.cuh>

#include <cstdio>
#include <vector>

#include "grid.cuh"
#include "harness/harness.h"
#include "loads.cuh"
#include "steps.cuh"

#if defined(__CUDACC__) && defined(__NVCC__)
#include "async_copies.cuh"

namespace {

constexpr int kBytes = 16384, kStages = 8;

template <int kDepth>
__global__ void __launch_bounds__(kBlock) sum_cp_async(const float* in, float* block_sums, int n) {
  const float sum = block_sum(thread_sum_cp_async<kDepth>(in, n));
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// Empty below compute capability 9.0, where measure_all does not launch it.
__global__ void __launch_bounds__(kBlock) sum_bulk(const float* in, float* block_sums, int n) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  const float sum = block_sum(thread_sum_bulk<kStages, kBytes>(in, n));
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
#endif
}

int measure_all(const harness::Options& options) {
  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  if (device.major < 9) {
    std::printf("%s has no bulk copies: they need compute capability 9.0\n", device.name);
    return harness::kExitSkipped;
  }
  const int n = options.n / (kBytes / 4) * (kBytes / 4);
  const std::vector<float> input = harness::small_integers(n, options.seed);  // exact in any order
  const harness::DeviceBuffer<float> d_in(input);
  harness::Report report(options);
  const auto measure = [&](const char* name, int blocks, auto launch) {
    harness::DeviceBuffer<float> d_sums(blocks);
    d_sums.fill_poison();
    report.measure(name, d_in.bytes(), [&] { launch(blocks, d_sums.data()); });
    report.verify(verify_together(d_sums.download(), input));
  };
  const int many = blocks_for<kBlock, kLoads>(n), multiprocessors = device.multiProcessorCount;
  constexpr int kShared = kStages * kBytes;
  constexpr int kCopies = 8, kOwn = kCopies * kBlock * 16;  // of cp.async
  CUDA_CHECK(cudaFuncSetAttribute(sum_bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CUDA_CHECK(cudaFuncSetAttribute(sum_cp_async<kCopies>, cudaFuncAttributeMaxDynamicSharedMemorySize, kOwn));
  measure("registers, 8 loads", many, [&](int blocks, float* sums) {
    sum_blocks<Batches<8, Streaming>><<<blocks, kBlock>>>(d_in.data(), sums, n);
  });
  measure("cp.async, 8 copies, as many blocks", many, [&](int blocks, float* sums) {
    sum_cp_async<kCopies><<<blocks, kBlock, kOwn>>>(d_in.data(), sums, n);
  });
  measure("cp.async, 8 copies, 3 blocks a multiprocessor", 3 * multiprocessors, [&](int blocks, float* sums) {
    sum_cp_async<kCopies><<<blocks, kBlock, kOwn>>>(d_in.data(), sums, n);
  });
  measure("bulk copies, 8 of 16 KiB, 1 block a multiprocessor", multiprocessors,
          [&](int blocks, float* sums) { sum_bulk<<<blocks, kBlock, kShared>>>(d_in.data(), sums, n); });
  return report.finish();
}

}  // namespace
#endif

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(argc, argv, "12_bandwidth_limit.async_copies",
                                                          "sums n floats that come through shared memory");
#if defined(__CUDACC__) && defined(__NVCC__)
  if (!harness::is_simulated()) return measure_all(options);
#endif
  std::printf("bulk copies are not simulated: %s.gpu runs on a GPU\n", options.program.c_str());
  return harness::kExitSkipped;
}
// SPDX-License-Identifier: MIT
