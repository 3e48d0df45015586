// The caches and the memory behind them: how long a load takes, how much comes through, alone and with everyone.
#pragma once

#include "bench.cuh"

namespace calibrate {

enum class Level { l1, l2 };  // which caches a load may find its data in: .ca, .cg

static __global__ void link_words(u32* next, u32 count, u32 step) {  // next[i] = i + step, in a ring
  for (u32 i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    next[i] = (i + step) % count;
}
template <Level level>
__global__ void chase(u64* cycles, u32* never, const u32* next, int rounds, int warm) {
  u32 at = 0;
  const auto go = [&](int count) {
#pragma unroll 1
    for (int round = 0; round < count; ++round) {
      if constexpr (level == Level::l1)
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
      else asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(at) : "l"(next + at));
    }
  };
  go(warm);
  const BlockClock clock;
  go(rounds);
  clock.stop(cycles);
  if (at == 0xffffffff) *never = at;
}

inline void measure_latencies(Results& results) {
  constexpr u32 kWords = 64u << 20;  // 256 MiB
  const Buffer<u32> next(kWords);
  const auto with_links = [&](u32 bytes, u32 step_bytes, auto launch) {
    link_words<<<1024, 256>>>(next.data(), bytes / 4, step_bytes / 4);
    return launch();
  };
  const double address = results["int_mad_latency"];  // the load's address is next + 4 · at
  results.add("l1_latency", with_links(16 << 10, 128, [&] {
                return cycles_of([&](u64* out) {
                         chase<Level::l1><<<1, 1>>>(out, nullptr, next.data(), 1024, 128);
                       }) / 1024 -
                       address;
              }));
  results.add("l2_latency", with_links(2 << 20, 4224, [&] {
                return cycles_of([&](u64* out) {
                         chase<Level::l2><<<1, 1>>>(out, nullptr, next.data(), 1024, 1024);
                       }) / 1024 -
                       address;
              }));
  const auto cold = [&](u32 bytes, u32 step) {
    return with_links(bytes, step, [&] {
      return cycles_of([&](u64* out) {
               evict();
               chase<Level::l2><<<1, 1>>>(out, nullptr, next.data(), 1024, 0);
             }) / 1024 -
             address;
    });
  };
  results.add("dram_latency", cold(8u << 20, 8320));       // within a few pages
  results.add("dram_next_latency", cold(16u << 20, 128));  // line after line
  results.add("dram_next_sector_latency", cold(16u << 20, 32));
  results.add("dram_next_pair_latency", cold(16u << 20, 64));
  results.add("dram_next_page_latency", cold(128u << 20, 4096));
  results.add("dram_far_latency", cold(256u << 20, 270464));  // every load in another page
}

// Every lane reads or writes 4 or 16 bytes; lanes are `stride` elements apart, in tiles of 32 · stride elements. A warp
// takes one column of `batch` tiles at a time, the next warp the next column.
enum class Way { load, store };
struct Pattern {
  u32 elements;  // a power of two: the footprint
  u32 stride;    // a power of two
};
template <Way way, class T, int batch>
__global__ void __launch_bounds__(1024)
    use_memory(u64* cycles, T* memory, u32* never, Pattern p, int rounds) {
  const u32 lane = threadIdx.x % 32, warps = gridDim.x * blockDim.x / 32;
  u32 warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  const u32 value = u32(rounds), tile = 32 * p.stride;
  u32 any = 0;
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round, warp += warps) {
    T v[batch];
    T* at =
        memory + ((warp / p.stride * batch * tile + lane * p.stride + warp % p.stride) & (p.elements - 1));
#pragma unroll
    for (int k = 0; k < batch; ++k, at += tile) {
      if constexpr (way == Way::load) {
        if constexpr (sizeof(T) == 4) asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(v[k]) : "l"(at));
        else
          asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                       : "l"(at));
      } else {
        if constexpr (sizeof(T) == 4) asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value));
        else asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(at), "r"(value));
      }
    }
    if constexpr (way == Way::load) {
#pragma unroll
      for (int k = 0; k < batch; ++k)
        if constexpr (sizeof(T) == 4) any |= v[k];
        else any |= v[k].x | v[k].y | v[k].z | v[k].w;
    }
  }
  clock.stop(cycles);
  if (any == 0x12345) *never = any;
}

