// Chapter 08, experiment: asks the runtime's calculator how many blocks of a kernel fit on a multiprocessor
// at once, and how many fill the device.
#include <kernels.cuh>

#include <cstddef>
#include <cstdio>
#include <string>

#include "harness/check.h"
#include "harness/device.h"
#include "harness/options.h"
#include "variants.cuh"

namespace {

// Bytes of shared memory that the launch asks for, in addition to the kernel's own.
constexpr int kPlenty = 40 * 1024;

struct Case {
  std::string name;
  const void* kernel;
  int threads;
  int dynamic_bytes;
};

template <int kThreads>
Case step() {
  return {"sum_grid_stride", reinterpret_cast<const void*>(&sum_grid_stride<kThreads>), kThreads, 0};
}

struct SlotsBytes {  // the size of sum_any_block's dynamic shared memory
  __host__ __device__ std::size_t operator()(int threads) const { return threads * sizeof(float); }
};

const void* const kAnyBlock = reinterpret_cast<const void*>(&sum_any_block);

const Case kCases[] = {
    step<64>(),
    step<128>(),
    step<256>(),
    step<512>(),
    step<1024>(),
    {"sum_any_block", kAnyBlock, 32, 32 * sizeof(float)},  // so small that the limit on blocks is met first
    {"sum_any_block", kAnyBlock, 33, 33 * sizeof(float)},  // two warps, and 31 lanes that belong to no thread
    {"sum_any_block", kAnyBlock, 768, 768 * sizeof(float)},  // 2048 threads are not a multiple of 768
    {"sum_any_block", kAnyBlock, 256, kPlenty},              // shared memory is the limit
};

}  // namespace

int main(int argc, char** argv) {
  const harness::Options options = harness::parse_options(argc, argv, "08_grid_sizing.occupancy",
                                                          "how many blocks of a kernel fit at once");
  if (options.json || options.profile || !options.trace_file.empty()) {
    std::fprintf(stderr, "%s: nothing is measured here: run it without --json, --profile and --trace\n",
                 options.program.c_str());
    return harness::kExitBadOption;
  }

  cudaDeviceProp device;
  CUDA_CHECK(cudaGetDeviceProperties(&device, 0));
  const int warps_at_most = device.maxThreadsPerMultiProcessor / device.warpSize;
  std::printf("%s: %d multiprocessors, %d warps on each at most\n\n", device.name, device.multiProcessorCount,
              warps_at_most);
  std::printf("%-15s %7s %9s %12s %8s %8s %10s %14s\n", "kernel", "threads", "registers", "shared bytes",
              "blocks/SM", "warps/SM", "occupancy", "blocks to fill");
  for (const Case& c : kCases) {
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, c.kernel));
    // ANCHOR: ask
    int blocks = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, c.kernel, c.threads, c.dynamic_bytes));
    // ANCHOR_END: ask
    const int warps = blocks * ((c.threads + device.warpSize - 1) / device.warpSize);
    const std::string registers = harness::is_simulated() ? "-" : std::to_string(attributes.numRegs);
    std::printf("%-15s %7d %9s %12d %9d %8d %8d %% %14d\n", c.name.c_str(), c.threads, registers.c_str(),
                static_cast<int>(attributes.sharedSizeBytes) + c.dynamic_bytes, blocks, warps,
                100 * warps / warps_at_most, blocks * device.multiProcessorCount);
  }

  int fewest_blocks = 0, threads = 0;
  CUDA_CHECK(
      cudaOccupancyMaxPotentialBlockSizeVariableSMem(&fewest_blocks, &threads, sum_any_block, SlotsBytes{}));
  std::printf(
      "\nThe runtime would launch sum_any_block with blocks of %d threads: %d of them fill the device.\n",
      threads, fewest_blocks);
  if (harness::is_simulated())
    std::printf(
        "The simulated GPU has the limits of compute capability 8.0 for threads, blocks and shared memory.\n"
        "It does not allot registers: a GPU may hold fewer blocks.\n");
  return 0;
}
// SPDX-License-Identifier: MIT
