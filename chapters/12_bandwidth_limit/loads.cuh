// For the experiments: a thread's sum with a given number of loads in flight, made in one of several ways.
#pragma once

#include <kernels.cuh>

#include <numeric>
#include <vector>

#include "harness/harness.h"

// Ways to load 16 bytes. `volatile` keeps the loads where they are written, before all additions.
#define WAY_TO_LOAD(Name, what, instruction)                                \
  struct Name {                                                             \
    static constexpr const char* kWhat = what;                              \
    static __device__ float4 load(const float4* from) {                     \
      float4 four;                                                          \
      asm volatile(instruction " {%0, %1, %2, %3}, [%4];"                   \
                   : "=f"(four.x), "=f"(four.y), "=f"(four.z), "=f"(four.w) \
                   : "l"(from));                                            \
      return four;                                                          \
    }                                                                       \
  };
WAY_TO_LOAD(Plain, "no hint", "ld.global.v4.f32")
WAY_TO_LOAD(Streaming, "cs: used once (__ldcs)", "ld.global.cs.v4.f32")
WAY_TO_LOAD(OnlyL2, "cg: not in L1 (__ldcg)", "ld.global.cg.v4.f32")
WAY_TO_LOAD(ReadOnly, "nc: never written (__ldg)", "ld.global.nc.v4.f32")
WAY_TO_LOAD(NotInL1, "nc, L1::no_allocate", "ld.global.nc.L1::no_allocate.v4.f32")
WAY_TO_LOAD(Prefetching, "nc, L1::no_allocate, L2::256B", "ld.global.nc.L1::no_allocate.L2::256B.v4.f32")
#undef WAY_TO_LOAD

// Like thread_sum in kernels.cuh, with a thread's fours `threads` apart. `in` begins on a 16-byte boundary.
template <int kInFlight, typename Way>
struct Batches {
  static __device__ float thread_sum(const float* in, int n) {
    const float4* fours = reinterpret_cast<const float4*>(in);
    const int me = blockIdx.x * kBlock + threadIdx.x, threads = gridDim.x * kBlock, count = n / 4;
    float sum = 0.0f;
#pragma unroll 1
    for (int first = me; first < count; first += kInFlight * threads) {
      float4 four[kInFlight];
#pragma unroll
      for (int k = 0; k < kInFlight; ++k) four[k] = Way::load(&fours[min(first + k * threads, count - 1)]);
#pragma unroll
      for (int k = 0; k < kInFlight; ++k)
        sum += first + k * threads < count ? (four[k].x + four[k].y) + (four[k].z + four[k].w) : 0.0f;
    }
    if (me < n % 4) sum += in[n - n % 4 + me];
    return sum;
  }
};

// Verifies the total of the blocks' sums: each block takes elements from all over an array of whole numbers.
inline harness::Verdict verify_together(const std::vector<float>& sums, const std::vector<float>& input) {
  const double total = std::accumulate(sums.begin(), sums.end(), 0.0);
  return harness::verify_sum(static_cast<float>(total), harness::reference_sum(input), harness::kExact);
}
// SPDX-License-Identifier: MIT