// Loads that hit in the L1 cache, by one multiprocessor. The memory holds zeros, so that each round reads what the one
// before has read; the compiler does not know.
template <class T>
__global__ void __launch_bounds__(1024)
    use_l1(u64* cycles, const T* memory, u32* never, u32 stride, int rounds) {
  const T* at = memory + threadIdx.x % 32 * stride;
  u32 any = 0;
  for (int warm = 0; warm < 2; ++warm) {
    const BlockClock clock;
#pragma unroll 1
    for (int round = 0; round < rounds; ++round) {
      T v[8];
#pragma unroll
      for (int k = 0; k < 8; ++k)
        if constexpr (sizeof(T) == 4)
          asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(v[k]) : "l"(at + k * 32));
        else
          asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
                       : "=r"(v[k].x), "=r"(v[k].y), "=r"(v[k].z), "=r"(v[k].w)
                       : "l"(at + k * 32));
#pragma unroll
      for (int k = 0; k < 8; ++k)
        if constexpr (sizeof(T) == 4) any |= v[k];
        else any |= v[k].x | v[k].y | v[k].z | v[k].w;
      at += any;
    }
    clock.stop(cycles);
  }
  if (any == 0x12345) *never = any;
}

inline void measure_caches(Results& results) {
  // 16 MiB, or the power of two that fits half of a smaller L2 cache.
  constexpr u32 kMost = 4u << 20, kLeast = 1u << 19;
  u32 elements = kMost;
  while (elements > kLeast && double(elements) * 8 > results["l2_bytes"]) elements /= 2;
  const Buffer<u32> memory(elements);
  const int blocks = 2 * multiprocessors();
  for (u32 stride : {1, 2, 4, 8, 9, 17, 32, 33}) {  // odd ones: as many lines, each lane in a bank of its own
    const double cycles =
        cycles_of([&](u64* out) { use_l1<u32><<<1, 1024>>>(out, memory.data(), nullptr, stride, 64); });
    results.add("l1_stride" + std::to_string(stride) + "_interval", cycles / (64 * 8 * 32));
  }
  results.add("l1_16_interval", cycles_of([&](u64* out) {
                                  use_l1<uint4><<<1, 1024>>>(out, reinterpret_cast<uint4*>(memory.data()),
                                                             nullptr, 1, 64);
                                }) / (64 * 8 * 32));
  // Warps' accesses that hit in the L2 cache: nanoseconds for one, all multiprocessors together; cycles, one alone.
  const auto all = [&](auto way, u32 stride) {
    constexpr Way kWay = decltype(way)::value;
    const int rounds = stride == 1 ? 64 : 16;
    const double ns = nanoseconds_of(
        [&] {
          use_memory<kWay, u32, 8>
              <<<blocks, 1024>>>(results_sink(), memory.data(), nullptr, Pattern{elements, stride}, rounds);
        },
        Cache::warm);
    return ns / (double(rounds) * 8 * blocks * 32);
  };
  const auto alone = [&](auto way, u32 stride) {
    constexpr Way kWay = decltype(way)::value;
    return cycles_of([&](u64* out) {
             use_memory<kWay, u32, 8>
                 <<<2, 1024>>>(out, memory.data(), nullptr, Pattern{1u << 19, stride}, 64);
           }) /
           (64.0 * 8 * 32);
  };
  using Loads = std::integral_constant<Way, Way::load>;
  using Stores = std::integral_constant<Way, Way::store>;
  for (u32 stride : {1, 2, 4, 8, 16, 32, 1024}) {
    const std::string name = "stride" + std::to_string(stride);
    results.add("l2_load_" + name + "_all_nanoseconds", all(Loads{}, stride));
    results.add("l2_store_" + name + "_all_nanoseconds", all(Stores{}, stride));
    results.add("l2_load_" + name + "_interval", alone(Loads{}, stride));
    results.add("l2_store_" + name + "_interval", alone(Stores{}, stride));
  }
  const double ns = nanoseconds_of(
      [&] {
        use_memory<Way::load, uint4, 4><<<blocks, 1024>>>(
            results_sink(), reinterpret_cast<uint4*>(memory.data()), nullptr, Pattern{elements / 4, 1}, 64);
      },
      Cache::warm);
  results.add("l2_load16_all_nanoseconds", ns / (64.0 * 4 * blocks * 32));
  results.add("l2_load16_interval", cycles_of([&](u64* out) {
                                      use_memory<Way::load, uint4, 4>
                                          <<<1, 1024>>>(out, reinterpret_cast<uint4*>(memory.data()), nullptr,
                                                        Pattern{1u << 16, 1}, 64);
                                    }) / (64.0 * 4 * 32));
  results.add("l2_store16_interval", cycles_of([&](u64* out) {
                                       use_memory<Way::store, uint4, 4>
                                           <<<1, 1024>>>(out, reinterpret_cast<uint4*>(memory.data()),
                                                         nullptr, Pattern{1u << 16, 1}, 64);
                                     }) / (64.0 * 4 * 32));
}

static __global__ void copy_words(const uint4* from, uint4* to, u32 count) {
  constexpr int kBatch = 4;
  for (u32 i = blockIdx.x * blockDim.x * kBatch + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x * kBatch) {
    uint4 v[kBatch];
#pragma unroll
    for (int k = 0; k < kBatch; ++k)
      if (i + k * blockDim.x < count) v[k] = from[i + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < kBatch; ++k)
      if (i + k * blockDim.x < count) to[i + k * blockDim.x] = v[k];
  }
}

