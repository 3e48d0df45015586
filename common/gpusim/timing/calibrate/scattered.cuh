// Lanes that go to places of their own: random ones in the caches and in memory, rows that each lane walks along, atomics
// on words that have little in common.
#pragma once

#include "atomics.cuh"
#include "memory.cuh"

namespace calibrate {

// Where a kernel would write what it never has to: sums of what memory or counters hold may be any number once.
inline u32* never() { return reinterpret_cast<u32*>(results_sink()); }

__device__ inline u32 mixed(u32 x) {
  x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// Every `together` neighbouring lanes access neighbouring words, 32-byte sectors at most; where is random among `words`, a
// power of two.
template <Way way>
__global__ void use_random(u64* cycles, u32* memory, u32* never, u32 words, u32 together, int rounds) {
  constexpr int kBatch = 8;
  const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  u32 any = 0;
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    u32 v[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; ++k) {
      const u32 group = (thread + threads * u32(round * kBatch + k)) / together;
      u32* const at = memory + ((mixed(group) * together & (words - 1)) + thread % together);
      if constexpr (way == Way::load) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(at));
      else asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(0));
    }
    if constexpr (way == Way::load) {
#pragma unroll
      for (int k = 0; k < kBatch; ++k) any |= v[k];
    }
  }
  clock.stop(cycles);
  if (any == 0x12345) *never = any;
}

// Each lane's next load waits for its last one, and its warp for the slowest lane. The memory holds zeros.
static __global__ void chase_random(u64* cycles, const u32* memory, u32* never, u32 words, u32 lanes,
                                    int rounds) {
  const u32 lane = threadIdx.x % 32;
  u32 at = mixed(blockIdx.x * blockDim.x + threadIdx.x) & (words - 1);
  const BlockClock clock;
  if (lane < lanes) {
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      u32 zero;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(zero) : "l"(memory + at));
      at = mixed(at + u32(round) + zero) & (words - 1);
    }
  }
  clock.stop(cycles);
  if (at == 0xffffffff) *never = at;
}

// Each lane walks along a row of its own, eight words at a time, through the L1 cache.
static __global__ void walk_rows(u64* cycles, const u32* memory, u32* never, u32 row_words, int rounds) {
  constexpr int kBatch = 8;
  const u32* at = memory + std::size_t(blockIdx.x * blockDim.x + threadIdx.x) * row_words;
  u32 any = 0;
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round, at += kBatch) {
    u32 v[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; ++k) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k));
#pragma unroll
    for (int k = 0; k < kBatch; ++k) any |= v[k];
  }
  clock.stop(cycles);
  if (any == 0x12345) *never = any;
}

// Atomics at random words of so many 128-byte lines, a power of two.
template <Atomic atomic>
__global__ void use_random_atomics(u64* cycles, u32* memory, u32* never, u32 lines, int rounds) {
  const u32 thread = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  u32 any = 0;
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    u32* const at = memory + (mixed(thread + threads * u32(round)) & (lines * 32 - 1));
    if constexpr (atomic == Atomic::red_int) {
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(round));
    } else if constexpr (atomic == Atomic::red_float) {
      asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(1.0f));
    } else {
      u32 before;
      asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(at), "r"(round));
      any ^= before;
    }
  }
  clock.stop(cycles);
  if (any == 0x12345) *never = any;
}

inline void measure_random(Results& results) {
  constexpr u32 kWords = 1u << 28;  // 1 GiB
  const Buffer<u32> memory(kWords);
  const int blocks = 2 * multiprocessors();
  constexpr int kRounds = 4, kBatch = 8;
  const auto all = [&](auto kernel, u32 words, u32 together) {  // ns for a warp's access
    const double ns = nanoseconds_of(
        [&] { kernel<<<blocks, 1024>>>(results_sink(), memory.data(), never(), words, together, kRounds); },
        words == kWords ? Cache::cold : Cache::warm, 3);
    return (ns - results["launch_nanoseconds"]) / (double(kRounds) * kBatch * blocks * 32);
  };
  for (u32 mebibytes : {4, 16, 64, 1024}) {
    const u32 words = mebibytes << 18;
    const std::string name = "_" + std::to_string(mebibytes) + "MiB_all_nanoseconds";
    results.add("random_load" + name, all(use_random<Way::load>, words, 1));
    results.add("random_store" + name, all(use_random<Way::store>, words, 1));
    results.add("random_load_sectors" + name, all(use_random<Way::load>, words, 8));
    results.add("random_store_sectors" + name, all(use_random<Way::store>, words, 8));
  }
  // Every warp at the same word, at the same line.
  results.add("load_one_word_nanoseconds", all(use_random<Way::load>, 1, 1));
  results.add("store_one_word_nanoseconds", all(use_random<Way::store>, 1, 1));
  results.add("load_one_line_nanoseconds", all(use_random<Way::load>, 32, 32));
  results.add("store_one_line_nanoseconds", all(use_random<Way::store>, 32, 32));
  for (u32 mebibytes : {4, 1024})
    for (int warps : {1, 8, 32})
      for (u32 lanes : {1, 32}) {
        const int rounds = 256;
        const double cycles = cycles_of([&](u64* out) {
          if (mebibytes > 4) evict();  // else every place is in the L2 cache from the run before
          chase_random<<<1, warps * 32>>>(out, memory.data(), never(), mebibytes << 18, lanes, rounds);
        });
        results.add("random_chase_" + std::to_string(mebibytes) + "MiB_" + std::to_string(warps) + "_warps_" +
                        std::to_string(lanes) + "_lanes_latency",
                    cycles / rounds);
      }
  // Cycles of a multiprocessor for a warp's load; blocks of 1 to 32 warps, one or two on each.
  for (int warps : {1, 2, 8, 32, 64}) {
    const int threads = std::min(warps, 32) * 32, each = warps > 32 ? 2 : 1, rounds = 32;
    constexpr u32 kRow = 256;  // words: 132 * 2048 rows of 1 KiB are 264 MiB
    const double ns = nanoseconds_of(
        [&] {
          walk_rows<<<each * multiprocessors(), threads>>>(results_sink(), memory.data(), never(), kRow,
                                                           rounds);
        },
        Cache::cold, 3);
    results.add("walk_rows_" + std::to_string(warps) + "_warps_interval",
                (ns - results["launch_nanoseconds"]) * results["clock_megahertz"] / 1e3 /
                    (double(rounds) * kBatch * warps));
  }
}

template <Atomic atomic>
void measure_random_atomic(Results& results, const std::string& name, u32* memory) {
  const int blocks = 4 * multiprocessors();
  for (u32 lines : {1, 8, 64, 512, 4096, 65536}) {
    const int rounds = lines < 64 ? 4 : 16;
    const double ns = nanoseconds_of(
        [&] { use_random_atomics<atomic><<<blocks, 256>>>(results_sink(), memory, never(), lines, rounds); },
        Cache::warm, 3);
    results.add(name + "_random_" + std::to_string(lines) + "_lines_nanoseconds",
                (ns - results["launch_nanoseconds"]) / (double(rounds) * blocks * 256));
  }
}

inline void measure_random_atomics(Results& results) {
  const Buffer<u32> memory(65536u * 32);  // 8 MiB
  measure_random_atomic<Atomic::red_int>(results, "global_red_int", memory.data());
  measure_random_atomic<Atomic::red_float>(results, "global_red_float", memory.data());
  measure_random_atomic<Atomic::atom_int>(results, "global_atomic_int", memory.data());
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
