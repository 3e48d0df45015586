// How long an instruction takes until its result can be used, and how often a scheduler can issue one.
#pragma once

#include "bench.cuh"

namespace calibrate {

// Each is `count` PTX instructions that read what the one before wrote, and that ptxas cannot merge: it makes one of
// x + b + b, none of x ^ b ^ b, and moves what is the same in all lanes out of their way.
#define CALIBRATE_OPERATION(name, type, constraint, count, text, first, second)                             \
  struct name {                                                                                             \
    using T = type;                                                                                         \
    static constexpr const char* kName = #name;                                                             \
    static constexpr int kCount = count;                                                                    \
    static constexpr T kFirst = first, kSecond = second;                                                    \
    static __device__ void apply(T& x, T& y) { asm volatile(text : "+" constraint(x), "+" constraint(y)); } \
  };
CALIBRATE_OPERATION(fp32_add, float, "f", 1, "add.f32 %0, %0, %1;", 1.0f, 1e-6f)
CALIBRATE_OPERATION(fp32_mul, float, "f", 1, "mul.f32 %0, %0, %1;", 1.0f, 1.0000001f)
CALIBRATE_OPERATION(fp32_fma, float, "f", 1, "fma.rn.f32 %0, %0, %1, %1;", 1.0f, 0.5f)
CALIBRATE_OPERATION(fp32_min, float, "f", 2, "min.f32 %0, %0, %1; max.f32 %1, %0, %1;", 1.0f, 0.5f)
CALIBRATE_OPERATION(fp32_div, float, "f", 1, "div.rn.f32 %0, %1, %0;", 1.3f, 1.5f)
CALIBRATE_OPERATION(fp32_div_zero, float, "f", 1, "div.rn.f32 %1, %1, %0;", 1.3f, 0.0f)  // the long way
CALIBRATE_OPERATION(fp32_sqrt, float, "f", 1, "sqrt.rn.f32 %0, %0;", 1.5f, 1.0f)
CALIBRATE_OPERATION(special, float, "f", 1, "ex2.approx.ftz.f32 %0, %0;", 0.5f, 1.0f)
// Without ftz: numbers too small for a float's usual form are multiplied before, and the result is after.
CALIBRATE_OPERATION(special_rcp, float, "f", 1, "rcp.approx.f32 %0, %0;", 1.5f, 1.0f)
CALIBRATE_OPERATION(special_sqrt, float, "f", 1, "sqrt.approx.f32 %0, %0;", 1.5f, 1.0f)
CALIBRATE_OPERATION(special_rsqrt, float, "f", 1, "rsqrt.approx.f32 %0, %0;", 1.5f, 1.0f)
CALIBRATE_OPERATION(special_ex2, float, "f", 1, "ex2.approx.f32 %0, %0;", 0.5f, 1.0f)
CALIBRATE_OPERATION(special_lg2, float, "f", 1, "lg2.approx.f32 %0, %0;", 1.5f, 1.0f)
CALIBRATE_OPERATION(special_sin, float, "f", 1, "sin.approx.f32 %0, %0;", 0.5f, 1.0f)
CALIBRATE_OPERATION(special_div, float, "f", 1, "div.approx.f32 %0, %1, %0;", 1.3f, 1.5f)
CALIBRATE_OPERATION(fp64_add, double, "d", 1, "add.f64 %0, %0, %1;", 1.0, 1e-9)
CALIBRATE_OPERATION(fp64_fma, double, "d", 1, "fma.rn.f64 %0, %0, %1, %1;", 1.0, 0.5)
CALIBRATE_OPERATION(fp64_div, double, "d", 1, "div.rn.f64 %0, %1, %0;", 1.3, 1.5)
CALIBRATE_OPERATION(fp64_sqrt, double, "d", 1, "sqrt.rn.f64 %0, %0;", 1.5, 1.0)
CALIBRATE_OPERATION(int_add, u32, "r", 2, "add.u32 %0, %0, %1; add.u32 %1, %1, %0;", 1, 3)
CALIBRATE_OPERATION(int_min, u32, "r", 2, "min.u32 %0, %0, %1; max.u32 %1, %0, %1;", 9, 3)
CALIBRATE_OPERATION(int_shift, u32, "r", 2, "shl.b32 %0, %1, %0; shr.u32 %1, %1, %0;", 1, 7)
CALIBRATE_OPERATION(int_permute, u32, "r", 1, "prmt.b32 %0, %0, %1, 0x2145;", 1, 0x1234567)
CALIBRATE_OPERATION(int_mad, u32, "r", 1, "mad.lo.u32 %0, %0, %1, %1;", 1, 3)
CALIBRATE_OPERATION(int_wide, u64, "l", 1, "{ .reg .u32 t; cvt.u32.u64 t, %0; mad.wide.u32 %0, t, t, %1; }",
                    3, 5)
CALIBRATE_OPERATION(int_popc, u32, "r", 2, "{ popc.b32 %0, %0; add.u32 %0, %0, %1; }", 1, 0x10101)
CALIBRATE_OPERATION(int_div, u32, "r", 1, "div.u32 %0, %1, %0;", 3, 1000003)
CALIBRATE_OPERATION(int_rem, u32, "r", 1, "rem.u32 %0, %1, %0;", 3, 1000003)
CALIBRATE_OPERATION(int_div_signed, int, "r", 1, "div.s32 %0, %1, %0;", 3, 1000003)
CALIBRATE_OPERATION(long_add, u64, "l", 2, "add.u64 %0, %0, %1; add.u64 %1, %1, %0;", 1, 3)
CALIBRATE_OPERATION(long_mul, u64, "l", 2, "mul.lo.u64 %0, %0, %1; mul.lo.u64 %1, %1, %0;", 0x123456789,
                    0x345678912)
CALIBRATE_OPERATION(long_div, u64, "l", 1, "div.u64 %0, %1, %0;", 3, 1000000000000000003ull)
CALIBRATE_OPERATION(shuffle, u32, "r", 1, "shfl.sync.idx.b32 %0, %0, %1, 31, -1;", 1, 5)
// redux came with compute capability 8.0. Older GPUs compile a kernel without it, which nobody launches.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define CALIBRATE_REDUX
#else
#define CALIBRATE_REDUX "redux.sync.add.u32 %0, %0, -1; "
#endif
CALIBRATE_OPERATION(reduce_add, u32, "r", 2, CALIBRATE_REDUX "xor.b32 %0, %0, %1;", 1, 1)
#undef CALIBRATE_REDUX
CALIBRATE_OPERATION(conversion, u32, "r", 1, "{ .reg .f32 t; cvt.rn.f32.u32 t, %0; mov.b32 %0, t; }", 1, 1)
CALIBRATE_OPERATION(conversion_to_int, u32, "r", 1, "{ .reg .f32 t; mov.b32 t, %0; cvt.rzi.u32.f32 %0, t; }",
                    1, 1)
CALIBRATE_OPERATION(conversion_of_double, u32, "r", 2,
                    "{ .reg .f32 t; .reg .f64 d; mov.b32 t, %0; cvt.f64.f32 d, t; cvt.rn.f32.f64 t, d; "
                    "mov.b32 %0, t; }",
                    0x3f800001, 1)
CALIBRATE_OPERATION(vote, u32, "r", 2,
                    "{ .reg .pred p; setp.ne.u32 p, %0, %1; vote.sync.ballot.b32 %0, p, -1; }", 1, 1)
CALIBRATE_OPERATION(int_select, u32, "r", 2,
                    "{ .reg .pred p; setp.lt.u32 p, %0, %1; selp.u32 %0, %1, 77, p; }", 1, 100)
#undef CALIBRATE_OPERATION

// PTX has no instruction for it: nvcc puts code of its library there.
struct fp64_rsqrt {
  using T = double;
  static constexpr const char* kName = "fp64_rsqrt";
  static constexpr int kCount = 1;
  static constexpr T kFirst = 1.5, kSecond = 1.0;
  static __device__ void apply(T& x, T&) { x = rsqrt(x); }
};

template <class Operation, int chains>
__global__ void __launch_bounds__(1024) run_chains(u64* cycles, u32* never, u32 seed, int rounds) {
  using T = typename Operation::T;
  T x[chains];
  T y[chains];
  const T lane = T(threadIdx.x % 32);  // what is the same in all lanes is computed elsewhere
  for (int c = 0; c < chains; ++c) {
    x[c] = T(Operation::kFirst + lane + T(c));
    y[c] = T(Operation::kSecond + T(seed) * lane);  // seed is 0, which the compiler does not know
  }
  const BlockClock clock;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
#pragma unroll
      for (int c = 0; c < chains; ++c) Operation::apply(x[c], y[c]);
    }
  }
  clock.stop(cycles);
  T sum = x[0] + y[0];
  for (int c = 1; c < chains; ++c) sum = sum + x[c] + y[c];
  if (sum == T(12345) && seed != 0) *never = u32(sum);
}

