// Shared memory and barriers: how long a load takes, how many wavefronts a multiprocessor passes, what meeting costs.
#pragma once

#include "bench.cuh"

namespace calibrate {

constexpr int kSharedWords = 4096, kSharedBatch = 8;

static __global__ void chase_shared(u64* cycles, u32* never, int rounds) {
  __shared__ u32 next[kSharedWords];
  u32 at = u32(__cvta_generic_to_shared(next));  // each word holds its own address: nothing is to be added
  for (int i = int(threadIdx.x); i < kSharedWords; i += int(blockDim.x)) next[i] = at + u32(i) * 4;
  const BlockClock clock;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 16; ++k) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  }
  clock.stop(cycles);
  if (at == 1) *never = at;
}

// Lanes are `stride` words apart. width: words of each access.
enum class SharedAccess { load, store, add, add_float, add_returning };
// one_of: only every so many-th warp takes part; with 4, those of one scheduler.
template <SharedAccess access, int width>
__global__ void __launch_bounds__(1024)
    use_shared(u64* cycles, u32* never, u32 stride, int rounds, u32 one_of) {
  __shared__ alignas(16) u32 words[kSharedWords];
  for (int i = int(threadIdx.x); i < kSharedWords; i += int(blockDim.x)) words[i] = 0;
  const u32 first =
      u32(__cvta_generic_to_shared(words)) + threadIdx.x % 32 * stride * width * 4 % (kSharedWords * 4);
  u32 sum = 0;
  if (threadIdx.x / 32 % one_of != 0) rounds = 0;
  const BlockClock clock;
  for (int round = 0; round < rounds; ++round) {
    u32 v[kSharedBatch], w[kSharedBatch], y[kSharedBatch], z[kSharedBatch];
#pragma unroll
    for (int k = 0; k < kSharedBatch; ++k) {
      if constexpr (access == SharedAccess::load && width == 1) {
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(v[k]) : "r"(first));
      } else if constexpr (access == SharedAccess::load) {
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v[k]), "=r"(w[k]), "=r"(y[k]), "=r"(z[k])
                     : "r"(first));
        v[k] ^= w[k] ^ y[k] ^ z[k];
      } else if constexpr (access == SharedAccess::store && width == 1) {
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(first), "r"(round));
      } else if constexpr (access == SharedAccess::store) {
        asm volatile("st.volatile.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(first), "r"(round));
      } else if constexpr (access == SharedAccess::add) {
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(first), "r"(round));
      } else if constexpr (access == SharedAccess::add_float) {
        asm volatile("red.shared.add.f32 [%0], %1;" ::"r"(first), "f"(1.0f));
      } else {
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(v[k]) : "r"(first), "r"(round));
      }
    }
    if constexpr (access == SharedAccess::load || access == SharedAccess::add_returning) {
#pragma unroll
      for (int k = 0; k < kSharedBatch; ++k) sum ^= v[k];
    }
  }
  clock.stop(cycles);
  if (sum == 0x12345) *never = sum;
}

template <SharedAccess access, int width = 1>
double shared_interval(u32 stride, int rounds = 64, int threads = 1024, u32 one_of = 1) {
  const double cycles = cycles_of(
      [&](u64* out) { use_shared<access, width><<<1, threads>>>(out, nullptr, stride, rounds, one_of); });
  return cycles / (rounds * kSharedBatch * (threads / 32.0 / one_of));
}

static __global__ void meet(u64* cycles, int rounds) {
  const BlockClock clock;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 16; ++k) __syncthreads();
  }
  clock.stop(cycles);
}

// What a barrier takes behind a store: all warps store, or only the first does what a level of a tree does.
enum class Before { store, tree };
template <Before before>
__global__ void meet_after(u64* cycles, u32* never, int rounds) {
  __shared__ u32 words[2048];
  words[threadIdx.x] = words[threadIdx.x + 1024] = 0;
  const u32 at = u32(__cvta_generic_to_shared(words)) + threadIdx.x * 4;
  const BlockClock clock;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      if constexpr (before == Before::store)
        asm volatile("st.volatile.shared.u32 [%0], %1;" ::"r"(at), "r"(round));
      else if (threadIdx.x < 32)
        asm volatile(
            "{ .reg .f32 a, b; ld.volatile.shared.f32 a, [%0]; ld.volatile.shared.f32 b, [%0+4096]; add.f32 a, a, b; "
            "st.volatile.shared.f32 [%0], a; }" ::"r"(at));
      __syncthreads();
    }
  }
  clock.stop(cycles);
  if (words[threadIdx.x] == 0x12345) *never = 1;
}

// Constants: where kernels have their parameters.
__constant__ u32 constants[1024];
static __global__ void chase_constants(u64* cycles, u32* never, int rounds) {
  u32 at = threadIdx.x;
  const auto go = [&](int count) {
#pragma unroll 1
    for (int round = 0; round < count; ++round) {
#pragma unroll
      for (int k = 0; k < 16; ++k) at = constants[at & 1023];  // zeros
    }
  };
  go(1);
  const BlockClock clock;
  go(rounds);
  clock.stop(cycles);
  if (at == 1) *never = at;
}

