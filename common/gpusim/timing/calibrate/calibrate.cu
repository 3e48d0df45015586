// Measures this computer's GPU and prints a machine model of it, for the simulated GPU to predict times with:
//
//   nvcc -O2 -std=c++17 -arch=native common/gpusim/timing/calibrate/calibrate.cu -o calibrate && ./calibrate > my_gpu.json
//   GPUSIM_MACHINE=my_gpu.json GPUSIM_REPORT=1 ./program
//
// Runs from compute capability 7.0 on. What a GPU has no instruction for is left out (redux, below 8.0), and the file then
// takes it from a base.
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

// The constants that this GPU has no instruction for. If another one was not measured, says so, and ends.
std::vector<std::string> left_out(const Results& results) {
  std::vector<std::string> names;
  const auto require = [&](const std::string& name) {
    const bool is_new = name.rfind("reduce_add", 0) == 0 && results["major"] < 8;
    if (is_new && !results.has(name)) names.push_back(name);
    else (void)results[name];
  };
#define NUMBER(kind, name, member, unit, rule, meaning) require(name);
#include "../constants.def"
  return names;
}

// Whose constants stand for those that are left out.
constexpr const char* kBase = "h100";

void tell_left_out(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  if (!names.empty())
    std::fprintf(
        stderr,
        "calibrate: left out, because this GPU has no such instruction: %s. The file takes them from %s\n",
        list.c_str(), kBase);
}

void print(const Results& results, const cudaDeviceProp& p, double seconds, bool has_base) {
  int driver = 0;
  CALIBRATE_CHECK(cudaDriverGetVersion(&driver));
  std::printf(
      "{\n \"gpu\": \"%s\",\n%s \"cuda\": \"%d.%d\",\n \"driver_supports_cuda\": \"%d.%d\",\n \"calibration_seconds\": %.1f,\n",
      p.name, has_base ? (std::string(" \"base\": \"") + kBase + "\",\n").c_str() : "", CUDART_VERSION / 1000,
      CUDART_VERSION % 1000 / 10, driver / 1000, driver % 1000 / 10, seconds);
  if (has_base) std::printf(" \"measured\": {\n");
  for (const auto& row : results.rows())
    std::printf(" \"%s\": %.*g%s\n", row.first.c_str(), row.second == std::floor(row.second) ? 15 : 6,
                row.second, &row == &results.rows().back() ? "\n}" : ",");
  if (has_base) std::printf("}\n");
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
  const std::vector<std::string> names = left_out(results);
  tell_left_out(names);
  print(results, properties, seconds(), !names.empty());
}
// SPDX-License-Identifier: MIT
