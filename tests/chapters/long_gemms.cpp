// Products with a long k: does a counter of its steps outgrow its type? A whole product takes seconds, most of them for sums that the
// check does not need. So one warp runs first. If its loads repeat themselves to the end of k, the other warps do the same.
#include <cuda_runtime.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "block_stores.h"
#include "gemm_checks.h"
#include "harness/device_buffer.h"
#include "harness/gemm_reference.h"
#include "harness/reference.h"
#include "large_grids.h"
#include "launch_check.h"
#include "simulated.h"

namespace judge {
namespace {

using harness::DeviceBuffer;
using harness::GemmProblem;
using harness::Guards;

constexpr int kManySteps = 257;                           // of k, more than a byte counts
constexpr int kLong = 65536 + 1061;                       // more than 16 bits count
constexpr std::size_t kPeriod = 1024;                     // of k: whole steps of most kernels
constexpr std::uint64_t kFewInstructions = 20'000'000;    // several times what one warp needs
constexpr std::uint64_t kManyInstructions = 100'000'000;  // the same, of all warps

// Whether the loads of A and of B touch the same elements in each period of k.
bool repeats(const std::vector<Elements>& loads) {
  std::vector<bool> is_loaded(kLong);
  for (const Elements& run : loads)
    std::fill(is_loaded.begin() + run.first, is_loaded.begin() + run.end, true);
  for (std::size_t i = kPeriod; i < kLong / kPeriod * kPeriod; ++i)
    if (is_loaded[i] != is_loaded[i - kPeriod]) return false;
  return true;
}

struct Product {
  explicit Product(int k)
      : p(harness::make_gemm(1, 1, k, 1, 0, 0, harness::GemmValues::whole, 1)),
        a(p.a, Guards::none),
        b(p.b, Guards::none),
        c(1) {}
  void launch(const GemmKernel& kernel) {
    kernel.launch({1, 1, p.k, 1, a.data(), p.k, b.data(), 1, 0, c.data(), 1});
  }
  GemmProblem p;
  DeviceBuffer<float> a, b, c;
};

// Runs all of it. The numbers are whole, so floats hold each partial sum exactly, in whatever order a kernel adds.
void check(const GemmKernel& kernel, int k) {
  Product product(k);
  const std::string what =
      kernel.name + ", A 1 x " + std::to_string(k) + " times B " + std::to_string(k) + " x 1";
  product.launch(kernel);
  check_launch(what);
  const double expected =
      std::inner_product(product.p.a.begin(), product.p.a.end(), product.p.b.begin(), 0.0);
  const float got = product.c.download()[0];
  if (got == expected) return;
  report(
      Kind::wrong_result,
      what + ": C[0][0] is " + harness::digits(got) + ", expected " + harness::digits(float(expected)) +
          ", which floats hold exactly; with a shorter k it is right. Does a counter of its steps outgrow its type?");
}

// Whether a warp of its own goes through all of k.
bool goes_to_the_end(const GemmKernel& kernel) {
  Product product(kLong);
  const WithoutChecks unchecked;
  const InstructionBudget budget(kFewInstructions);
  const auto [of_a, of_b] = loads_of_one_warp(product.a.data(), product.b.data(), kLong, sizeof(float),
                                              [&] { product.launch(kernel); });
  if (cudaDeviceSynchronize() != cudaSuccess) return false;
  return (!of_a.empty() || !of_b.empty()) && repeats(of_a) && repeats(of_b);
}

}  // namespace

void check_long_sums(const GemmKernel& kernel) {
  if (is_open(kernel.name)) return leave_out(kernel.name);
  check(kernel, kManySteps * kernel.depth + 3);  // a step late in the product may lack its barrier
  if (!OnlyBlocks({0})) return;
  if (goes_to_the_end(kernel)) return;
  reload_kernels();  // after a fault nothing else runs
  take_findings();
  const InstructionBudget budget(kManyInstructions);
  const WithoutChecks unchecked;  // they take longer than the kernel, and have looked at shorter products
  check(kernel, kLong);
}

}  // namespace judge
// SPDX-License-Identifier: MIT