// GB/s of the memory itself, without the time of a launch, for several lengths: reading, writing, copying with a kernel, copying with the runtime.
inline void measure_memory(Results& results) {
  constexpr u32 kMost = 1u << 26;  // of 16 bytes: 1 GiB
  const Buffer<uint4> from(kMost), to(kMost);
  const int blocks = 2 * multiprocessors();
  for (u32 mebibytes : {32, 64, 128, 256, 1024}) {
    const u32 count = mebibytes << 16;
    const double bytes = double(count) * sizeof(uint4);
    const std::string name = "_" + std::to_string(mebibytes) + "MiB_gigabytes_per_second";
    const int rounds = int(std::max(1u, count / (u32(blocks) * 1024 * 4)));
    const double moved = double(rounds) * blocks * 1024 * 4 * sizeof(uint4);
    const double launch = results["launch_nanoseconds"];
    const auto timed = [&](auto what, Cache cache) { return nanoseconds_of(what, cache) - launch; };
    const auto read = [&] {
      use_memory<Way::load, uint4, 4>
          <<<blocks, 1024>>>(results_sink(), from.data(), nullptr, Pattern{kMost, 1}, rounds);
    };
    const auto write = [&] {
      use_memory<Way::store, uint4, 4>
          <<<blocks, 1024>>>(results_sink(), to.data(), nullptr, Pattern{kMost, 1}, rounds);
    };
    const auto copy = [&] { copy_words<<<8 * multiprocessors(), 256>>>(from.data(), to.data(), count); };
    const auto runtime_copy = [&] {
      CALIBRATE_CHECK(cudaMemcpyAsync(to.data(), from.data(), std::size_t(bytes), cudaMemcpyDeviceToDevice));
    };
    results.add("read" + name, moved / timed(read, Cache::cold));
    results.add("read_warm" + name, moved / timed(read, Cache::warm));
    results.add("write" + name, moved / timed(write, Cache::cold));
    results.add("copy" + name, 2 * bytes / timed(copy, Cache::cold));
    results.add("runtime_copy" + name, 2 * bytes / timed(runtime_copy, Cache::cold));
  }
  // Lanes far apart, in more than the caches hold: nanoseconds for a warp's access.
  for (u32 stride : {1, 8, 32, 4096}) {
    u32* const words = reinterpret_cast<u32*>(from.data());
    const Pattern pattern{1u << 27, stride};
    const std::string name = "_stride" + std::to_string(stride) + "_all_nanoseconds";
    const int rounds = int((1u << 27) / (u32(blocks) * 1024 * 8));
    const double accesses = double(rounds) * 8 * blocks * 32;
    results.add("dram_load" + name, nanoseconds_of(
                                        [&] {
                                          use_memory<Way::load, u32, 8><<<blocks, 1024>>>(
                                              results_sink(), words, nullptr, pattern, rounds);
                                        },
                                        Cache::cold, 3) /
                                        accesses);
    results.add("dram_store" + name, nanoseconds_of(
                                         [&] {
                                           use_memory<Way::store, u32, 8><<<blocks, 1024>>>(
                                               results_sink(), words, nullptr, pattern, rounds);
                                         },
                                         Cache::cold, 3) /
                                         accesses);
  }
  CALIBRATE_CHECK(cudaMemset(from.data(), 0, std::size_t(kMost) * sizeof(uint4)));
}

// GB/s of reading 512 MiB with so many bytes in flight on each multiprocessor. Where 64 warps do not fit: with as many as do.
template <int batch>
void measure_in_flight(Results& results, const u32* memory) {
  for (int warps : {1, 2, 4, 8, 16, 32, 64}) {
    const int threads = std::min(warps, 8) * 32;
    const int blocks_each = std::min(std::max(warps / 8, 1), resident_blocks(results, threads / 32));
    const int blocks = blocks_each * multiprocessors();
    const double warp_accesses =
        std::min(4e6, blocks_each * threads / 32 * batch * 1024.0 * multiprocessors());
    const int rounds = int(std::max(1.0, warp_accesses / (double(blocks) * (threads / 32) * batch)));
    const double bytes = double(rounds) * batch * blocks * threads * 4;
    const double ns = nanoseconds_of(
        [&] {
          use_memory<Way::load, u32, batch><<<blocks, threads>>>(results_sink(), const_cast<u32*>(memory),
                                                                 nullptr, Pattern{1u << 28, 1}, rounds);
        },
        Cache::cold, 3);
    results.add(
        "read_" + std::to_string(warps) + "_warps_" + std::to_string(batch) + "_loads_gigabytes_per_second",
        bytes / (ns - results["launch_nanoseconds"]));
  }
}
inline void measure_in_flight(Results& results) {
  const Buffer<u32> memory(1u << 28);
  measure_in_flight<1>(results, memory.data());
  measure_in_flight<4>(results, memory.data());
  measure_in_flight<16>(results, memory.data());
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
