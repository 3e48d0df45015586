// What the time model says of the L2 cache (common/gpusim/timing/README.md, "After the seventh test"), one experiment for each
// statement. For a GPU only:
//
//   nvcc -O3 -std=c++17 -arch=sm_90 tests/gpusim/fidelity/l2_experiments.cu -o l2_experiments && ./l2_experiments
//
// Rows of JSON come out: nanoseconds, in what unit the row says. l2_experiments_h200.json has those of an H200.
#include <functional>
#include <string>

#include "../../../common/gpusim/timing/calibrate/bench.cuh"

namespace {

using calibrate::Buffer;
using calibrate::Cache;
using calibrate::u32;

constexpr std::size_t kMiB = (std::size_t(1) << 20) / sizeof(u32);  // words
constexpr std::size_t kMostMiB = 256;

// A bijection of the numbers below 2^bits.
__device__ u32 shuffled(u32 x, u32 bits) {
  const u32 mask = (u32(1) << bits) - 1;
  for (const u32 odd : {0x9e3779b1u, 0x85ebca6bu, 0xc2b2ae35u}) x = x * odd & mask, x ^= x >> bits / 2;
  return x;
}

__device__ u32 mixed(u32 x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}

__device__ void store(u32* at, u32 value) { asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value)); }

// A warp reads line after line. Each place depends on what the last load brought, which is 0.
__global__ void walk(u32* memory, u32 lines, u32 lines_behind) {
  u32 line = blockIdx.x * lines_behind % lines, sum = 0;
#pragma unroll 1
  for (u32 k = 0; k < lines; ++k) {
    u32 value;
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(memory + line * 32 + sum + threadIdx.x));
    sum += value;
    line = line + 1 == lines ? 0 : line + 1;
  }
  if (sum != 0) *memory = sum;
}

// Each thread stores the first words of its structure.
template <u32 kStored> __global__ void store_words(u32* memory, u32 words_of_structure, u32 n) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (u32 k = 0; k < kStored; ++k) store(memory + std::size_t(i) * words_of_structure + k, k);
}

__global__ void scatter(u32* memory, u32 bits) {
  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  store(memory + shuffled(i, bits), i);
}

__global__ void load_anywhere(u32* memory, u32 words, u32 rounds) {
  const u32 t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  u32 sum = 0;
#pragma unroll 8
  for (u32 r = 0; r < rounds; ++r) {
    u32 value;
    const std::size_t at = std::size_t(mixed(t + threads * r)) * words >> 32;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(memory + at));
    sum += value;
  }
  if (sum != 0) *memory = sum;
}

// The first `lanes` lanes of a warp store to random words. Then, unless `words` is 0, all lanes store to one of `words` common words,
// which lie 4 KiB apart.
__global__ void store_behind(u32* memory, u32* common, u32 lanes, u32 words, u32 rounds) {
  const u32 t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (u32 r = 0; r < rounds; ++r) {
    if (t % 32 < lanes) store(memory + mixed(t + threads * r) % (4 * kMiB), 1);
    if (words != 0) store(common + (t / 32 + r) % words * 1024, 1);
  }
}

__global__ void count(u32* counters, u32 rounds) {
  const u32 t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
#pragma unroll 1
  for (u32 r = 0; r < rounds; ++r) atomicAdd(&counters[mixed(t + threads * r) % 256], 1u);
}

__global__ void nothing() {}

class Rows {
 public:
  Rows() : empty_(calibrate::nanoseconds_of([] { nothing<<<132, 32>>>(); }, Cache::cold, 21)) {}
  // `parts`: how many of the unit the launch makes.
  void add(const std::string& what, const std::string& unit, double parts, Cache cache,
           const std::function<void()>& launch) {
    const double ns = (calibrate::nanoseconds_of(launch, cache, 7) - empty_) / parts;
    std::printf("%s\n  {\"launch\": \"%s\", \"caches\": \"%s\", \"nanoseconds\": %.4f, \"for\": \"%s\"}",
                separator_, what.c_str(), cache == Cache::cold ? "cold" : "warm", ns, unit.c_str());
    separator_ = ",";
  }

