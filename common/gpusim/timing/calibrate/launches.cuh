// What a launch costs that does nothing, and a block, and a block that waits for one load.
#pragma once

#include "bench.cuh"

namespace calibrate {

static __global__ void do_nothing(u32* never, u32 seed) {
  if (seed != 0) *never = seed;
}
static __global__ void add_few(const u32* memory, u32* never) {  // a load, a barrier, and an end
  const u32 v = memory[blockIdx.x * blockDim.x + threadIdx.x];
  if (__syncthreads_or(int(v))) *never = v;
}

// Blocks that are alone on their multiprocessor, one after another: what changing from one to the next takes, of nothing,
// of a store behind which the block ends, of a load before it.
enum class Last { nothing, store, load };
template <Last last>
__global__ void be_alone(u32* memory, u32 seed) {
  extern __shared__ u32 room[];
  u32* const mine = memory + blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (last == Last::store) *mine = seed;
  if constexpr (last == Last::load)
    if (*mine != 0) *memory = room[0];
  if (seed != 0) *memory = room[threadIdx.x];
}
template <Last last>
void measure_alone(Results& results, const std::string& name, u32* memory) {
  int most = 0;
  CALIBRATE_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  const int shared = most - 8192, sms = multiprocessors();
  CALIBRATE_CHECK(cudaFuncSetAttribute(be_alone<last>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  for (int threads : {32, 256, 1024}) {
    const auto timed = [&](int each) {
      return nanoseconds_of([&] { be_alone<last><<<each * sms, threads, shared>>>(memory, 0); }, Cache::warm,
                            9);
    };
    results.add("alone_" + std::to_string(threads) + "_threads_" + name + "_nanoseconds",
                (timed(128) - timed(1)) / 127);
  }
}

inline void measure_launch(Results& results) {
  results.add("launch_nanoseconds",
              nanoseconds_of([&] { do_nothing<<<1, 32>>>(nullptr, 0); }, Cache::warm, 9));
}

inline void measure_launches(Results& results) {
  const int sms = multiprocessors();
  const auto nothing = [&](int blocks, int threads, int shared = 0) {
    return nanoseconds_of([&] { do_nothing<<<blocks, threads, shared>>>(nullptr, 0); }, Cache::warm, 9);
  };
  results.add("launch_full_nanoseconds", nothing(sms, 1024));
  // Of two in a row, less one: what a launch adds that follows another.
  const double two = nanoseconds_of(
      [&] {
        for (int k = 0; k < 2; ++k) do_nothing<<<sms, 256>>>(nullptr, 0);
      },
      Cache::warm, 9);
  results.add("next_launch_nanoseconds", two - nothing(sms, 256));
  // Nanoseconds for a block, of many, all multiprocessors together.
  for (int threads : {32, 256, 512, 768, 1024}) {
    const int blocks = sms * 512;
    results.add("block_" + std::to_string(threads) + "_threads_nanoseconds",
                (nothing(blocks, threads) - nothing(sms, threads)) / (blocks - sms));
  }
  results.add("block_256_threads_16KiB_nanoseconds",
              (nothing(sms * 512, 256, 16384) - nothing(sms, 256, 16384)) / (sms * 511));
  const Buffer<u32> memory(std::size_t(sms) * 1024 * 512);
  measure_alone<Last::nothing>(results, "nothing", memory.data());
  measure_alone<Last::store>(results, "store", memory.data());
  measure_alone<Last::load>(results, "load", memory.data());
  for (int each : {1, 8, 64, 512}) {  // blocks of each multiprocessor
    results.add(
        "load_" + std::to_string(each) + "_blocks_nanoseconds",
        nanoseconds_of([&] { add_few<<<each * sms, 256>>>(memory.data(), nullptr); }, Cache::cold, 9));
  }
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
