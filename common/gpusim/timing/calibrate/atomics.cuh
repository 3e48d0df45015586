// Atomics in global memory, which the L2 cache carries out: all multiprocessors on one word, or on words of their own.
#pragma once

#include "bench.cuh"

namespace calibrate {

enum class Atomic { red_int, red_float, atom_int };
enum class Words {
  one,
  one_per_warp,
  own,
  line
};  // one word for all; for each warp; for each lane; a line for all
template <Atomic atomic>
__global__ void use_atomics(u64* cycles, u32* memory, u32* never, Words words, u32 lanes, int rounds) {
  const u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
  u32* const at = memory + (words == Words::one            ? 0
                            : words == Words::one_per_warp ? thread / 32 * 32
                            : words == Words::line         ? thread % 32
                                                           : thread);
  u32 any = 0;
  const BlockClock clock;
  if (threadIdx.x % 32 < lanes)
    for (int round = 0; round < rounds; ++round) {
      if constexpr (atomic == Atomic::red_int)
        asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(round));
      else if constexpr (atomic == Atomic::red_float)
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(1.0f));
      else {
        u32 before;
        asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(before) : "l"(at), "r"(round));
        any ^= before;
      }
    }
  clock.stop(cycles);
  if (any == 0x12345) *never = any;
}

// Each operation waits for the one before; or each store has a fence behind it.
static __global__ void chase_atomics(u64* cycles, u32* memory, int rounds, bool fences) {
  u32 at = 0;
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if (fences) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(memory + at), "r"(round));
      __threadfence();
    } else {
      asm volatile("atom.global.or.b32 %0, [%1], 0;" : "=r"(at) : "l"(memory + at));
    }
  }
  clock.stop(cycles);
  if (at == 0x12345) *memory = at;
}

// Nanoseconds for one lane's operation, all multiprocessors together.
template <Atomic atomic>
void measure_atomic(Results& results, const std::string& name, u32* memory) {
  const int blocks = 4 * multiprocessors();
  const auto timed = [&](Words words, u32 lanes, int rounds) {
    return nanoseconds_of(
               [&] {
                 use_atomics<atomic><<<blocks, 256>>>(results_sink(), memory, memory, words, lanes, rounds);
               },
               Cache::warm, 3) /
           (double(rounds) * blocks * 8 * lanes);
  };
  results.add(name + "_one_word_nanoseconds", timed(Words::one, 32, 8));
  results.add(name + "_one_word_one_lane_nanoseconds", timed(Words::one, 1, 64));
  results.add(name + "_word_per_warp_nanoseconds", timed(Words::one_per_warp, 32, 16));
  results.add(name + "_one_line_nanoseconds", timed(Words::line, 32, 16));
  results.add(name + "_own_words_nanoseconds", timed(Words::own, 32, 64));
}

inline void measure_atomics(Results& results) {
  const Buffer<u32> memory(4u << 20), zeros(1);
  measure_atomic<Atomic::red_int>(results, "global_red_int", memory.data());
  measure_atomic<Atomic::red_float>(results, "global_red_float", memory.data());
  measure_atomic<Atomic::atom_int>(results, "global_atomic_int", memory.data());
  results.add("global_atomic_latency",
              cycles_of([&](u64* out) { chase_atomics<<<1, 1>>>(out, zeros.data(), 256, false); }) / 256);
  results.add("fence_latency",
              cycles_of([&](u64* out) { chase_atomics<<<1, 1>>>(out, memory.data(), 256, true); }) / 256);
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
