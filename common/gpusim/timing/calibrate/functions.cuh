// What the functions of the mathematical library take. nvcc puts their code where they are called; clang leaves a call in the
// PTX, so that the model must know how long it takes.
#pragma once

#include "arithmetic.cuh"

namespace calibrate {

// Each is called with a sum, so that values stay where the function is used most; the sum is subtracted again.
#define CALIBRATE_FUNCTION(name, type, first, second, expression) \
  struct call_##name {                                            \
    using T = type;                                               \
    static constexpr const char* kName = "call_" #name;           \
    static constexpr T kFirst = first, kSecond = second;          \
    static __device__ T value(T x, T y) { return expression; }    \
  };
CALIBRATE_FUNCTION(expf, float, 0.5f, 0.0f, expf(y - x))
CALIBRATE_FUNCTION(exp2f, float, 0.5f, 0.0f, exp2f(y - x))
CALIBRATE_FUNCTION(logf, float, 1.0f, 3.0f, logf(x + y))
CALIBRATE_FUNCTION(log2f, float, 1.0f, 3.0f, log2f(x + y))
CALIBRATE_FUNCTION(sinf, float, 0.5f, 1.0f, sinf(x + y))
CALIBRATE_FUNCTION(cosf, float, 0.5f, 1.0f, cosf(x + y))
CALIBRATE_FUNCTION(tanhf, float, 0.5f, 0.7f, tanhf(x + y))
CALIBRATE_FUNCTION(powf, float, 1.0f, 0.5f, powf(x + y, y))
CALIBRATE_FUNCTION(atanf, float, 0.5f, 0.5f, atanf(x + y))
CALIBRATE_FUNCTION(erff, float, 0.5f, 0.2f, erff(x + y))
CALIBRATE_FUNCTION(exp, double, 0.5, 0.0, exp(y - x))
CALIBRATE_FUNCTION(log, double, 1.0, 3.0, log(x + y))
CALIBRATE_FUNCTION(sin, double, 0.5, 1.0, sin(x + y))
CALIBRATE_FUNCTION(pow, double, 1.0, 0.5, pow(x + y, y))
#undef CALIBRATE_FUNCTION

template <class Function, int chains>
__global__ void __launch_bounds__(512) run_functions(u64* cycles, u32* never, u32 seed, int rounds) {
  using T = typename Function::T;
  T x[chains];
  const T lane = T(threadIdx.x % 32), y = Function::kSecond + T(seed) * lane;
  for (int c = 0; c < chains; ++c) x[c] = Function::kFirst + lane / T(64) + T(c) / T(8);
  const BlockClock clock;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < 2; ++k) {
#pragma unroll
      for (int c = 0; c < chains; ++c) x[c] = Function::value(x[c], y);
    }
  }
  clock.stop(cycles);
  T sum = x[0];
  for (int c = 1; c < chains; ++c) sum = sum + x[c];
  if (sum == T(12345) && seed != 0) *never = u32(sum);
}

// latency: one warp, one chain. interval: cycles of one scheduler that four warps with two chains keep busy.
template <class Function>
void measure_function(Results& results, int rounds = 64) {
  constexpr int kChains = 2, kThreads = 512;
  const std::string sum = sizeof(typename Function::T) == 8 ? "fp64_add" : "fp32_add";
  const double alone =
      cycles_of([&](u64* cycles) { run_functions<Function, 1><<<1, 32>>>(cycles, nullptr, 0, rounds); });
  const double full = cycles_of(
      [&](u64* cycles) { run_functions<Function, kChains><<<1, kThreads>>>(cycles, nullptr, 0, rounds); });
  const double warps = kThreads / 32.0 / kSchedulers;
  results.add(std::string(Function::kName) + "_latency", alone / (rounds * 2) - results[sum + "_latency"]);
  results.add(std::string(Function::kName) + "_interval",
              full / (rounds * 2 * kChains * warps) - results[sum + "_interval"]);
}

inline void measure_functions(Results& results) {
  const auto each = [&](auto... functions) { (measure_function<decltype(functions)>(results), ...); };
  each(call_expf{}, call_exp2f{}, call_logf{}, call_log2f{}, call_sinf{}, call_cosf{}, call_tanhf{},
       call_powf{}, call_atanf{}, call_erff{}, call_exp{}, call_log{}, call_sin{}, call_pow{});
}

}  // namespace calibrate
// SPDX-License-Identifier: MIT
