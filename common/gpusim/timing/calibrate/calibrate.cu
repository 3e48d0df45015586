// Measures this computer's GPU and prints a machine model of it, for the simulated GPU to predict times with:
//
//   nvcc -O2 -std=c++17 -arch=native common/gpusim/timing/calibrate/calibrate.cu -o calibrate && ./calibrate > my_gpu.json
//   GPUSIM_MACHINE=my_gpu.json GPUSIM_REPORT=1 ./program
//
// Takes less than a minute. Every number comes from kernels written for one thing each; none knows the tutorial's.
// _latency: cycles until a result can be used. _interval: cycles of the unit (a scheduler for instructions, a
// multiprocessor for shared memory and caches) until it can take the next warp's.
#include "arithmetic.cuh"
#include "atomics.cuh"
#include "bench.cuh"
#include "functions.cuh"
#include "launches.cuh"
#include "memory.cuh"
#include "scattered.cuh"
#include "shared.cuh"

#include <chrono>
#include <cmath>

using namespace calibrate;

namespace {

__global__ void count_cycles(u64* counts, u32* never, u32 seed) {
  u64 begin, end;
  u32 x = seed;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  const u64 first = clock64();
  for (int k = 0; k < 200000; ++k) asm volatile("mad.lo.u32 %0, %0, %0, 1;" : "+r"(x));
  const u64 last = clock64();
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
  if (blockIdx.x == 0 && threadIdx.x == 0) counts[0] = last - first, counts[1] = end - begin;
  if (seed != 0) *never = x;
}

void measure_clock(Results& results) {
  const Buffer<u64> counts(2);
  std::vector<double> megahertz;
  for (int run = 0; run < 6; ++run) {
    count_cycles<<<multiprocessors() * 2, 256>>>(counts.data(), nullptr, 0);
    const std::vector<u64> values = counts.host();
    megahertz.push_back(1e3 * double(values[0]) / double(values[1]));
  }
  results.add("clock_megahertz", median({megahertz.begin() + 1, megahertz.end()}));
}

void describe(Results& results, const cudaDeviceProp& p) {
  const auto attribute = [](cudaDeviceAttr which) {
    int value = 0;
    CALIBRATE_CHECK(cudaDeviceGetAttribute(&value, which, 0));
    return double(value);
  };
  results.add("major", p.major);
  results.add("minor", p.minor);
  results.add("multiprocessors", p.multiProcessorCount);
  results.add("threads_per_multiprocessor", p.maxThreadsPerMultiProcessor);
  results.add("blocks_per_multiprocessor", p.maxBlocksPerMultiProcessor);
  results.add("registers_per_multiprocessor", p.regsPerMultiprocessor);
  results.add("shared_bytes_per_multiprocessor", double(p.sharedMemPerMultiprocessor));
  results.add("shared_bytes_per_block", double(p.sharedMemPerBlockOptin));
  results.add("shared_bytes_reserved", double(p.reservedSharedMemPerBlock));
  results.add("l2_bytes", p.l2CacheSize);
  results.add("memory_bytes", double(p.totalGlobalMem));
  results.add("clock_limit_megahertz", attribute(cudaDevAttrClockRate) / 1e3);
  results.add("memory_clock_megahertz", attribute(cudaDevAttrMemoryClockRate) / 1e3);
  results.add("memory_bus_bits", attribute(cudaDevAttrGlobalMemoryBusWidth));
}

// What the model needs has been measured; else it says what was not, and ends.
void require_constants(const Results& results) {
#define NUMBER(kind, name, member, unit, rule, meaning) (void)results[name];
#include "../constants.def"
}

void print(const Results& results, const cudaDeviceProp& p, double seconds) {
  int driver = 0;
  CALIBRATE_CHECK(cudaDriverGetVersion(&driver));
  std::printf(
      "{\n \"gpu\": \"%s\",\n \"cuda\": \"%d.%d\",\n \"driver_supports_cuda\": \"%d.%d\",\n \"calibration_seconds\": %.1f,\n",
      p.name, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10, driver / 1000, driver % 1000 / 10, seconds);
  for (const auto& row : results.rows())
    std::printf(" \"%s\": %.*g%s\n", row.first.c_str(), row.second == std::floor(row.second) ? 15 : 6,
                row.second, &row == &results.rows().back() ? "\n}" : ",");
}

}  // namespace

int main() {
  const auto start = std::chrono::steady_clock::now();
  cudaDeviceProp properties;
  CALIBRATE_CHECK(cudaGetDeviceProperties(&properties, 0));
  Results results;
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const auto step = [&](const char* what, auto measure) {
    std::fprintf(stderr, "calibrate: %s\n", what);
    measure();
  };
  describe(results, properties);
  step("clock", [&] { measure_clock(results); });
  step("a launch", [&] { measure_launch(results); });
  step("arithmetic", [&] { measure_arithmetic(results); });
  step("mathematical functions", [&] { measure_functions(results); });
  step("shared memory and barriers", [&] { measure_shared(results); });
  step("latencies of memory", [&] { measure_latencies(results); });
  step("caches", [&] { measure_caches(results); });
  step("memory", [&] { measure_memory(results); });
  step("loads in flight", [&] { measure_in_flight(results); });
  step("atomics", [&] { measure_atomics(results); });
  step("random places", [&] { measure_random(results); });
  step("atomics at random places", [&] { measure_random_atomics(results); });
  step("launches", [&] { measure_launches(results); });
  require_constants(results);
  print(results, properties, seconds());
}
// SPDX-License-Identifier: MIT
