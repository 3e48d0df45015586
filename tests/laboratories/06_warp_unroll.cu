// The tails of chapter 06's laboratory, in the order of lanes that GPUSIM_SCHEDULE names. What its page says
// of them must stay true: volatile is right in lockstep only, and in ascending order lane 0 adds 7 sums of 64.
#include "chapters/06_warp_unroll/old_tails.cuh"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "harness/harness.h"

namespace {

using Kernel = void (*)(const float* in, float* block_sums, int n);

// One block, whose tail begins with tile[k] = k + 1 for k < 64: whatever else is added to these before is 0.
float sum_of_block(Kernel kernel) {
  std::vector<float> input(kElements, 0.0f);
  for (int k = 0; k < 64; ++k) input[k] = static_cast<float>(k + 1);
  const harness::DeviceBuffer<float> d_in(input);
  harness::DeviceBuffer<float> d_sum(1);
  d_sum.fill_poison();
  kernel<<<1, kBlock>>>(d_in.data(), d_sum.data(), kElements);
  CUDA_CHECK_LAUNCH();
  return d_sum.download()[0];
}

constexpr float kSum = 64 * 65 / 2;                        // 1 + 2 + … + 64
constexpr float kSevenOf64 = 1 + 33 + 17 + 9 + 5 + 3 + 2;  // tile[0], and those 32, 16, 8, 4, 2, 1 further

// "lockstep", "ascending", "descending"; "" on a GPU, whose order is its own.
std::string order() {
  if (!harness::is_simulated()) return "";
  const char* chosen = std::getenv("GPUSIM_SCHEDULE");
  return chosen && *chosen ? chosen : "lockstep";
}

}  // namespace

TEST_CASE("lanes that wait give the right sum in any order") { CHECK(sum_of_block(sum_warp_tail) == kSum); }

TEST_CASE("a volatile tail is right in lockstep, and wrong in the other orders") {
  const float sum = sum_of_block(sum_without_waiting<volatile float>);
  if (order() == "") MESSAGE("not judged: a GPU runs lanes in an order of its own");
  if (order() == "lockstep") CHECK(sum == kSum);
  if (order() == "ascending") CHECK(sum == kSevenOf64);
  if (order() == "descending") CHECK(sum > kSum);  // what was added up already is added again
}

TEST_CASE("a plain tail is wrong in every order: the compiler loads all seven sums before it stores one") {
  const float sum = sum_of_block(sum_without_waiting<float>);
  if (order() == "") MESSAGE("not judged: another compiler may choose another order");
  if (order() == "lockstep" || order() == "ascending") CHECK(sum == kSevenOf64);
  if (order() == "descending") CHECK(sum > kSum);
}
// SPDX-License-Identifier: MIT