// Each warp loads words of constant memory at `distinct` addresses, which lie 4 bytes apart.
static __global__ void __launch_bounds__(1024)
    use_constants(u64* cycles, u32* never, u32 distinct, int rounds) {
  u32 at[kSharedBatch];
  for (int k = 0; k < kSharedBatch; ++k)
    at[k] = u32(__cvta_generic_to_constant(constants)) + threadIdx.x % distinct * 4 + u32(k) * 128;
  const auto go = [&](int count) {
#pragma unroll 1
    for (int round = 0; round < count; ++round) {
#pragma unroll
      for (int k = 0; k < kSharedBatch; ++k)  // zeros
        asm volatile("{ .reg .u32 t; ld.const.u32 t, [%0]; add.u32 %0, %0, t; }" : "+r"(at[k]));
    }
  };
  go(1);
  const BlockClock clock;
  go(rounds);
  clock.stop(cycles);
  for (int k = 0; k < kSharedBatch; ++k)
    if (at[k] == 0x12345) *never = at[k];
}

inline double constant_interval(u32 distinct) {
  constexpr int kRounds = 64, kWarps = 32;
  return cycles_of([&](u64* out) { use_constants<<<1, 32 * kWarps>>>(out, nullptr, distinct, kRounds); }) /
         (kRounds * kSharedBatch * kWarps);
}

inline void measure_shared(Results& results) {
  constexpr int kRounds = 64;
  results.add("shared_latency",
              cycles_of([&](u64* out) { chase_shared<<<1, 32>>>(out, nullptr, kRounds); }) / (kRounds * 16));
  // Cycles of a multiprocessor for one warp's access.
  for (u32 stride : {0, 1, 2, 4, 8, 16, 32})
    results.add("shared_load_stride" + std::to_string(stride) + "_interval",
                shared_interval<SharedAccess::load>(stride));
  for (u32 stride : {1, 2, 8, 32})
    results.add("shared_store_stride" + std::to_string(stride) + "_interval",
                shared_interval<SharedAccess::store>(stride));
  results.add("shared_load16_interval", shared_interval<SharedAccess::load, 4>(1));
  results.add("shared_store16_interval", shared_interval<SharedAccess::store, 4>(1));
  // Warps of one scheduler only: how often it can hand over an access.
  results.add("shared_load_one_scheduler_interval", shared_interval<SharedAccess::load>(1, 64, 1024, 4));
  results.add("shared_store_one_scheduler_interval", shared_interval<SharedAccess::store>(1, 64, 1024, 4));
  results.add("shared_add_interval", shared_interval<SharedAccess::add>(1));
  results.add("shared_add_same_interval", shared_interval<SharedAccess::add>(0));
  results.add("shared_add_conflict32_interval", shared_interval<SharedAccess::add>(32));
  results.add("shared_add_float_interval", shared_interval<SharedAccess::add_float>(1, 16));
  results.add("shared_add_float_same_interval", shared_interval<SharedAccess::add_float>(0, 4));
  results.add("shared_atomic_interval", shared_interval<SharedAccess::add_returning>(1));
  results.add("shared_atomic_latency",
              shared_interval<SharedAccess::add_returning>(1, 64, 32) * kSharedBatch);
  results.add("shared_add_float_same_latency", shared_interval<SharedAccess::add_float>(0, 4, 32));
  results.add("constant_latency", cycles_of([&](u64* out) {
                                    chase_constants<<<1, 1>>>(out, nullptr, kRounds);
                                  }) / (kRounds * 16) -
                                      2 * results["int_min_latency"]);
  results.add("constant_32_addresses_interval", constant_interval(32));
  for (int warps = 1; warps <= 32; warps *= 2) {
    const int resident = resident_blocks(results, warps);
    const auto measure = [&](auto kernel, int blocks) {
      return cycles_of([&](u64* out) { kernel<<<blocks, warps * 32>>>(out, nullptr, kRounds); }) /
             (kRounds * 16);
    };
    const std::string name = std::to_string(warps) + "_warps";
    results.add("barrier_after_store_" + name + "_latency", measure(meet_after<Before::store>, 1));
    results.add("barrier_after_store_" + name + "_full_latency",
                measure(meet_after<Before::store>, resident * multiprocessors()));
    results.add("tree_level_" + name + "_latency", measure(meet_after<Before::tree>, 1));
    results.add("tree_level_" + name + "_full_latency",
                measure(meet_after<Before::tree>, resident * multiprocessors()));
  }
  // Cycles from one barrier to the next, of a block alone; and of as many blocks as there is room for.
  for (int warps = 1; warps <= 32; warps *= 2) {
    const std::string name = "barrier_" + std::to_string(warps) + "_warps";
    results.add(name + "_latency",
                cycles_of([&](u64* out) { meet<<<1, warps * 32>>>(out, kRounds); }) / (kRounds * 16));
    const int resident = resident_blocks(results, warps), blocks = resident * multiprocessors();
    const double cycles = cycles_of([&](u64* out) { meet<<<blocks, warps * 32>>>(out, kRounds * 4); });
    results.add(name + "_interval", cycles / (kRounds * 4 * 16) / resident);
  }
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