constexpr int kFullBlock = 1024, kSchedulers = 4, kUnroll = 16;

// latency: one warp, one chain. interval: cycles of one scheduler between two warp instructions, all it can hold busy.
template <class Operation>
void measure_operation(Results& results, int rounds = 64) {
  constexpr int kChains = 4;
  const double alone =
      cycles_of([&](u64* cycles) { run_chains<Operation, 1><<<1, 32>>>(cycles, nullptr, 0, rounds); });
  const double full = cycles_of(
      [&](u64* cycles) { run_chains<Operation, kChains><<<1, kFullBlock>>>(cycles, nullptr, 0, rounds); });
  const double warps = kFullBlock / 32.0 / kSchedulers;
  results.add(std::string(Operation::kName) + "_latency", alone / (rounds * kUnroll * Operation::kCount));
  results.add(std::string(Operation::kName) + "_interval",
              full / (rounds * kUnroll * kChains * warps * Operation::kCount));
}

template <class... Operations>
void measure_operations(Results& results) {
  (measure_operation<Operations>(results), ...);
}

// A loop of one addition: what its comparison and branch add. A branch on which the lanes disagree, and their meeting.
static __global__ void run_branches(u64* cycles, u32* never, u32 seed, int rounds, u32 limit) {
  u32 y = threadIdx.x % 32;
  const int last = rounds + int(threadIdx.x % 32 * seed);
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < last; ++round) {
    if (threadIdx.x % 32 < limit) {
#pragma unroll
      for (int k = 0; k < 16; ++k) asm volatile("mad.lo.u32 %0, %0, %0, 1;" : "+r"(y));
    } else {
#pragma unroll
      for (int k = 0; k < 16; ++k) asm volatile("mad.lo.u32 %0, %0, %0, 3;" : "+r"(y));
    }
  }
  clock.stop(cycles);
  if (y == 12345) *never = y;
}
static __global__ void run_loop(u64* cycles, u32* never, u32 seed, int rounds) {
  u32 x = seed;
  const int last =
      rounds + int(threadIdx.x % 32 * seed);  // for all the compiler knows each lane goes round as it likes
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < last; ++round) asm volatile("add.u32 %0, %0, 1;" : "+r"(x));
  clock.stop(cycles);
  if (seed != 0) *never = x;
}