 private:
  double empty_;
  const char* separator_ = "";
};

void add_walks(Rows& rows, u32* memory) {
  constexpr u32 kLines = 512;
  const auto add = [&](const std::string& what, u32 blocks, u32 behind, Cache cache) {
    rows.add(what, "line", kLines, cache, [=] { walk<<<blocks, 32>>>(memory, kLines, behind); });
  };
  add("1 block reads lines", 1, 0, Cache::cold);
  add("132 blocks read the same lines in step", 132, 0, Cache::cold);
  add("132 blocks read the same lines, each 4 lines behind the one before", 132, 4, Cache::cold);
  add("132 blocks read the same lines in step", 132, 0, Cache::warm);
}

template <u32 kStored> void add_stores(Rows& rows, u32* memory, u32 words) {
  const u32 n = u32(24 * kMiB / words);
  rows.add(std::to_string(kStored) + " stores to structures of " + std::to_string(words) + " words, 24 MiB",
           "thread, 32 of them", n / 32.0, Cache::warm,
           [=] { store_words<kStored><<<(n + 255) / 256, 256>>>(memory, words, n); });
}

void add_scatters(Rows& rows, u32* memory) {
  constexpr u32 kBits = 23;  // 32 MiB
  for (const Cache cache : {Cache::cold, Cache::warm})
    rows.add("each word of 32 MiB is stored once, in random order", "warp", (1u << kBits) / 32.0, cache,
             [=] { scatter<<<(1u << kBits) / 256, 256>>>(memory, kBits); });
}

void add_capacity(Rows& rows, u32* memory) {
  constexpr u32 kRounds = 32, kBlocks = 264;
  for (const u32 mib : {16, 32, 36, 40, 44, 48, 64, 128, 256})
    rows.add("loads of random words of " + std::to_string(mib) + " MiB", "warp's load",
             double(kRounds) * kBlocks * 32, Cache::warm,
             [=] { load_anywhere<<<kBlocks, 1024>>>(memory, u32(mib * kMiB), kRounds); });
}

void add_common_words(Rows& rows, u32* memory, u32* common) {
  constexpr u32 kRounds = 32, kBlocks = 528;
  for (const u32 lanes : {0, 8, 16, 32})
    for (const u32 words : {0, 1, 64})
      if (lanes + words > 0)
        rows.add(std::to_string(lanes) + " lanes store to random words, all lanes to " +
                     std::to_string(words) + " common words",
                 "warp's round", double(kRounds) * kBlocks * 8, Cache::warm,
                 [=] { store_behind<<<kBlocks, 256>>>(memory, common, lanes, words, kRounds); });
}

void add_counters(Rows& rows, u32* memory) {
  constexpr u32 kRounds = 8, kBlocks = 528;
  for (const u32 line : {0, 4})
    rows.add("256 counters from line " + std::to_string(line) + " on", "atomic",
             double(kRounds) * kBlocks * 256, Cache::warm,
             [=] { count<<<kBlocks, 256>>>(memory + line * 32, kRounds); });
}

}  // namespace

int main() {
  cudaDeviceProp properties;
  int runtime = 0;
  CALIBRATE_CHECK(cudaGetDeviceProperties(&properties, 0));
  CALIBRATE_CHECK(cudaRuntimeGetVersion(&runtime));
  const Buffer<u32> memory(kMostMiB * kMiB), common(64 * 1024);
  std::printf("{\"gpu\": \"%s\", \"cuda\": \"%d.%d\", \"rows\": [", properties.name, runtime / 1000,
              runtime % 1000 / 10);
  Rows rows;
  add_walks(rows, memory.data());
  add_stores<1>(rows, memory.data(), 3);
  add_stores<3>(rows, memory.data(), 3);
  add_stores<1>(rows, memory.data(), 8);
  add_stores<8>(rows, memory.data(), 8);
  add_scatters(rows, memory.data());
  add_capacity(rows, memory.data());
  add_common_words(rows, memory.data(), common.data());
  add_counters(rows, memory.data());
  std::printf("\n]}\n");
}
// SPDX-License-Identifier: MIT
