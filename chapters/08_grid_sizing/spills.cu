// Chapter 08, experiment: what becomes of a thread's own array, and of more values than a thread has
// registers. Local memory is a thread's own stretch of global memory.
#include <kernels.cuh>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <vector>

#include "harness/counters.h"
#include "harness/harness.h"

namespace {

constexpr int kRun = 1024;  // elements that a thread of sum_run keeps in an array
#ifndef FEW
#define FEW 32  // from 16, nvcc would select one by comparisons: `common/measure.py registers` shows it
#endif
constexpr int kFew = FEW;  // elements of a smaller array
constexpr int kMany = 48;  // values that are all needed at once

// Each thread sums a run of kRun elements: it does a block's tree, in an array of its own. That is
// too large for registers, and its indices are known only at run time.
__global__ void sum_run(const float* in, float* run_sums, int n) {
  const int run = blockIdx.x * blockDim.x + threadIdx.x;
  if (run > (n - 1) / kRun) return;  // beyond the last run
  float mine[kRun];
  for (int k = 0; k < kRun; ++k) mine[k] = run * kRun + k < n ? in[run * kRun + k] : 0.0f;
  for (int stride = kRun / 2; stride > 0; stride /= 2)
    for (int k = 0; k < stride; ++k) mine[k] += mine[k + stride];
  run_sums[run] = mine[0];
}

// Sums each stretch of blockDim.x * kFew elements, blockDim.x = kBlock, adding a thread's elements in the
// order 0, step, 2 * step … modulo kFew; step is odd. With kStepKnown the step is 3, whatever the argument
// says.
// ANCHOR: few
template <bool kStepKnown>
__global__ void sum_few(const float* in, float* block_sums, int n, int given_step) {
  __shared__ float tile[kBlock];
  const int t = threadIdx.x, first = blockIdx.x * (kBlock * kFew) + t;
  const int step = kStepKnown ? 3 : given_step;
  float mine[kFew];
#pragma unroll
  for (int k = 0; k < kFew; ++k) mine[k] = first + k * kBlock < n ? in[first + k * kBlock] : 0.0f;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kFew; ++k) sum += mine[k * step % kFew];  // only a constant index can name a register

  tile[t] = sum;
  add_tile<kBlock>(tile, t);
  if (t == 0) block_sums[blockIdx.x] = tile[0];
}
// ANCHOR_END: few

// Each thread sums kMany elements, the last one first, so all of them must be loaded before the first
// addition: volatile keeps the loads in order. kBlocksAtOnce blocks of 1024 threads must fit on a
// multiprocessor, which has 65536 registers: 64 a thread for one block, 32 for two. No guard: `in` has kMany
// elements for every thread of the grid.
template <int kBlocksAtOnce>
__global__ void __launch_bounds__(1024, kBlocksAtOnce) sum_many(const float* in, float* thread_sums) {
  const int stride = gridDim.x * blockDim.x, first = blockIdx.x * blockDim.x + threadIdx.x;
  float mine[kMany];
#pragma unroll
  for (int k = 0; k < kMany; ++k) mine[k] = *const_cast<const volatile float*>(in + first + k * stride);
  float sum = 0.0f;
#pragma unroll
  for (int k = kMany - 1; k >= 0; --k) sum += mine[k];
  thread_sums[first] = sum;
}

struct Case {
  const char* name;
  const void* kernel;
  int sums;
  std::function<void(float* d_sums)> launch;
};

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(argc, argv, "08_grid_sizing.spills",
                                                          "arrays and values that do not fit into registers");
  const int n = options.n;
  const auto parts = [n](int size) { return n == 0 ? 1 : (n - 1) / size + 1; };
  const int runs = parts(kRun), stretches = parts(kBlock * kFew);
  const int many_blocks = parts(1024 * kMany), many_threads = many_blocks * 1024;

  // Whole numbers: their sum is exact in any order. Zeros pad the array for sum_many.
  std::vector<float> input = harness::small_integers(n, options.seed);
  const harness::Reference expected = harness::reference_sum(input);
  input.resize(std::max<std::size_t>(n, std::size_t(many_threads) * kMany), 0.0f);
  const harness::DeviceBuffer<float> d_in(input);
  const float* in = d_in.data();

  const Case cases[] = {
      {"sum_run", reinterpret_cast<const void*>(&sum_run), runs,
       [&](float* d_sums) { sum_run<<<parts(kRun * kBlock), kBlock>>>(in, d_sums, std::max(n, 1)); }},
      {"sum_few, step given", reinterpret_cast<const void*>(&sum_few<false>), stretches,
       [&](float* d_sums) { sum_few<false><<<stretches, kBlock>>>(in, d_sums, n, 3); }},
      {"sum_few, step known", reinterpret_cast<const void*>(&sum_few<true>), stretches,
       [&](float* d_sums) { sum_few<true><<<stretches, kBlock>>>(in, d_sums, n, 3); }},
      {"sum_many, 64 registers", reinterpret_cast<const void*>(&sum_many<1>), many_threads,
       [&](float* d_sums) { sum_many<1><<<many_blocks, 1024>>>(in, d_sums); }},
      {"sum_many, 32 registers", reinterpret_cast<const void*>(&sum_many<2>), many_threads,
       [&](float* d_sums) { sum_many<2><<<many_blocks, 1024>>>(in, d_sums); }},
  };

  harness::Report report(options);
  std::string memory;
  for (const Case& c : cases) {
    harness::DeviceBuffer<float> d_sums(c.sums);
    report.measure(c.name, n * sizeof(float), [&] { c.launch(d_sums.data()); });
    double total = 0;
    for (float sum : d_sums.download()) total += sum;
    report.verify(harness::verify_sum(static_cast<float>(total), expected, harness::kExact));

    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, c.kernel));
    char line[160];
    const auto& counters = report.summary().rows.back().counters;
    if (counters)
      std::snprintf(line, sizeof line, "%-22s  %10d  %14.0f  %15.0f\n", c.name,
                    int(attributes.localSizeBytes), counters->at("local_load_requests"),
                    counters->at("local_store_requests"));
    else
      std::snprintf(line, sizeof line, "%-22s  %10d  %9d\n", c.name, int(attributes.localSizeBytes),
                    attributes.numRegs);
    memory += line;
  }
  const int status = report.finish();
  if (options.json) return status;
  if (harness::is_simulated())
    std::printf(
        "\n%-22s  %10s  %14s  %15s\n%s\nptxas decides what spills. The simulated GPU runs PTX, before ptxas,"
        " so sum_many spills nothing here.\n",
        "kernel", "local B/th", "local loads", "local stores", memory.c_str());
  else std::printf("\n%-22s  %10s  %9s\n%s", "kernel", "local B/th", "registers", memory.c_str());
  return status;
}
// SPDX-License-Identifier: MIT
