// Checks of chapter 09's warp_sum, block_sum and block_sum_for_all by themselves, as their comments promise them. The
// kernels of the chapter need less: sum_butterfly, one thread's value in each block.
#pragma once

#include <kernels.cuh>

#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/device_buffer.h"
#include "harness/inputs.h"
#include "harness/reference.h"
#include "judge.h"
#include "simulated.h"
#include "sum_checks.h"

// A kernels.cuh may do without a helper: then these are called, and nothing is checked. Whatever it defines fits better.
struct Absent {};
namespace absent_helpers {
template <typename... Arguments> __device__ Absent warp_sum(Arguments...) { return {}; }
template <typename... Arguments> __device__ Absent block_sum(Arguments...) { return {}; }
template <typename... Arguments> __device__ Absent block_sum_for_all(Arguments...) { return {}; }
}  // namespace absent_helpers
using namespace absent_helpers;

namespace judge {

inline constexpr int kHelperBlocks = 3;
inline constexpr int kEveryWarp = -1;

// Each thread gives one value and keeps what it gets. warp_sum may be called by any warp, also by one alone, and more
// than once: here of a value and of twice the value. What the last call leaves behind, the next one must not find.
// (Templates, because of a helper that is absent the rest must not be compiled.)
template <typename T>
__global__ void call_warp_sum(const T* in, T* out, int only_warp) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T value = in[i];
  if (only_warp == kEveryWarp || int(threadIdx.x) / 32 == only_warp) {
    if constexpr (!std::is_same_v<decltype(warp_sum(value)), Absent>) {
      const T once = warp_sum(value);
      const T twice = warp_sum(2 * value);
      out[i] = twice - once;
    }
  }
  __syncthreads();  // the other warps wait here, and not within warp_sum
}
template <typename T>
__global__ void call_block_sum(const T* in, T* out, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T value = in[i];
  if constexpr (!std::is_same_v<decltype(block_sum(value)), Absent>) out[i] = block_sum(value);
}
template <typename T>
__global__ void call_block_sum_for_all(const T* in, T* out, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const T value = in[i];
  if constexpr (!std::is_same_v<decltype(block_sum_for_all(value)), Absent>)
    out[i] = block_sum_for_all(value);
}

struct Helper {
  const char* name;
  bool absent;
  void (*kernel)(const float* in, float* out, int only_warp);
  int group;      // threads whose values it adds up
  bool all_have;  // each of them has the sum; else the first one
};
// Aliases, because clang 18 and newer refuse the name of a device function in the initialiser of a host variable, even
// where the function is not called.
using WarpSum = decltype(warp_sum(0.0f));
using BlockSum = decltype(block_sum(0.0f));
using BlockSumForAll = decltype(block_sum_for_all(0.0f));
inline const Helper kHelpers[] = {
    {"warp_sum", std::is_same_v<WarpSum, Absent>, call_warp_sum<float>, 32, false},
    {"block_sum", std::is_same_v<BlockSum, Absent>, call_block_sum<float>, kBlock, false},
    {"block_sum_for_all", std::is_same_v<BlockSumForAll, Absent>, call_block_sum_for_all<float>, kBlock,
     true},
};

inline std::string thread_name(int i) {
  return "block " + std::to_string(i / kBlock) + ", thread " + std::to_string(i % kBlock) + " (lane " +
         std::to_string(i % 32) + " of warp " + std::to_string(i % kBlock / 32) + ")";
}

inline std::vector<float> small_values(int count) { return harness::small_integers(count, 4); }
// A block's 256 values add up to 1.1 * 2^126, so twice the sum is still a float.
inline std::vector<float> large_values(int count) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = std::ldexp(float(1 + 5 * i % 8), 116);
  return values;
}

// False if it is as shipped: it gives each thread its own value.
inline bool check_helper(const Helper& helper, int only_warp, const std::string& how,
                         std::vector<float> (*make)(int count) = small_values) {
  if (helper.absent) return true;
  const std::vector<float> input = make(kHelperBlocks * kBlock);  // exact in any order
  const int count = static_cast<int>(input.size());
  const std::string what = helper.name + how;
  harness::DeviceBuffer<float> d_in(input), d_out(count);
  d_out.fill_poison();
  helper.kernel<<<kHelperBlocks, kBlock>>>(d_in.data(), d_out.data(), only_warp);
  check_launch(what);

  const std::vector<float> got = d_out.download();
  const auto calls = [&](int i) { return only_warp == kEveryWarp || i % kBlock / 32 == only_warp; };
  bool as_shipped = helper.group == 32;
  for (int i = 0; i < count; ++i) as_shipped = as_shipped && (!calls(i) || got[i] == input[i]);
  for (int i = 0; i < count; ++i) {
    if (!calls(i) || (i % helper.group != 0 && !helper.all_have)) continue;
    const auto first = input.begin() + i / helper.group * helper.group;
    const float sum = std::accumulate(first, first + helper.group, 0.0f);
    if (got[i] == sum) continue;
    report(as_shipped ? Kind::as_shipped : Kind::wrong_result,
           what + ": " + thread_name(i) + " gets " + harness::digits(got[i]) + ", expected " +
               harness::digits(sum) + ", the sum of the values of " +
               (helper.group == 32 ? "its warp" : "its block"));
    return !as_shipped;
  }
  return true;
}

inline void check_helpers() {
  const auto check_all = [](const std::string& how) {  // false: as shipped
    for (const Helper& helper : kHelpers)
      if (!check_helper(helper, kEveryWarp, how)) return false;
    for (int warp = 0; warp < kWarps; ++warp)
      check_helper(kHelpers[0], warp, " called by warp " + std::to_string(warp) + " alone" + how);
    return true;
  };
  if (!check_all("")) return;
  for (const Helper& helper : kHelpers)
    check_helper(helper, kEveryWarp, " of values up to 2^119", large_values);
  for (const std::string& schedule : other_schedules()) {
    const InSchedule other(schedule);
    check_all(" in schedule " + schedule);
  }
}

}  // namespace judge
// SPDX-License-Identifier: MIT