inline void measure_branches(Results& results) {
  constexpr int kRounds = 1024;
  const auto loop = [&](int threads) {
    return cycles_of([&](u64* cycles) { run_loop<<<1, threads>>>(cycles, nullptr, 0, kRounds); }) / kRounds;
  };
  const auto branches = [&](u32 limit) {
    return cycles_of([&](u64* cycles) { run_branches<<<1, 32>>>(cycles, nullptr, 0, kRounds, limit); }) /
           kRounds;
  };
  results.add("loop_latency", loop(32));
  results.add("loop_interval", loop(kFullBlock) / (kFullBlock / 32.0 / kSchedulers));
  // With 16 multiply-adds on either side.
  results.add("branch_together_latency", branches(32));
  results.add("branch_diverging_latency", branches(16));
}

inline void measure_arithmetic(Results& results) {
  measure_operations<fp32_add, fp32_mul, fp32_fma, fp32_min, fp32_div, fp32_div_zero, fp32_sqrt, special,
                     special_rcp, special_sqrt, special_rsqrt, special_ex2, special_lg2, special_sin,
                     special_div, fp64_add, fp64_fma, fp64_div, fp64_sqrt, fp64_rsqrt, int_add, int_min,
                     int_shift, int_permute, int_select, int_mad, int_wide, int_popc, int_div, int_rem,
                     int_div_signed, long_add, long_mul, long_div, conversion, conversion_to_int,
                     conversion_of_double, shuffle, vote>(results);
  if (results["major"] >= 8) measure_operation<reduce_add>(results);
  measure_branches(results);
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
